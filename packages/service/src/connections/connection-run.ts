/** One run of a connection: what is due of its restaurants for a minute, the most urgent stream first. */

import { isSourceError, type SourceContext, type SourceError } from '@daypart/client/source';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../contract/time.ts';
import type { ConnectedRestaurant, Connection, Stream } from '../ledger/connection.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import { readPast } from './backfill.ts';
import { stretchOf } from './call-limits.ts';
import { checkDates } from './check.ts';
import { SecretUnreadable } from './credentials.ts';
import { readFolderStream } from './days.ts';
import { type Due, mostUrgent, nextDue, nextOf, rankOf } from './due.ts';
import { failureOf, fromSource, isRefusal } from './failures.ts';
import { streamsOfSource } from './folder-source.ts';
import { readLive } from './live.ts';
import {
  type AnyMember,
  type FolderMember,
  LeaseLost,
  type Member,
  type RunDeps,
  refreshState,
  saveConnection,
  saveStream,
  setWarning,
  streamOf,
} from './member.ts';
import { readNames } from './names.ts';
import type { OpenConnection, OpenFolders, OpenSource } from './open-source.ts';
import { readMenus, readRestaurantSettings, suspectLoss } from './restaurant-settings.ts';
import { createRankedTurns, type RankedTurns } from './turns.ts';

/**
 * After so long a run begins nothing more, and the connection goes to the end of the queue: however many restaurants
 * some have, and however long their past is, others are read.
 */
const SLICE_MS = MINUTE_MS;
/** Restaurants of a connection that are read at once. */
const MOST_AT_ONCE = 4;
/** Restaurants of a connection of which a stream is begun: while one may not be asked again yet, others are. */
const MOST_BEGUN = 10;

const STREAM_READERS: Record<Stream, (member: Member) => Promise<void>> = {
  settings: readRestaurantSettings,
  orders: (member) => readLive(member, 'orders'),
  timeEntries: (member) => readLive(member, 'timeEntries'),
  names: readNames,
  check: checkDates,
  menus: readMenus,
  backfill: readPast,
};

/** Reads one stream, and saves why it could not be read. Throws what ends the whole run. */
async function serve(member: AnyMember, stream: Stream): Promise<void> {
  const { deps, signal } = member;
  try {
    await member.read(stream);
  } catch (error) {
    if (signal.aborted || error instanceof LeaseLost) throw error;
    if (isSourceError(error) && isRefusal(error.code) && error.retryAt === undefined) throw error;
    const now = deps.clock();
    const failure = failureOf(error, streamOf(member, stream), now);
    const about = { connectionId: member.connection.id, restaurantGuid: member.row.restaurantGuid, stream };
    if (failure.error === 'internal_error') deps.log.error({ err: error, ...about }, 'a stream could not be read');
    else deps.log.debug({ err: error, ...about }, 'a stream could not be read');
    await saveStream(member, stream, Object.assign({ lastAt: now }, failure));
    await suspectLoss(member, error);
  }
  await refreshState(member);
}

interface ConnectionRun {
  deps: RunDeps;
  connection: Connection;
  open: OpenSource | OpenFolders;
  signal: AbortSignal;
  turns: RankedTurns;
}

/** What is the same for all kinds of restaurants. */
const baseOf = (
  { deps, connection, signal, turns, open }: ConnectionRun,
  row: ConnectedRestaurant,
  restaurant: Restaurant,
) => ({
  deps,
  connection,
  signal,
  row,
  restaurant,
  kinds: streamsOfSource(open.source),
  inTurn: <T>(stream: Stream, work: () => Promise<T>) => turns(rankOf(stream), signal, work),
});

interface MemberRows {
  row: ConnectedRestaurant;
  restaurant: Restaurant;
  streams: AnyMember['streams'];
}

function openMember(
  run: ConnectionRun,
  open: OpenSource,
  { row, restaurant, streams }: MemberRows,
  stretch: number,
): Member {
  const { upstreamId, restaurantGuid } = row;
  const contextOf = (stream: Stream): SourceContext => {
    const { timeZone, closeoutHour } = member.restaurant;
    const of = { upstreamId, timeZone, closeoutHour };
    return open.context({ restaurant: of, restaurantGuid, stream, priority: rankOf(stream), signal: run.signal });
  };
  const member: Member = Object.assign(baseOf(run, row, restaurant), {
    source: open.source,
    stretch,
    streams,
    contextOf,
    now: () => contextOf('settings').now(),
    read: (stream: Stream) => STREAM_READERS[stream](member),
    async serveBefore(stream: Stream) {
      for (let next = nextDue(member); next && rankOf(next) < rankOf(stream); next = nextDue(member))
        await serve(member, next);
    },
  });
  return member;
}

function openFolderMember(
  run: ConnectionRun,
  open: OpenFolders,
  { row, restaurant, streams }: MemberRows,
): FolderMember {
  const member: FolderMember = Object.assign(baseOf(run, row, restaurant), {
    source: open.source,
    context: open.folderContext(run.signal),
    streams,
    now: run.deps.clock,
    read: (stream: Stream) => readFolderStream(member, stream),
  });
  return member;
}

async function openMembers(run: ConnectionRun): Promise<AnyMember[]> {
  const { ledger } = run.deps;
  const [rows, streams] = await Promise.all([
    ledger.connectedRestaurants(run.connection.id),
    ledger.connectionStreams(run.connection.id),
  ]);
  const byMember = Map.groupBy(streams, ({ upstreamId }) => upstreamId);
  const { open } = run;
  const { pollSeconds, requestsPerSecond: perSecond } = run.connection.settings;
  const used = rows.filter(({ state }) => state !== 'left');
  const guids = used.map(({ restaurantGuid }) => restaurantGuid);
  const stored = new Map((await ledger.restaurantsOf(run.connection.group, guids)).map((one) => [one.guid, one]));
  const restaurants = used.length;
  const stretch = 'context' in open ? stretchOf(open.source, { restaurants, pollSeconds, perSecond }) : 1;
  return used.flatMap((row) => {
    const restaurant = stored.get(row.restaurantGuid);
    if (!restaurant) return [];
    const streams = new Map((byMember.get(row.upstreamId) ?? []).map((one) => [one.stream, one]));
    const of = { row, restaurant, streams };
    return 'folderContext' in open ? openFolderMember(run, open, of) : openMember(run, open, of, stretch);
  });
}

/** Whether refused credentials are accepted again: they are tried with the list of restaurants. */
async function tryAgain({ connection, open, signal }: ConnectionRun): Promise<void> {
  if (connection.state !== 'refused') return;
  if ('folderContext' in open) {
    await fromSource(signal, () => open.source.folders(open.folderContext(signal)));
    return;
  }
  const first = connection.settings.first ?? undefined;
  const context = open.context({ restaurant: null, stream: 'settings', priority: 0, signal });
  await fromSource(signal, () => open.source.restaurants(context, first));
}

/** Until when the whole connection waits for a limit; null if any restaurant is read meanwhile. */
function throttledUntil(members: readonly AnyMember[]): number | null {
  const orders = members.map((member) =>
    streamOf(member, streamOf(member, 'settings').lastOkAt ? 'orders' : 'settings'),
  );
  if (orders.length === 0 || orders.some(({ error }) => error !== 'throttled')) return null;
  return Math.min(...orders.map(({ nextAt }) => nextAt));
}

/**
 * Reads what is due and what becomes due, until nothing is or there is no time. The first error that is of the whole
 * connection ends all of it.
 */
async function serveDue(
  members: readonly AnyMember[],
  { signal, end, hasTime }: { signal: AbortSignal; end: AbortController; hasTime(): boolean },
): Promise<void> {
  const busy = new Map<AnyMember, Promise<void>>();
  const begin = ({ member, stream }: Due): void => {
    const work = serve(member, stream)
      .catch((error: unknown) => end.abort(error))
      .finally(() => busy.delete(member));
    busy.set(member, work);
  };
  for (;;) {
    while (busy.size < MOST_BEGUN && hasTime() && !signal.aborted) {
      const due = mostUrgent(members, busy);
      if (!due) break;
      begin(due);
    }
    if (busy.size === 0) break;
    await Promise.race(busy.values());
  }
  end.signal.throwIfAborted();
}

/**
 * Reads what is due of a connection for at most a minute and what was begun in it; returns when it is due again (ms),
 * undefined if no restaurant is left. Throws LeaseLost, the reason of the signal, and what the ledger throws.
 */
export async function runConnection(
  deps: RunDeps,
  connection: Connection,
  openConnection: OpenConnection,
  signal: AbortSignal,
): Promise<number | undefined> {
  const end = new AbortController();
  const both = AbortSignal.any([signal, end.signal]);
  let open: OpenSource | OpenFolders | undefined;
  try {
    open = await openConnection(connection, signal);
    const until = deps.clock() + SLICE_MS;
    const hasTime = (): boolean => deps.clock() < until;
    const run = { deps, connection, open, signal: both, turns: createRankedTurns(MOST_AT_ONCE) };
    await tryAgain(run);
    await saveConnection(deps, connection, { state: 'active', reason: null });
    const members = await openMembers(run);
    await serveDue(members, { signal: both, end, hasTime });
    signal.throwIfAborted();
    for (const member of members) {
      await refreshState(member);
      await setWarning(member, 'clock', open.isClockWrong);
    }
    await saveConnection(deps, connection, { throttledUntil: throttledUntil(members) });
    const nextAt = nextOf(members);
    return nextAt === undefined || hasTime() ? nextAt : Math.max(nextAt, deps.clock());
  } catch (error) {
    if (error instanceof SecretUnreadable && !signal.aborted) {
      deps.log.warn({ connectionId: connection.id, err: error }, 'the credentials of a connection cannot be decrypted');
      await saveConnection(deps, connection, { state: 'paused', reason: 'credentials_unreadable' });
      return undefined;
    }
    if (signal.aborted || !isSourceError(error)) throw error;
    return await saveFailed(deps, connection, error);
  } finally {
    end.abort();
    open?.release();
  }
}

/** Saves that a connection cannot be read at all: refused credentials are tried after an hour, then daily. */
async function saveFailed(deps: RunDeps, connection: Connection, error: SourceError): Promise<number> {
  const now = deps.clock();
  if (!isRefusal(error.code) || error.retryAt !== undefined) {
    await saveConnection(deps, connection, { throttledUntil: error.retryAt ?? null });
    return error.retryAt ?? now + HOUR_MS;
  }
  const isFirst = connection.state !== 'refused';
  if (isFirst)
    deps.log.warn({ connectionId: connection.id }, 'the point of sale refuses the credentials of a connection');
  await saveConnection(deps, connection, { state: 'refused', reason: error.code, throttledUntil: null });
  return now + (isFirst ? HOUR_MS : DAY_MS);
}
