/** The report families, as the console names and asks for them. */

export interface FamilyForm {
  kind: string;
  name: string;
  /** Below the base; retrievals are at `{path}/{guid}`. */
  path: string;
  ranges: readonly string[];
  /** Names of the dates in the body. */
  dates: readonly [start: string, end: string];
  /** Empty where it cannot be split. */
  groups: readonly string[];
  mostGroups: number;
  aggregates: readonly string[];
}

const BUSINESS_DATES = ['startBusinessDate', 'endBusinessDate'] as const;
const SETTLED_DATES = ['startDate', 'endDate'] as const;
const ALL_RANGES = ['day', 'week', 'month', 'year', 'custom'] as const;

export const FAMILIES: readonly FamilyForm[] = [
  {
    ...{ kind: 'metrics', name: 'Sales metrics', path: '/metrics', ranges: ALL_RANGES, dates: BUSINESS_DATES },
    ...{
      groups: ['DINING_OPTION', 'ORDER_SOURCE', 'REVENUE_CENTER'],
      mostGroups: 2,
      aggregates: ['DAY', 'HOUR', 'DAYPART'],
    },
  },
  {
    ...{ kind: 'check', name: 'Checks', path: '/check', ranges: ALL_RANGES.slice(0, 4), dates: BUSINESS_DATES },
    ...{ groups: [], mostGroups: 0, aggregates: [] },
  },
  {
    ...{ kind: 'labor', name: 'Labour', path: '/labor', ranges: ALL_RANGES, dates: BUSINESS_DATES },
    ...{ groups: ['JOB', 'EMPLOYEE'], mostGroups: 1, aggregates: [] },
  },
  {
    ...{ kind: 'menu', name: 'Menu', path: '/menu', ranges: ALL_RANGES, dates: BUSINESS_DATES },
    ...{ groups: ['MENU', 'MENU_GROUP', 'MENU_ITEM', 'MODIFIER'], mostGroups: 1, aggregates: [] },
  },
  {
    ...{
      kind: 'payout',
      name: 'Payouts by settled date',
      path: '/payout',
      ranges: ALL_RANGES.slice(0, 3),
      dates: SETTLED_DATES,
    },
    ...{ groups: [], mostGroups: 0, aggregates: [] },
  },
  {
    ...{
      kind: 'payout-sales-date',
      name: 'Payouts by sales date',
      path: '/payout/sales-date',
      ranges: ALL_RANGES.slice(0, 3),
    },
    ...{ dates: SETTLED_DATES, groups: [], mostGroups: 0, aggregates: [] },
  },
  {
    ...{ kind: 'payout-payments', name: 'Card payments', path: '/payout/payments', ranges: ALL_RANGES.slice(0, 3) },
    ...{ dates: SETTLED_DATES, groups: [], mostGroups: 0, aggregates: [] },
  },
  {
    ...{ kind: 'guest-payments', name: 'Guest payments', path: '/guest/payments', ranges: ALL_RANGES.slice(0, 2) },
    ...{ dates: SETTLED_DATES, groups: [], mostGroups: 0, aggregates: [] },
  },
];

/** The family of a kind of report; one that this version does not know has no groups. */
export const familyOf = (kind: string): FamilyForm =>
  FAMILIES.find((family) => family.kind === kind) ?? {
    ...{ kind, name: kind, path: `/${kind}`, ranges: ALL_RANGES, dates: BUSINESS_DATES },
    ...{ groups: [], mostGroups: 0, aggregates: [] },
  };

/** A constant of the wire in words: "Dining option" for DINING_OPTION. */
export function wordsOf(constant: string): string {
  const words = constant.toLowerCase().replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
