/**
 * The report families: everything that is peculiar to one kind of report, but its SQL. Adding one: ARCHITECTURE.md,
 * "Adding a report family".
 */
import { CHECK } from './check.ts';
import type { LimitNumbers, ReportFamily } from './family.ts';
import { GUEST_PAYMENTS } from './guest-payments.ts';
import { LABOR } from './labor.ts';
import { MENU } from './menu.ts';
import { METRICS } from './metrics.ts';
import { PAYOUT } from './payout.ts';
import { PAYOUT_PAYMENTS } from './payout-payments.ts';
import { PAYOUT_SALES_DATE } from './payout-sales-date.ts';

export const FAMILIES = {
  metrics: METRICS,
  check: CHECK,
  labor: LABOR,
  menu: MENU,
  payout: PAYOUT,
  'payout-payments': PAYOUT_PAYMENTS,
  'payout-sales-date': PAYOUT_SALES_DATE,
  'guest-payments': GUEST_PAYMENTS,
} as const satisfies Record<string, ReportFamily>;

/** The `kind` of a report request. */
export type ReportKind = keyof typeof FAMILIES;

/**
 * What reports can be of, for a sentence: "sales metrics, …, card payments and guest payments". Of "payouts" and
 * "payouts by sales date" only the first.
 */
export function reportNouns(): string {
  const nouns = Object.values<ReportFamily>(FAMILIES).map(({ noun }) => noun);
  const own = nouns.filter((noun) => !nouns.some((other) => noun.startsWith(`${other} `)));
  return `${own.slice(0, -1).join(', ')} and ${own.at(-1)}`;
}

/** The families that a service runs with: those above, and any that a test adds. */
export interface Families {
  all: readonly ReportFamily[];
  kinds: readonly string[];
  /** Throws Error if there is no family of this kind, which happens if a newer version created the report. */
  of(kind: string): ReportFamily;
}

/** The families of a service, by their kinds; those above by default. */
export function createFamilies(all: readonly ReportFamily[] = Object.values(FAMILIES)): Families {
  const byKind = new Map(all.map((family) => [family.kind, family]));
  return {
    all,
    kinds: [...byKind.keys()],
    of(kind) {
      const family = byKind.get(kind);
      if (!family) throw new Error(`no report family ${kind}`);
      return family;
    },
  };
}

type CreateLimit = { [Kind in ReportKind]: keyof (typeof FAMILIES)[Kind]['limits'] }[ReportKind];
/**
 * Rate limits by name: that of retrievals, and those of create calls that the families declare
 * (docs/contract.md#rate-limits).
 */
export type Limit = 'retrieval' | CreateLimit;

const RETRIEVAL: LimitNumbers = { live: '5/s,30/min', generous: '50/s,3000/min', calls: 'retrievals' };

/**
 * Ten times the numbers of the live system by default, since you control your own server; a hundred times for what the
 * console asks for.
 */
export const LIMIT_NUMBERS = Object.assign(
  { retrieval: RETRIEVAL },
  ...Object.values(FAMILIES).map(({ limits }) => limits),
) as Record<Limit, LimitNumbers>;
