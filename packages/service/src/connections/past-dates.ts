/** Reads dates of a restaurant as a whole: of its past, and those that somebody asked for. */
import { type Member, type RecordKind, saveStream, streamOf } from './member.ts';
import { countersOf, type PagesToRead, type ReadTally, readPages } from './record-pages.ts';

/**
 * Reads everything of dates, both included, in as many calls as the source takes; `load` as of `readPages`. Undefined
 * for a kind of records that the source does not have.
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
