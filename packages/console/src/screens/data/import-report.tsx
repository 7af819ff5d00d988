/** What an import loaded, and which parts of its files it skipped, by file and line. */
import type { ImportFile, ImportLine, ImportReport } from '@daypart/client';
import { formatCount } from '../../model/money.ts';

/** The number of lines of a file that are listed. */
const LINES_SHOWN = 20;

export function sumOfImport({ days }: ImportReport): { orders: number; timeEntries: number; unchanged: number } {
  return {
    // Imports of earlier versions are listed without it.
    unchanged: days.reduce((sum, { unchanged = 0 }) => sum + unchanged, 0),
    orders: days.reduce((sum, { orders }) => sum + orders, 0),
    timeEntries: days.reduce((sum, { timeEntries }) => sum + timeEntries, 0),
  };
}

interface LinesProps {
  file: string;
  lines: ImportLine[];
  /** How many there are, listed or not. */
  all: number | undefined;
  what: string;
}

function Lines({ file, lines, all = lines.length, what }: LinesProps) {
  if (lines.length === 0) return null;
  return (
    <li>
      {file}: {formatCount(all)} {what}
      <ul>
        {lines.slice(0, LINES_SHOWN).map(({ line, message }) => (
          <li key={`${line} ${message}`}>{line === null ? message : `line ${line}: ${message}`}</li>
        ))}
        {all > LINES_SHOWN && <li>and {formatCount(all - LINES_SHOWN)} more</li>}
      </ul>
    </li>
  );
}

const counted = (count: number, one: string, many: string): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`;

const isWhole = ({ state, skipped, notRead }: ImportFile): boolean =>
  state !== 'not read' && skipped.length === 0 && notRead.length === 0;

/** Counts, followed by the rows that were not loaded; open if something is wrong. */
export function FilesOfImport({ report }: { report: ImportReport }) {
  const { orders, timeEntries, unchanged } = sumOfImport(report);
  const problem = report.days.find((day) => day.problem !== null)?.problem;
  const files = report.days.flatMap((day) => day.files);
  const same = unchanged > 0 ? `, ${formatCount(unchanged)} of them unchanged` : '';
  const counts = `${counted(orders, 'order', 'orders')}, ${counted(timeEntries, 'time entry', 'time entries')}${same}`;
  const missing = files.flatMap(({ file, state }) => (state === 'missing' ? [file] : []));
  const notices = report.days.flatMap((day) => day.notices);
  if (!problem && missing.length === 0 && notices.length === 0 && files.every(isWhole)) return <span>{counts}</span>;
  return (
    <details open={!report.complete}>
      <summary class={report.complete ? '' : 'unusual'}>
        {counts}
        {!report.complete && `; ${problem ?? 'not every row was read'}`}
      </summary>
      <ul class="lines">
        {missing.length > 0 && <li>Missing: {missing.join(', ')}</li>}
        {notices.map(({ message, orders, timeEntries = 0 }) => (
          <li key={message}>
            {message}: {counted(orders, 'order', 'orders')}
            {timeEntries > 0 && `, ${counted(timeEntries, 'time entry', 'time entries')}`}
          </li>
        ))}
        {files.map(({ file, notRead, notReadCount }) => (
          <Lines key={`${file} not read`} file={file} lines={notRead} all={notReadCount} what="not read" />
        ))}
        {files.map(({ file, skipped, skippedCount }) => (
          <Lines key={`${file} skipped`} file={file} lines={skipped} all={skippedCount} what="left out" />
        ))}
      </ul>
    </details>
  );
}
