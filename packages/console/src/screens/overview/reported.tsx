/** Which restaurants have reported, and the time of the figures: it shows whether the figures are complete. */
import { useGroup } from '../../data/group.ts';
import { usePlace } from '../../data/router.ts';
import { formatDate, formatInstant } from '../../model/dates.ts';
import type { PartialDay } from '../../model/partial-day.ts';
import { writeView } from '../../model/view.ts';
import { PartialDayTag } from '../../widgets/partial-day.tsx';

interface ReportedProps {
  date: string;
  /** Restaurants with data on the date; undefined while that is not known. */
  reported: ReadonlySet<string> | undefined;
  asOf: string | null | undefined;
  partialDay: PartialDay | undefined;
  failed: boolean;
}

const sayAll = (restaurants: number): string =>
  `${restaurants === 1 ? 'The restaurant has' : `All ${restaurants} restaurants have`} reported`;

/** Takes the space of what is usually shown once it is known, in as many lines, so that nothing moves. */
const Unknown = ({ restaurants, partialDay }: { restaurants: number; partialDay: PartialDay | undefined }) => (
  <>
    <span class="over">Loading</span>
    <i class="dot pending" />
    <span class="pending" aria-hidden="true">
      {sayAll(restaurants)}
    </span>
    <PartialDayTag partialDay={partialDay} />
    <span class="pending" aria-hidden="true">
      ·
    </span>
    <span class="pending" aria-hidden="true">
      as of {formatInstant(new Date().toISOString())}
    </span>
  </>
);

/** Some restaurants may already have later dates than all have: a link to the newest. */
function Newer({ date }: { date: string }) {
  const { used, newest } = useGroup();
  const { path, search } = usePlace();
  if (date >= newest) return null;
  const count = used.filter(({ lastBusinessDate }) => lastBusinessDate !== null && lastBusinessDate >= newest).length;
  return (
    <>
      <span aria-hidden="true">·</span>
      <a href={path + writeView(search, { d: newest })}>
        {count} of {used.length} have {formatDate(newest, 'day')}
      </a>
    </>
  );
}

/** Restaurants whose past is still read from their point of sale: earlier dates lack sales. */
function StillReading() {
  const count = useGroup().used.filter(({ connection }) => connection?.state === 'reading').length;
  if (count === 0) return null;
  return (
    <>
      <span aria-hidden="true">·</span>
      <a href="/data/connections">the past of {count} is still being read</a>
    </>
  );
}

export function Reported({ date, reported, asOf, partialDay, failed }: ReportedProps) {
  const { used, latest } = useGroup();
  if (!reported)
    return failed ? <span key="none">Not loaded</span> : <Unknown restaurants={used.length} partialDay={partialDay} />;
  const count = used.filter(({ guid }) => reported.has(guid)).length;
  const all = count === used.length;
  const what = all
    ? sayAll(used.length)
    : `${count} of ${used.length} restaurants have reported ${formatDate(date, 'day')}`;
  return (
    <>
      <i class={all ? 'dot' : 'dot warn'} />
      {all ? <span>{what}</span> : <a href="/data">{what}</a>}
      {date === latest && <Newer date={date} />}
      <StillReading />
      <PartialDayTag partialDay={partialDay} />
      {asOf && (
        <>
          <span aria-hidden="true">·</span>
          <span>as of {formatInstant(asOf)}</span>
        </>
      )}
    </>
  );
}
