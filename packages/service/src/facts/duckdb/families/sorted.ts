/** How the rows of a report get their restaurant: before they are sorted, or, in large reports, after it. */
import { datesIn } from '../../../contract/dates.ts';
import type { GatherQuery } from '../../report.ts';
import { fragment } from '../steps.ts';

/** Up to so many dates of restaurants a text that is quick to plan is used instead of one that is quick to run. */
const FEW_DAYS = 100;

/** Whether a report is so small that planning its query takes longer than running it. */
export const isQuickToRun = ({ restaurants, startDate, endDate }: GatherQuery): boolean =>
  restaurants.length * datesIn(startDate, endDate) <= FEW_DAYS;

interface SortedWords extends Readonly<Record<string, string>> {
  /** The table of restaurants to join before sorting, with `id`, `currency` and the column `place`. */
  scope: string;
  place: string;
  /** The columns of a restaurant, from the sorted rows `r` and `listed`. */
  restaurant: string;
  /** What is joined to the sorted rows. */
  listed: string;
}

/** The common tables and words for the rows of a query. The sorted rows `r` have all columns of the `scope`. */
export function sortedRows(query: GatherQuery): { tables: string[]; words: SortedWords } {
  if (isQuickToRun(query)) {
    return { tables: [], words: { scope: 'scope', place: 'guid', restaurant: fragment('restaurant'), listed: '' } };
  }
  const words = {
    scope: 'placed',
    place: 'place',
    restaurant: fragment('restaurantAt'),
    listed: 'cross join listed l',
  };
  return { tables: [fragment('placed')], words };
}
