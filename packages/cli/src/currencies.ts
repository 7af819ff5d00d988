/** The currency of each restaurant, for totals: amounts of different currencies are never added. */
import { type Daypart, NotFoundError, PermissionError } from '@daypart/client';

/** ISO 4217 by restaurant GUID; null for a restaurant without a currency, or if the service does not report it. */
export type CurrencyOf = (restaurantGuid: string) => string | null;

export interface Currencies {
  of: CurrencyOf;
  /** Whether the restaurants of the service, including those not in a report, have several currencies. */
  several: boolean;
}

/** For a single restaurant, which has only one currency. */
export const ONE_CURRENCY: Currencies = { of: () => null, several: false };

/** The column for reports with several currencies. Only net sales is more important, since amounts mean little without it. */
export const CURRENCY = { heading: 'Currency', importance: 96 } as const;

export const shownCurrency = (code: string | null): string => code ?? '–';

/** Requests the currencies of the restaurants. If a service does not list them, one currency is assumed. */
export async function findCurrencies(client: Daypart, signal: AbortSignal): Promise<Currencies> {
  try {
    const codes = await client.restaurants.currencies({ signal });
    return { of: (guid) => codes.get(guid) ?? null, several: new Set(codes.values()).size > 1 };
  } catch (error) {
    signal.throwIfAborted();
    if (error instanceof NotFoundError || error instanceof PermissionError) return ONE_CURRENCY;
    throw error;
  }
}
