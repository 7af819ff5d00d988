/** Who has reported, and as of when: whether the figures below are everything. */
import { useGroup } from '../../data/group.ts';
import { formatDate, formatInstant } from '../../model/dates.ts';
import type { Row } from '../../model/figures.ts';

export function Reported({
  date,
  rows,
  asOf,
}: {
  date: string;
  rows: Row[] | undefined;
  asOf: string | null | undefined;
}) {
  const { used } = useGroup();
  if (!rows) return <span>Loading</span>;
  const reported = new Set(
    rows.filter(({ businessDate }) => businessDate === date).map(({ restaurantGuid }) => restaurantGuid),
  );
  const count = used.filter(({ guid }) => reported.has(guid)).length;
  const all = count === used.length;
  const what = all
    ? `${used.length === 1 ? 'The restaurant has' : `All ${used.length} restaurants have`} reported`
    : `${count} of ${used.length} restaurants have reported ${formatDate(date, 'day')}`;
  return (
    <>
      <i class={all ? 'dot' : 'dot warn'} />
      {all ? <span>{what}</span> : <a href="/data">{what}</a>}
      {asOf && (
        <>
          <span aria-hidden="true">·</span>
          <span>as of {formatInstant(asOf)}</span>
        </>
      )}
    </>
  );
}
