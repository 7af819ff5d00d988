/** The currency of each restaurant, for totals: amounts of different currencies are never added. */
import { type Daypart, DaypartError, NotFoundError, PermissionError } from '@daypart/client';
import { askRestaurants } from './restaurants.ts';

/** ISO 4217 by restaurant GUID; null for a restaurant without a currency, or if the service does not report it. */
export type CurrencyOf = (restaurantGuid: string) => string | null;

export interface Currencies {
  of: CurrencyOf;
  /**
   * Whether there are several currencies: of a new report, among all restaurants of the service, even if they are not
   * in it.
   */
  several: boolean;
}

/** Where it does not matter which currency it is, or nobody says. */
export const ONE_CURRENCY: Currencies = { of: () => null, several: false };

/**
 * The column for reports with several currencies. Only net sales is more important, since amounts mean little without
 * it.
 */
export const CURRENCY = { heading: 'Currency', importance: 96 } as const;

export const shownCurrency = (code: string | null): string => code ?? '–';

const currenciesIn = (codes: ReadonlyMap<string, string | null>): Currencies => ({
  of: (guid) => codes.get(guid) ?? null,
  several: new Set(codes.values()).size > 1,
});

/** The currencies that the restaurants have now. If a service does not list them, one currency is assumed. */
export async function findCurrencies(client: Daypart, signal: AbortSignal): Promise<Currencies> {
  try {
    const all = await askRestaurants(client, signal);
    return currenciesIn(
      new Map(
        all.flatMap(({ restaurantGuid, currencyCode: code }) => (code === undefined ? [] : [[restaurantGuid, code]])),
      ),
    );
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NotFoundError || error instanceof PermissionError) return ONE_CURRENCY;
    throw error;
  }
}

/** What a service answers to a call that it does not have, or refuses to these credentials or for this report. */
const UNSAID = [400, 403, 404, 405, 410, 501];

/**
 * The currencies that a report was gathered with: a change of a restaurant's currency does not apply to existing
 * reports. The totals of the report have them; if a service has no totals, the current currencies of the restaurants
 * are the best that is known.
 */
export async function currenciesOfReport(client: Daypart, guid: string, signal: AbortSignal): Promise<Currencies> {
  try {
    const { rows } = await client.reports.totals(guid, { by: ['restaurant'] }, { signal });
    if (Array.isArray(rows))
      return currenciesIn(new Map(rows.map((row) => [String(row.restaurantGuid), row.currencyCode ?? null])));
  } catch (error) {
    signal.throwIfAborted();
    if (!(error instanceof DaypartError && UNSAID.includes(error.status ?? 0))) throw error;
  }
  return await findCurrencies(client, signal);
}
