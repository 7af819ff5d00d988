/**
 * Rate limits by name: that of retrievals, and those of create calls that the families declare
 * (docs/contract.md#rate-limits).
 */
import type { LimitNumbers } from './family.ts';
import { FAMILIES, type ReportKind } from './index.ts';

type CreateLimit = { [Kind in ReportKind]: keyof (typeof FAMILIES)[Kind]['limits'] }[ReportKind];
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
