/** What is due of restaurants, and what of it is next. */
import { STREAMS, type Stream } from '../ledger/connection.ts';
import { type AnyMember, streamOf } from './member.ts';

const RANKS = new Map(STREAMS.map((stream, rank) => [stream, rank]));
/** Lower numbers are more urgent. */
export const rankOf = (stream: Stream): number => RANKS.get(stream) ?? STREAMS.length;

/**
 * The streams of a restaurant: those that the source has; of a lost one only the settings, which show that it is back.
 */
function streamsOf({ kinds, row }: AnyMember): readonly Stream[] {
  if (row.state === 'left') return [];
  return row.state === 'lost' ? ['settings'] : kinds;
}

/** The most urgent stream of a restaurant that is due. Nothing is read before the settings are known. */
export function nextDue(member: AnyMember): Stream | undefined {
  const now = member.deps.clock();
  const due = streamsOf(member).find((stream) => streamOf(member, stream).nextAt <= now);
  const isKnown = streamOf(member, 'settings').lastOkAt !== null;
  return due === 'settings' || isKnown ? due : undefined;
}

/** A stream of a restaurant that is due. */
export interface Due {
  member: AnyMember;
  rank: number;
  /** Since when it waits (ms since 1970 UTC): since it is due, or since a part of it was read. */
  since: number;
  stream: Stream;
}

/** What is due of the restaurants that are not being read: the most urgent, and among equals what waits longest. */
export function mostUrgent(members: readonly AnyMember[], busy: ReadonlyMap<AnyMember, unknown>): Due | undefined {
  let first: Due | undefined;
  for (const member of members) {
    const stream = busy.has(member) ? undefined : nextDue(member);
    if (stream === undefined) continue;
    const { nextAt, lastAt } = streamOf(member, stream);
    const due = { member, rank: rankOf(stream), since: Math.max(nextAt, lastAt ?? 0), stream };
    if (!first || due.rank < first.rank || (due.rank === first.rank && due.since < first.since)) first = due;
  }
  return first;
}

/** When the first stream is due that can be read; undefined if none is left. */
export function nextOf(members: readonly AnyMember[]): number | undefined {
  const times = members.flatMap((member) => {
    const isKnown = streamOf(member, 'settings').lastOkAt !== null;
    const streams = isKnown ? streamsOf(member) : streamsOf(member).slice(0, 1);
    return streams.map((stream) => streamOf(member, stream).nextAt);
  });
  return times.length === 0 ? undefined : Math.min(...times);
}
