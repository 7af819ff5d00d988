/** In which currency each restaurant is, for totals: amounts of different currencies are never added up. */
import { type Daypart, NotFoundError, PermissionError } from '@daypart/client';

/** ISO 4217 by the restaurant's GUID; null of one without a currency, or whose currency the service does not say. */
export type CurrencyOf = (restaurantGuid: string) => string | null;

export interface Currencies {
  of: CurrencyOf;
  /** Whether the restaurants of the service, not only those of a report, have several. */
  several: boolean;
}

/** Of one restaurant: it has one currency, whichever it is. */
export const ONE_CURRENCY: Currencies = { of: () => null, several: false };

/** The column that a table has where its restaurants have several. Amounts without it say little: only net sales goes later. */
export const CURRENCY = { heading: 'Currency', importance: 96 } as const;

export const shownCurrency = (code: string | null): string => code ?? '–';

/** Asks for the currencies of the restaurants. A service that does not list them is taken to have one. */
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
