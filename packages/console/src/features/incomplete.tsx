/** A notice that figures are incomplete: the restaurants and dates that are missing, and what to do. */
import type { ComponentChildren } from 'preact';
import { useGroup } from '../data/group.ts';
import type { IncompleteDay } from '../data/report.ts';
import { formatDate } from '../model/dates.ts';
import { formatCount } from '../model/money.ts';

/** The number of dates of a restaurant that are listed. */
const DATES_SHOWN = 12;

const datesIn = (days: IncompleteDay[]): string => {
  const names = days.slice(0, DATES_SHOWN).map(({ businessDate }) => formatDate(businessDate, 'day'));
  return `${names.join(', ')}${days.length > DATES_SHOWN ? ` and ${formatCount(days.length - DATES_SHOWN)} more` : ''}`;
};

export function Incomplete({ days = [] }: { days: IncompleteDay[] | undefined }) {
  const [reading, lacking] = [true, false].map((is) => days.filter((one) => (one.missing === 'still_reading') === is));
  const [first] = lacking ?? [];
  return (
    <>
      <IncompleteDates days={reading} what="still to be read">
        The point of sale is read backwards until it comes to these dates; then these figures have them.
      </IncompleteDates>
      <IncompleteDates days={lacking} what={`without ${first?.missing}`}>
        Their orders were loaded before {first?.missing} were kept. Load all orders of these dates again; then these
        figures have them.
      </IncompleteDates>
    </>
  );
}

function IncompleteDates({
  days = [],
  what,
  children,
}: {
  days: IncompleteDay[] | undefined;
  what: string;
  children: ComponentChildren;
}) {
  const { byGuid } = useGroup();
  if (days.length === 0) return null;
  const restaurants = Map.groupBy(days, ({ restaurantGuid }) => restaurantGuid);
  const of = restaurants.size === 1 ? '1 restaurant' : `${formatCount(restaurants.size)} restaurants`;
  return (
    <details class="notice warn">
      <summary>
        <b>Incomplete:</b> {formatCount(days.length)} business {days.length === 1 ? 'date' : 'dates'} of {of} {what}
      </summary>
      <p>{children}</p>
      <ul>
        {[...restaurants].map(([guid, own]) => (
          <li key={guid}>
            <a href={`/restaurants/${guid}`}>{byGuid.get(guid)?.name ?? guid}</a>: {datesIn(own)}
          </li>
        ))}
      </ul>
    </details>
  );
}
