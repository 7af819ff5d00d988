/**
 * Reads pages of records of a restaurant, also all of whole dates, and loads each as one body; counts what they bring.
 */
import { type JsonObject, type RecordPage, SourceError } from '@daypart/client/source';
import { parseInstant } from '../contract/clock.ts';
import { readBusinessDate } from '../contract/dates.ts';
import type { ConnectionStream, Stream } from '../ledger/connection.ts';
import { fromSource } from './failures.ts';
import { type Member, type RecordKind, saveStream, streamOf } from './member.ts';
import { wantNames } from './names.ts';

/** Rejected records that are shown. */
const MOST_SHOWN = 20;
/** A read with this many records, of which more than 99 % are rejected, is of a point of sale that has changed. */
const ENOUGH_RECORDS = 100;
const ONE_IN = 100;

/** What a read has brought so far. */
export interface ReadTally {
  fetched: number;
  changed: number;
  unchanged: number;
  rejected: number;
  /** Records modified before `knownUntil` that changed something. */
  missed: number;
  details: NonNullable<ConnectionStream['errorDetail']>;
  guids: Set<string>;
}

interface PagesToRead {
  /** The stream that reads. */
  stream: Stream;
  kind: RecordKind;
  pages: AsyncIterable<RecordPage>;
  /** Records that were modified before (ms, time of the point of sale) and change something count as missed. */
  knownUntil?: number;
  /** Loads the records of a page, and adds what they brought to the tally; all at once without. */
  load?: ((records: readonly JsonObject[], tally: ReadTally) => Promise<unknown>) | undefined;
}

const emptyTally = (): ReadTally => ({
  fetched: 0,
  changed: 0,
  unchanged: 0,
  rejected: 0,
  missed: 0,
  details: [],
  guids: new Set(),
});

/** Whether the business date of a record is one that this connection loads. */
function isOurs({ businessDate }: JsonObject, notBefore: number | null): boolean {
  const date = notBefore === null ? undefined : readBusinessDate(businessDate);
  return notBefore === null || date === undefined || date >= notBefore;
}

const isKnown = ({ modifiedDate }: JsonObject, until: number): boolean =>
  typeof modifiedDate === 'string' && (parseInstant(modifiedDate) ?? Number.POSITIVE_INFINITY) < until;

/** Loads records and adds what they brought to the tally; returns how many changed something. */
export async function loadRecords(
  { deps, restaurant, signal }: Member,
  kind: RecordKind,
  records: readonly JsonObject[],
  tally: ReadTally,
): Promise<number> {
  if (records.length === 0) return 0;
  const { accepted, unchanged, rejected, rejectedCount } = await deps.loadPage(
    restaurant,
    kind === 'orders' ? 'orders' : 'shifts',
    records,
    signal,
  );
  tally.changed += accepted;
  tally.unchanged += unchanged;
  tally.rejected += rejectedCount;
  for (const { guid, pointer, message } of rejected.slice(0, MOST_SHOWN - tally.details.length))
    tally.details.push({ guid, pointer, message });
  return accepted;
}

async function takePage(
  member: Member,
  { kind, knownUntil, load = (records, counts) => loadRecords(member, kind, records, counts) }: PagesToRead,
  page: RecordPage,
  tally: ReadTally,
): Promise<void> {
  const { row } = member;
  tally.fetched += page.records.length;
  for (const { guid } of page.records) if (typeof guid === 'string') tally.guids.add(guid.toLowerCase());
  const ours = page.records.filter((record) => isOurs(record, row.notBefore));
  const known = knownUntil === undefined ? [] : ours.filter((record) => isKnown(record, knownUntil));
  tally.missed += await loadRecords(member, kind, known, tally);
  await load(known.length === 0 ? ours : ours.filter((one) => !known.includes(one)), tally);
  await wantNames(member, kind, ours);
}

/**
 * The counters of a stream's row, as it was before a read, after what the read has brought; details of rejected records
 * stay until others replace them.
 */
export function countersOf(row: ConnectionStream, tally: ReadTally): Partial<ConnectionStream> {
  return {
    fetched: row.fetched + tally.fetched,
    changed: row.changed + tally.changed,
    rejected: row.rejected + tally.rejected,
    errorDetail: tally.details.length > 0 ? tally.details : row.errorDetail,
  };
}

/**
 * Reads pages to their end. `onPage` is called with each once its records are stored. Throws SourceError, LeaseLost,
 * what a load throws, and the reason of the signal.
 */
export async function readPages(
  member: Member,
  read: PagesToRead,
  onPage?: (page: RecordPage, tally: ReadTally) => Promise<void>,
): Promise<ReadTally> {
  const { deps, connection, signal } = member;
  const tally = emptyTally();
  const iterator = read.pages[Symbol.asyncIterator]();
  try {
    for (;;) {
      signal.throwIfAborted();
      const next = await member.inTurn(read.stream, () => fromSource(signal, () => iterator.next()));
      if (next.done) break;
      const { passes, warning } = next.value;
      if (passes !== undefined) deps.counts?.onPasses(passes, warning !== 'unstable');
      await takePage(member, read, next.value, tally);
      if (tally.fetched >= ENOUGH_RECORDS && (tally.fetched - tally.rejected) * ONE_IN < tally.fetched) {
        const [first] = tally.details;
        throw new SourceError('upstream_changed', `nearly no record could be read: ${first?.message}`);
      }
      await onPage?.(next.value, tally);
    }
    return tally;
  } finally {
    deps.counts?.onRecords(connection.kind, read.stream, tally);
    await iterator.return?.().catch(() => undefined);
  }
}

/**
 * Reads everything of dates of the past, or that somebody asked for, both included, in as many calls as the source
 * takes; `load` as of `readPages`. Undefined for a kind of records that the source does not have.
 */
export async function readWholeDates(
  member: Member,
  kind: RecordKind,
  from: number,
  to: number,
  load?: PagesToRead['load'],
): Promise<ReadTally | undefined> {
  const records = member.source[kind];
  if (!records) return undefined;
  const before = streamOf(member, 'backfill');
  const pages = records.dates(member.contextOf('backfill'), from, to);
  const read = { stream: 'backfill', kind, pages, load } as const;
  const tally = await readPages(member, read, () => member.serveBefore('backfill'));
  await saveStream(member, 'backfill', countersOf(before, tally));
  return tally;
}
