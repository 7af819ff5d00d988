/** Export of the screen: files of its reports, a printout, or its address. */
import { spanDays } from '@daypart/client';
import { useRef, useState } from 'preact/hooks';
import { BASE } from '../data/client.ts';
import { MOST_HOUR_DAYS } from '../data/compared.ts';
import { exportedReport, rowsKept } from '../data/exported.ts';
import { useGroup } from '../data/group.ts';
import { found, latestOf, todayOf } from '../data/restaurants.ts';
import { fetchRoot } from '../data/root.ts';
import { usePlace } from '../data/router.ts';
import { type Filter, HOURS_LIMIT } from '../model/filter.ts';
import { sayPeriod } from '../model/period.ts';
import { periodsOf, readView } from '../model/view.ts';
import { Segments } from '../widgets/controls.tsx';
import { copyText } from '../widgets/copy.ts';
import { Icon } from '../widgets/icon.tsx';
import { sayFilter } from './filter.tsx';

interface Exported {
  name: string;
  /** The report behind the screen; undefined until it is known. */
  guid: string | undefined;
  /** The path of the report's family. */
  path?: `/${string}`;
  /** What a click has chosen of the figures. */
  filter?: Filter | undefined;
}

const FORMATS = [
  { label: 'Excel', format: 'xlsx' },
  { label: 'CSV', format: 'csv' },
  { label: 'Parquet', format: 'parquet' },
  { label: 'JSON', format: 'json' },
] as const;

/** Formats of the record; the others are for people: names and currencies first, dates as dates. */
export const isPlain = (format: string): boolean => format.endsWith('json');

/** Gets an address that can be used once and needs no token: the browser then saves the file to disk itself. */
async function downloadPath(guid: string, path: string, format: string, filter?: Filter): Promise<string> {
  const kind = path.slice(1).replace('/', '-');
  const layout = isPlain(format) ? 'record' : 'people';
  const answer = await fetchRoot('/session/downloads', {
    method: 'POST',
    credentials: 'same-origin',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({ guid, kind, format, layout, only: filter && rowsKept(filter) }),
  });
  if (!answer.ok) throw new Error(Object(await answer.json().catch(() => ({}))).message ?? 'The download was refused.');
  return ((await answer.json()) as { path: string }).path;
}

/** Saves a file of a report, with the rows that a filter keeps. */
export async function download(guid: string, path: string, format: string, filter?: Filter): Promise<void> {
  const link = document.createElement('a');
  link.href = await downloadPath(guid, path, format, filter);
  link.download = '';
  link.click();
}

/** The dates on the screen, those of its comparison, and the restaurants that its search has found, if it has one. */
function useShown() {
  const group = useGroup();
  const { search, path } = usePlace();
  const { view } = readView(search, {}, todayOf(group.used));
  const own = group.byGuid.get(path.split('/')[2] ?? '');
  const searched = path === '/restaurants' && view.q !== '' ? group.used.filter((one) => found(one, view.q)) : [];
  return { ...periodsOf(view, own ? latestOf(own, group) : group.latest), only: searched.map((one) => one.guid) };
}

export function ExportButton({ name, guid, path = '/metrics', filter }: Exported) {
  const dialog = useRef<HTMLDialogElement>(null);
  const [message, setMessage] = useState('');
  const [chosen, choose] = useState('now');
  const { period, comparison, only } = useShown();
  const dates = chosen === 'now' ? period : (comparison ?? period);
  const choices = [period, ...(comparison ? [comparison] : [])].map((one, at) => ({
    value: at === 0 ? 'now' : 'then',
    label: sayPeriod(one),
  }));
  const copy = async (text: string): Promise<void> =>
    setMessage((await copyText(text)) ? 'Copied' : 'The browser does not allow copying here');
  /** Makes the report of the chosen dates and of the restaurants on the screen. */
  const make = (of: string, use: (made: string) => Promise<void>): void => {
    if (filter?.hours && spanDays(dates) > MOST_HOUR_DAYS) {
      setMessage(`Choose a shorter period: ${HOURS_LIMIT}.`);
      return;
    }
    setMessage('The report is being made …');
    exportedReport(of, path, { dates, only, filter })
      .then(async (made) => {
        setMessage('');
        await use(made);
      })
      .catch((error) => setMessage(error.message));
  };
  return (
    <>
      <button
        type="button"
        class="button export"
        aria-label="Export"
        data-key="e"
        onClick={() => dialog.current?.showModal()}
      >
        <Icon name="export" /> <span class="label">Export</span>
      </button>
      <dialog ref={dialog} aria-labelledby="export-head" onClose={() => setMessage('')}>
        <h2 id="export-head">Export</h2>
        <div class="stack">
          {guid && (
            <div class="stack">
              <p>
                {name}
                {filter && `: only ${sayFilter(filter)}`}
              </p>
              <Segments label="Dates" options={choices} value={chosen} onChange={choose} />
              <div class="row">
                {FORMATS.map(({ label, format }) => (
                  <button
                    key={label}
                    type="button"
                    class={format === 'xlsx' ? 'button small primary' : 'button small'}
                    onClick={() => make(guid, (made) => download(made, path, format, filter))}
                  >
                    {label}
                  </button>
                ))}
                {!filter && (
                  <button
                    type="button"
                    class="button small quiet"
                    onClick={() =>
                      make(guid, (made) =>
                        copy(
                          `curl -OJ -H "Authorization: Bearer $TOKEN" "${location.origin}${BASE}${path}/${made}?format=xlsx"`,
                        ),
                      )
                    }
                  >
                    Copy as curl
                  </button>
                )}
              </div>
            </div>
          )}
          <div class="row">
            <button
              type="button"
              class="button small"
              onClick={() => {
                dialog.current?.close();
                print();
              }}
            >
              Print
            </button>
            <button type="button" class="button small" onClick={() => void copy(location.href)}>
              Copy address
            </button>
          </div>
          <p class="note" role="status">
            {message}
          </p>
          <form method="dialog" class="row">
            <button type="submit" class="button">
              Close
            </button>
          </form>
        </div>
      </dialog>
    </>
  );
}
