/** Refuses creates that the live system would refuse, for testing integrations (docs/contract.md#live-restrictions). */

import { Problem } from '../contract/problems.ts';
import type { ReportFamily } from '../families/family.ts';
import type { ReportQuery } from './query.ts';

/**
 * Throws Problem `live_restriction`, naming the restriction and the setting, if the live system would refuse the
 * create.
 */
export function refuseOnLive(family: ReportFamily, query: ReportQuery, body: unknown): void {
  const { path, spans, onLive = {} } = family;
  const { span, startDate, endDate, aggregate, groups } = query;
  const taken = onLive.spans ?? spans;
  if (!taken.includes(span)) {
    const named = span === 'custom' ? `${path} without a time range` : `${path}/${span}`;
    throw refusal(`takes POST ${path} with ${listed(taken)}, not POST ${named}`);
  }
  for (const list of ['restaurantIds', 'excludedRestaurantIds']) {
    if (!Array.isArray((body as Record<string, unknown>)[list]))
      throw refusal(`requires both restaurantIds and excludedRestaurantIds; ${list} is missing`, `/${list}`);
  }
  const grouped = onLive.groupedSpans ?? spans;
  if (groups.length > 0 && !grouped.includes(span))
    throw refusal(`takes groupBy of ${path} with ${listed(grouped)}, not with ${span}`, '/groupBy');
  if (aggregate !== 'DAY' && (aggregate !== 'HOUR' || startDate !== endDate))
    throw refusal(`takes aggregateBy DAY, and HOUR of one date, not ${aggregate} of this span`, 'aggregateBy');
}

const listed = (words: readonly string[]): string => words.join(', ');

function refusal(rule: string, pointer?: string): Problem {
  const message = `DAYPART_LIVE_RESTRICTIONS is on: the live system ${rule}.`;
  return new Problem('live_restriction', message, pointer === undefined ? {} : { errors: [{ pointer, message }] });
}
