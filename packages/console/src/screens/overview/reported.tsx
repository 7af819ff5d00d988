/** Which restaurants have reported, and the time of the figures: it shows whether the figures are complete. */
import { useGroup } from '../../data/group.ts';
import { formatDate, formatInstant } from '../../model/dates.ts';
import type { SoFar } from '../../model/so-far.ts';
import { SoFarTag } from '../../parts/so-far.tsx';

interface ReportedProps {
  date: string;
  /** Restaurants with data on the date; undefined while that is not known. */
  reported: ReadonlySet<string> | undefined;
  asOf: string | null | undefined;
  soFar: SoFar | undefined;
  failed: boolean;
}

export function Reported({ date, reported, asOf, soFar, failed }: ReportedProps) {
  const { used } = useGroup();
  if (!reported) return <span key="none">{failed ? 'Not loaded' : 'Loading'}</span>;
  const count = used.filter(({ guid }) => reported.has(guid)).length;
  const all = count === used.length;
  const what = all
    ? `${used.length === 1 ? 'The restaurant has' : `All ${used.length} restaurants have`} reported`
    : `${count} of ${used.length} restaurants have reported ${formatDate(date, 'day')}`;
  return (
    <>
      <i class={all ? 'dot' : 'dot warn'} />
      {all ? <span>{what}</span> : <a href="/data">{what}</a>}
      <SoFarTag soFar={soFar} />
      {asOf && (
        <>
          <span aria-hidden="true">·</span>
          <span>as of {formatInstant(asOf)}</span>
        </>
      )}
    </>
  );
}
