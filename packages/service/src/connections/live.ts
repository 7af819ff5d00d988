/** The live streams of a restaurant: what changed since they were read last. */

import type { Cursor } from '@daypart/client/source';
import { MINUTE_MS } from '../contract/time.ts';
import { type Member, type RecordKind, saveRead, saveStream, setWarning, streamOf } from './member.ts';
import { countersOf, readPages } from './record-pages.ts';

/** What the cursor of a live stream holds. */
interface LiveCursor {
  /** That of the source. */
  at: Cursor;
  /** Reads in a row that changed nothing. */
  quiet: number;
}

/** Quiet reads after which a stream is read half as often with each further one, down to every 10 minutes. */
const QUIET_READS = 6;
const SLOWEST_SECONDS = 600;

/** Milliseconds until the next read. */
function pollMs(seconds: number, quiet: number): number {
  const slowed = seconds * 2 ** Math.min(20, Math.max(0, quiet - QUIET_READS + 1));
  return Math.round(Math.min(slowed, Math.max(seconds, SLOWEST_SECONDS)) * 1000);
}

/**
 * Reads everything that changed. The cursor is kept after the records of a page are stored, so a crash repeats a page
 * at worst, which changes nothing. Throws SourceError, LeaseLost, and what a load throws.
 */
export async function readLive(member: Member, kind: RecordKind): Promise<void> {
  const { deps, source, connection } = member;
  const records = source[kind];
  if (!records) return;
  const before = streamOf(member, kind);
  const kept = before.cursor as LiveCursor | null;
  const quiet = kept?.quiet ?? 0;
  let at = kept?.at ?? records.begin(member.now());
  // Before the past is read, so that nothing changes unseen in between.
  if (!kept) await saveStream(member, kind, { cursor: { at, quiet } });
  let [isUnstable, isSaved] = [false, true];
  const pages = records.changed(member.contextOf(kind), at);
  const tally = await readPages(member, { stream: kind, kind, pages }, async (page, partial) => {
    isUnstable ||= page.warning === 'unstable';
    // With the next page: most reads have one, whose cursor is saved at the end.
    if (!isSaved) {
      const read = { cursor: { at, quiet }, readUntil: records.readUntil(at), lastAt: deps.clock() };
      await saveStream(member, kind, Object.assign(read, countersOf(before, partial)));
    }
    isSaved = page.cursor === undefined;
    at = page.cursor ?? at;
  });
  if (kind === 'orders') await setWarning(member, 'unstable', isUnstable);
  const quietNow = tally.changed > 0 ? 0 : quiet + 1;
  const seconds = kind === 'orders' ? connection.settings.pollSeconds : records.everySeconds;
  const nextAt =
    deps.clock() + (isUnstable ? MINUTE_MS : pollMs(seconds * member.stretch, kind === 'orders' ? quietNow : 0));
  const read = { cursor: { at, quiet: quietNow }, readUntil: records.readUntil(at) };
  await saveRead(member, kind, nextAt, Object.assign(read, countersOf(before, tally)));
}
