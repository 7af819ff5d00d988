/** One run of a connection: everything that is due of its restaurants, the most urgent stream first. */

import { DAY_MS, HOUR_MS } from '../contract/time.ts';
import type { ConnectedRestaurant, Connection, Stream } from '../ledger/connection.ts';
import { STREAMS } from '../ledger/connection.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import { readPast } from './backfill.ts';
import { checkDates } from './check.ts';
import { SecretUnreadable } from './credentials.ts';
import { failureOf, fromSource } from './failures.ts';
import { readLive } from './live.ts';
import {
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
import { readMenus, readRestaurantSettings, suspectLoss } from './restaurant-settings.ts';
import { type ConnectionSource, type SourceContext, SourceError, type SourceRestaurant } from './source.ts';
import { createRankedTurns, type RankedTurns } from './turns.ts';

/** The source of a connection, with its credentials, limits and session. */
export interface OpenSource {
  source: ConnectionSource;
  /** What the source may use for a restaurant, or for the connection itself; calls of a lower priority come first. */
  context(of: {
    restaurant: SourceRestaurant | null;
    restaurantGuid?: string;
    stream: string;
    priority: number;
    signal: AbortSignal;
  }): SourceContext;
  /** Whether the clock of the point of sale differs from ours by more than ten minutes. */
  readonly isClockWrong: boolean;
  /** The run is over; the connection may be opened again. */
  release(): void;
}

/**
 * Opens the source of a connection; the signal is aborted when another node, or nobody, is to read it. Throws
 * SourceError for an unknown kind, and SecretUnreadable.
 */
export type OpenConnection = (connection: Connection, signal: AbortSignal) => Promise<OpenSource>;

/** Restaurants of a connection that are read at once. */
const MOST_AT_ONCE = 4;

const READERS: Record<Stream, (member: Member) => Promise<void>> = {
  settings: readRestaurantSettings,
  orders: (member) => readLive(member, 'orders'),
  timeEntries: (member) => readLive(member, 'timeEntries'),
  names: readNames,
  check: checkDates,
  menus: readMenus,
  backfill: readPast,
};

/**
 * The streams of a restaurant: those that the source has; of a lost one only the settings, which show that it is back.
 */
function streamsOf({ source, row }: Member): readonly Stream[] {
  if (row.state === 'left') return [];
  if (row.state === 'lost') return ['settings'];
  const absent: Partial<Record<Stream, boolean>> = {
    timeEntries: !source.timeEntries,
    names: !source.names,
    menus: !source.menus,
  };
  return STREAMS.filter((stream) => !absent[stream]);
}

/** The most urgent stream that is due. Nothing is read before the settings are known. */
function nextDue(member: Member): Stream | undefined {
  const now = member.deps.clock();
  const due = streamsOf(member).find((stream) => streamOf(member, stream).nextAt <= now);
  const isKnown = streamOf(member, 'settings').lastOkAt !== null;
  return due === 'settings' || isKnown ? due : undefined;
}

/** Reads one stream, and saves why it could not be read. Throws what ends the whole run. */
async function serve(member: Member, stream: Stream): Promise<void> {
  const { deps, signal } = member;
  try {
    await READERS[stream](member);
  } catch (error) {
    if (signal.aborted || error instanceof LeaseLost) throw error;
    if (error instanceof SourceError && error.code === 'credentials_refused' && error.retryAt === undefined)
      throw error;
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

/** What is due of a restaurant, until nothing is. */
async function serveMember(member: Member): Promise<void> {
  for (let stream = nextDue(member); stream !== undefined; stream = nextDue(member)) {
    member.signal.throwIfAborted();
    await serve(member, stream);
  }
  await refreshState(member);
}

const RANKS = new Map(STREAMS.map((stream, rank) => [stream, rank]));
const rankOf = (stream: Stream): number => RANKS.get(stream) ?? STREAMS.length;

interface Run {
  deps: RunDeps;
  connection: Connection;
  open: OpenSource;
  signal: AbortSignal;
  turns: RankedTurns;
}

function openMember(run: Run, row: ConnectedRestaurant, restaurant: Restaurant, streams: Member['streams']): Member {
  const { deps, connection, open, signal, turns } = run;
  const { upstreamId, restaurantGuid } = row;
  const contextOf = (stream: Stream): SourceContext => {
    const { timeZone, closeoutHour } = member.restaurant;
    const of = { upstreamId, timeZone, closeoutHour };
    return open.context({ restaurant: of, restaurantGuid, stream, priority: rankOf(stream), signal });
  };
  const member: Member = {
    deps,
    connection,
    source: open.source,
    contextOf,
    now: () => contextOf('settings').now(),
    signal,
    row,
    restaurant,
    streams,
    inTurn: (stream, work) => turns(rankOf(stream), signal, work),
    async serveBefore(stream) {
      for (let next = nextDue(member); next && rankOf(next) < rankOf(stream); next = nextDue(member))
        await serve(member, next);
    },
  };
  return member;
}

async function openMembers(run: Run): Promise<Member[]> {
  const { ledger } = run.deps;
  const [rows, streams] = await Promise.all([
    ledger.connectedRestaurants(run.connection.id),
    ledger.connectionStreams(run.connection.id),
  ]);
  const byMember = Map.groupBy(streams, ({ upstreamId }) => upstreamId);
  const members: Member[] = [];
  for (const row of rows) {
    const restaurant = row.state === 'left' ? undefined : await ledger.restaurant(row.restaurantGuid);
    const of = new Map((byMember.get(row.upstreamId) ?? []).map((one) => [one.stream, one]));
    if (restaurant) members.push(openMember(run, row, restaurant, of));
  }
  return members;
}

/** Whether refused credentials are accepted again: they are tried with the list of restaurants. */
async function tryAgain({ connection, open, signal }: Run): Promise<void> {
  if (connection.state !== 'refused') return;
  const first = connection.settings.first ?? undefined;
  const context = open.context({ restaurant: null, stream: 'settings', priority: 0, signal });
  await fromSource(signal, () => open.source.restaurants(context, first));
}

/** When the first stream is due that can be read; undefined if none is left. */
function nextOf(members: readonly Member[]): number | undefined {
  const times = members.flatMap((member) => {
    const isKnown = streamOf(member, 'settings').lastOkAt !== null;
    const streams = isKnown ? streamsOf(member) : streamsOf(member).slice(0, 1);
    return streams.map((stream) => streamOf(member, stream).nextAt);
  });
  return times.length === 0 ? undefined : Math.min(...times);
}

/** Until when the whole connection waits for a limit; null if any restaurant is read meanwhile. */
function throttledUntil(members: readonly Member[]): number | null {
  const orders = members.map((member) =>
    streamOf(member, streamOf(member, 'settings').lastOkAt ? 'orders' : 'settings'),
  );
  if (orders.length === 0 || orders.some(({ error }) => error !== 'throttled')) return null;
  return Math.min(...orders.map(({ nextAt }) => nextAt));
}

/** Reads the restaurants beside each other; the first error that is of the whole connection ends all of them. */
async function serveAll(members: readonly Member[], end: AbortController): Promise<void> {
  await Promise.all(
    members.map((member) =>
      serveMember(member).catch((error: unknown) => {
        if (!end.signal.aborted) end.abort(error);
      }),
    ),
  );
  end.signal.throwIfAborted();
}

/**
 * Reads everything that is due of a connection; returns when it is due again (ms), undefined if no restaurant is left.
 * Throws LeaseLost, the reason of the signal, and what the ledger throws.
 */
export async function runConnection(
  deps: RunDeps,
  connection: Connection,
  openConnection: OpenConnection,
  signal: AbortSignal,
): Promise<number | undefined> {
  const end = new AbortController();
  const both = AbortSignal.any([signal, end.signal]);
  let open: OpenSource | undefined;
  try {
    open = await openConnection(connection, signal);
    const run = { deps, connection, open, signal: both, turns: createRankedTurns(MOST_AT_ONCE) };
    await tryAgain(run);
    await saveConnection(deps, connection, { state: 'active', reason: null });
    const members = await openMembers(run);
    await serveAll(members, end);
    signal.throwIfAborted();
    for (const member of members) await setWarning(member, 'clock', open.isClockWrong);
    await saveConnection(deps, connection, { throttledUntil: throttledUntil(members) });
    return nextOf(members);
  } catch (error) {
    if (error instanceof SecretUnreadable && !signal.aborted) {
      deps.log.warn({ connectionId: connection.id, err: error }, 'the credentials of a connection cannot be decrypted');
      await saveConnection(deps, connection, { state: 'paused', reason: 'credentials_unreadable' });
      return undefined;
    }
    if (signal.aborted || !(error instanceof SourceError)) throw error;
    return await saveFailed(deps, connection, error);
  } finally {
    end.abort();
    open?.release();
  }
}

/** Saves that a connection cannot be read at all: refused credentials are tried after an hour, then daily. */
async function saveFailed(deps: RunDeps, connection: Connection, error: SourceError): Promise<number> {
  const now = deps.clock();
  if (error.code !== 'credentials_refused' || error.retryAt !== undefined) {
    await saveConnection(deps, connection, { throttledUntil: error.retryAt ?? null });
    return error.retryAt ?? now + HOUR_MS;
  }
  const isFirst = connection.state !== 'refused';
  if (isFirst)
    deps.log.warn({ connectionId: connection.id }, 'the point of sale refuses the credentials of a connection');
  await saveConnection(deps, connection, { state: 'refused', reason: error.code, throttledUntil: null });
  return now + (isFirst ? HOUR_MS : DAY_MS);
}
