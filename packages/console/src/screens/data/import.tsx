/** Import of nightly exports: drop a folder, see its content, send it date by date. */
import type { ImportReport } from '@daypart/client';
import { useEffect, useRef, useState } from 'preact/hooks';
import { chosenFiles, droppedFiles } from '../../data/drop.ts';
import { useGroup } from '../../data/group.ts';
import { loadGroup } from '../../data/group-load.ts';
import { type Refusal, sendDay } from '../../data/imports.ts';
import { may } from '../../data/session.ts';
import { NeedsScope, Screen } from '../../features/screen.tsx';
import { ErrorState } from '../../features/state.tsx';
import { formatDate } from '../../model/dates.ts';
import { type Dropped, type ExportDay, type FoundExports, findDays } from '../../model/exports.ts';
import { formatBytes, formatCount } from '../../model/money.ts';
import { Card } from '../../widgets/card.tsx';
import { FilesOfImport } from './import-report.tsx';

type FoundDays = FoundExports<File>;
type Outcome =
  | { state: 'sending' }
  /** `force`: the refusals in spite of which it was loaded. */
  | { state: 'done'; report: ImportReport; force: readonly Refusal[] }
  | { state: 'failed'; error: unknown };

export function Import() {
  const [found, setFound] = useState<FoundDays>();
  const take = (files: Dropped<File>[]): void => setFound(findDays(files));
  return (
    <Screen title="Import" crumb={{ name: 'Data', href: '/data' }}>
      {may('ingest:write') ? (
        <div class="cards">
          <Card title="Folder" aside="a nightly export, or a folder with several" width={5}>
            <DropZone onFiles={take} />
          </Card>
          <Card title="What is in it" width={7}>
            {found === undefined && (
              <p class="state none">
                The dates and files of the folder are listed here first. Nothing is sent until you start the import.
              </p>
            )}
            {found?.days.length === 0 && (
              <p class="state">
                <b>No export found.</b> The files of a date are in a folder named by it, such as 20260310.
              </p>
            )}
            {found && <Strays folders={found.strays} />}
            {found && found.days.length > 0 && <SendForm {...found} />}
          </Card>
        </div>
      ) : (
        <NeedsScope scope="ingest:write" />
      )}
    </Screen>
  );
}

/** Sends date by date, and shows the result of each. */
function useSending(days: ExportDay<File>[]) {
  const [outcomes, setOutcomes] = useState<ReadonlyMap<string, Outcome>>(new Map());
  const [busy, setBusy] = useState(false);
  useEffect(() => setOutcomes(new Map()), [days]);
  const send = async (restaurant: string, some = days, force: readonly Refusal[] = []): Promise<void> => {
    setBusy(true);
    const note = (date: string, outcome: Outcome): void => setOutcomes((before) => new Map(before).set(date, outcome));
    for (const day of some) {
      note(day.date, { state: 'sending' });
      try {
        const report = await sendDay(restaurant, day, force, new AbortController().signal);
        note(day.date, { state: 'done', report, force });
      } catch (error) {
        note(day.date, { state: 'failed', error });
      }
    }
    setBusy(false);
    void loadGroup();
  };
  return { outcomes, busy, send };
}

function SendForm({ days, twice }: FoundDays) {
  const { used } = useGroup();
  const [restaurant, setRestaurant] = useState('');
  const { outcomes, busy, send } = useSending(days);
  return (
    <form
      class="stack"
      onSubmit={(event) => {
        event.preventDefault();
        void send(restaurant);
      }}
    >
      <label class="field">
        <span>Restaurant</span>
        <select required value={restaurant} onChange={(event) => setRestaurant(event.currentTarget.value)}>
          <option value="">Choose a restaurant</option>
          {used.map(({ guid, name }) => (
            <option key={guid} value={guid}>
              {name}
            </option>
          ))}
        </select>
        <small>An export has a folder for each location: import one at a time</small>
      </label>
      {twice.length > 0 && (
        <p class="notice warn" role="alert">
          Two folders of {twice.map((date) => formatDate(date, 'day')).join(', ')}: they are of two locations. Choose
          one of them.
        </p>
      )}
      <Days
        days={days}
        outcomes={outcomes}
        force={busy ? undefined : (day, refusals) => void send(restaurant, [day], refusals)}
      />
      <div class="row">
        <button type="submit" class="button primary" disabled={busy || twice.length > 0 || restaurant === ''}>
          {busy ? 'Sending' : `Send ${days.length === 1 ? '1 date' : `${formatCount(days.length)} dates`}`}
        </button>
      </div>
    </form>
  );
}

/** An attribute for folders, which the types of inputs lack. */
const OF_FOLDERS: object = { webkitdirectory: true };

/** The drop area. A button does the same for the keyboard. */
function DropZone({ onFiles }: { onFiles: (files: Dropped<File>[]) => void }) {
  const [over, setOver] = useState(false);
  const input = useRef<HTMLInputElement>(null);
  return (
    // biome-ignore lint/a11y/noStaticElementInteractions: the button inside does the same
    <div
      class={over ? 'drop over' : 'drop'}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => {
        event.preventDefault();
        setOver(false);
        void droppedFiles(event).then(onFiles);
      }}
    >
      <p>Drop a folder here</p>
      <button type="button" class="button" onClick={() => input.current?.click()}>
        Choose a folder
      </button>
      <input
        ref={input}
        type="file"
        class="hidden"
        tabIndex={-1}
        aria-label="Folder with exports"
        multiple
        {...OF_FOLDERS}
        onChange={(event) => onFiles(chosenFiles(event.currentTarget.files))}
      />
    </div>
  );
}

function Strays({ folders }: { folders: readonly string[] }) {
  if (folders.length === 0) return null;
  return (
    <p class="notice warn" role="alert">
      Not sent, because the names of these folders are not dates such as 20260310: {folders.join(', ')}. Name each by
      the business date of its files.
    </p>
  );
}

interface DaysProps {
  days: ExportDay<File>[];
  outcomes: ReadonlyMap<string, Outcome>;
  /** Sends a date again, to be loaded in spite of these refusals; undefined while dates are sent. */
  force: ((day: ExportDay<File>, refusals: readonly Refusal[]) => void) | undefined;
}

function Days({ days, outcomes, force }: DaysProps) {
  return (
    // biome-ignore lint/a11y/noNoninteractiveTabindex: it scrolls
    <section class="scrolls tall" aria-label="Table of dates" tabIndex={0}>
      <table class="plain">
        <thead>
          <tr>
            <th scope="col">Business date</th>
            <th scope="col">Files</th>
            <th scope="col">Size</th>
            <th scope="col">Result</th>
          </tr>
        </thead>
        <tbody>
          {days.map((day) => {
            const { date, files, missing, bytes } = day;
            return (
              <tr key={date}>
                <th scope="row">
                  {formatDate(date, 'full')}
                  {missing.length > 0 && (
                    <small class="faint"> without {missing.map((name) => name.replace('.csv', '')).join(', ')}</small>
                  )}
                </th>
                <td>{files.length}</td>
                <td>{formatBytes(bytes)}</td>
                <td>
                  <Result outcome={outcomes.get(date)} force={force && ((refusals) => force(day, refusals))} />
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </section>
  );
}

interface ResultProps {
  outcome: Outcome | undefined;
  force: ((refusals: readonly Refusal[]) => void) | undefined;
}

function Result({ outcome, force }: ResultProps) {
  if (!outcome) return <span class="faint">–</span>;
  if (outcome.state === 'sending') return <span role="status">Sending</span>;
  if (outcome.state === 'failed') return <ErrorState error={outcome.error} />;
  const refusal = outcome.report.days.find((day) => day.refusal)?.refusal;
  return (
    <>
      <FilesOfImport report={outcome.report} />
      {refusal && (
        <button
          type="button"
          class="button small"
          disabled={!force}
          onClick={() => force?.([...outcome.force, refusal])}
        >
          Load it all the same
        </button>
      )}
    </>
  );
}
