/** The operation that totals a report. */
import { Count, Currency, exact, Guid, Instant, Nullable, Type } from '../contract/schemas.ts';
import { SCOPE_READ } from '../contract/words.ts';
import type { Families } from '../families/index.ts';
import { ifNoneMatch, taggedAnswers } from '../http/conditional.ts';
import type { Operation } from '../http/operation.ts';
import { byParameter, COMMON_SPLITS, fieldsParameter, totalsDates, weekdayParameter } from './totals.ts';
import { guidInPath, InProgress, prefer, preferenceApplied } from './wait-operations.ts';

const TotalsRowSchema = Type.Object(
  { currencyCode: Currency, rows: Count },
  {
    additionalProperties: Type.Union([Type.Number(), Type.String(), Type.Null()]),
    title: 'TotalsRow',
    description:
      'The keys of `by` (`restaurantGuid`, `businessDate`, `weekday` from 1, Monday, to 7, both null for card payments that are not settled, or the fields of the record), the currency, how many records were added up, then their figures by the names and types of the fields in the dialect of the credential',
    examples: [{ weekday: 5, currencyCode: 'USD', rows: 4, ordersCount: 2, netSalesAmount: 18, avgOrderValue: 9 }],
  },
);

/** GET /reports/{guid}/totals. */
export function getReportTotals({ all }: Families): Operation {
  const words = [
    ...new Set([...COMMON_SPLITS, ...all.flatMap(({ reportTotals }) => Object.keys(reportTotals?.splits ?? {}))]),
  ];
  const Totals = Type.Object(
    {
      reportRequestGuid: Guid,
      asOf: Nullable(Instant),
      by: Type.Array(Type.String()),
      rows: Type.Array(TotalsRowSchema),
    },
    { ...exact, title: 'ReportTotals' },
  );
  return {
    id: 'getReportTotals',
    summary: 'Add up the rows of a report',
    description: `From the same snapshot as the report. Amounts of different currencies are never added: each row is of one currency. Labor counts once for each restaurant and time; it is null in rows by a group. Averages and other ratios are computed from the sums, those of labor from restaurants and dates with hours. By: ${words.map((word) => `\`${word}\``).join(', ')}, as far as the report has them.`,
    tag: 'Reports',
    scopes: [SCOPE_READ],
    parameters: [
      guidInPath,
      byParameter,
      fieldsParameter,
      ...totalsDates.parameters,
      weekdayParameter,
      ifNoneMatch,
      prefer,
    ],
    answers: {
      ...taggedAnswers('The totals', Totals, {
        'Preference-Applied': preferenceApplied,
      }),
      202: InProgress,
    },
    problems: [
      'invalid_parameter',
      'invalid_date',
      'dates_reversed',
      'too_many_rows',
      'report_not_found',
      'report_expired',
      'report_failed',
      'engine_timeout',
    ],
  };
}
