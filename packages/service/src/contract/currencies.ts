/**
 * The currencies that a restaurant may have: those of ISO 4217 in use whose smallest unit is at least a hundredth.
 * Money is whole hundredths everywhere (docs/metrics.md), so the dinars of three decimals (BHD, IQD, JOD, KWD, LYD,
 * OMR, TND) and codes that are no money of a country (gold, funds, tests) cannot be kept exactly, and are refused.
 */

/** Currencies whose smallest unit is a hundredth. */
const HUNDREDTHS =
  'AED AFN ALL AMD ANG AOA ARS AUD AWG AZN BAM BBD BDT BGN BMD BND BOB BRL BSD BTN BWP BYN BZD CAD CDF CHF CNY COP CRC CUP CVE CZK DKK ' +
  'DOP DZD EGP ERN ETB EUR FJD FKP GBP GEL GHS GIP GMD GTQ GYD HKD HNL HTG HUF IDR ILS INR IRR JMD KES KGS KHR KPW KYD KZT LAK LBP LKR ' +
  'LRD LSL MAD MDL MGA MKD MMK MNT MOP MRU MUR MVR MWK MXN MYR MZN NAD NGN NIO NOK NPR NZD PAB PEN PGK PHP PKR PLN QAR RON RSD RUB SAR ' +
  'SBD SCR SDG SEK SGD SHP SLE SOS SRD SSP STN SVC SYP SZL THB TJS TMT TOP TRY TTD TWD TZS UAH USD UYU UZS VED VES WST XCD XCG YER ZAR ' +
  'ZMW ZWG';

/** Currencies without a smaller unit. */
const WHOLE = 'BIF CLP DJF GNF ISK JPY KMF KRW PYG RWF UGX VND VUV XAF XOF XPF';

const WITHOUT_DECIMALS = new Set(WHOLE.split(' '));

/** Whether amounts of the currency are whole units, such as yen. */
export const isWholeCurrency = (code: string | null): boolean => code !== null && WITHOUT_DECIMALS.has(code);

/** The codes of ISO 4217 that are accepted, in their order. */
export const CURRENCIES: readonly string[] = `${HUNDREDTHS} ${WHOLE}`.split(' ').sort();

const KNOWN = new Set(CURRENCIES);

/** The code, if it is that of a supported currency. */
export const readCurrency = (code: unknown): string | undefined =>
  typeof code === 'string' && KNOWN.has(code) ? code : undefined;

/** Cents in currency units. */
export const units = (cents: number): number => cents / 100;
