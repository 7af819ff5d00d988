/**
 * The states of a connection and its restaurants in plain words (docs/connections.md#states), from the rows of the
 * ledger alone. Times are shown as the clock of the restaurant shows them.
 */
import { wallClock } from '../contract/clock.ts';
import { datesIn } from '../contract/dates.ts';
import { DAY_MS, MINUTE_MS } from '../contract/time.ts';
import type { ConnectedRestaurant, Connection, ConnectionStream, MemberState, Stream } from '../ledger/connection.ts';

/** The rows of one restaurant of a connection. */
export interface MemberRows {
  connection: Pick<Connection, 'state' | 'reason' | 'settings' | 'throttledUntil'>;
  restaurant: Pick<ConnectedRestaurant, 'state' | 'reason' | 'since' | 'backfillFrom' | 'backfillTo' | 'backfillDone'>;
  streams: readonly ConnectionStream[];
}

/** What somebody reads; `reason` is a code of docs/connections.md. */
interface ShownState<State> {
  state: State;
  reason: string | null;
  message: string;
}

/** How far the past is read, in dates. */
interface PastProgress {
  done: number;
  of: number;
}

const LATE_MS = 15 * MINUTE_MS;
const LATE_POLLS = 5;
const THROTTLED_MS = 5 * MINUTE_MS;
/** Failures after which a point of sale that cannot be reached counts as failing. */
const FAILURES = 3;

/** What each stream reads, and the permission that it takes. */
const READS: Record<Stream, string> = {
  settings: 'the settings of restaurants (restaurants)',
  orders: 'orders (orders)',
  timeEntries: 'time entries (labor)',
  names: 'names (configuration, labor)',
  check: 'orders of past dates (orders)',
  menus: 'menus (menus)',
  backfill: 'orders of past dates (orders)',
};

const OWN_SIDE: Record<string, string> = {
  storage_full: 'the disk is full',
  storage_failed: 'the disk cannot be used',
  busy: 'other loads of this restaurant are in progress',
  store_unavailable: 'a store is unavailable',
  engine_timeout: 'the reporting engine is slow',
};

const two = (number: number): string => String(number).padStart(2, '0');

/** `18:04`, with the date if it is not the current one, and with the zone if it is UTC. */
function clockText(at: number, timeZone: string, now: number): string {
  const local = new Date(wallClock(at, timeZone));
  const time = `${two(local.getUTCHours())}:${two(local.getUTCMinutes())}${timeZone === 'UTC' ? ' UTC' : ''}`;
  const isToday = Math.floor(local.getTime() / DAY_MS) === Math.floor(wallClock(now, timeZone) / DAY_MS);
  return isToday ? time : `${local.toISOString().slice(0, 10)} ${time}`;
}

/** How far the past of a restaurant is read; undefined before its settings are known. */
export function progressOf({
  backfillFrom,
  backfillTo,
  backfillDone,
}: Pick<ConnectedRestaurant, 'backfillFrom' | 'backfillTo' | 'backfillDone'>): PastProgress | undefined {
  if (backfillFrom === null || backfillTo === null) return undefined;
  const of = Math.max(0, datesIn(backfillFrom, backfillTo));
  return { done: backfillDone === null ? 0 : Math.min(of, datesIn(backfillDone, backfillTo)), of };
}

/** How old `readUntil` may be (ms) before a restaurant is late. */
const lateAfterMs = (pollSeconds: number): number => Math.max(LATE_MS, LATE_POLLS * pollSeconds * 1000);

/** Whether the error of a stream makes its restaurant `failing`. */
function isFailing({ error, failures }: ConnectionStream): boolean {
  if (error === null || error === 'throttled' || error === 'restaurant_unknown') return false;
  return (
    ['no_permission', 'upstream_changed', 'storage_full', 'package_missing'].includes(error) || failures >= FAILURES
  );
}

function failureText(stream: ConnectionStream, timeZone: string, now: number): string {
  const { error, lastOkAt, upstreamRequest } = stream;
  const since = lastOkAt === null ? 'so far' : `since ${clockText(lastOkAt, timeZone, now)}`;
  const quoted = upstreamRequest === null ? '' : ` (${upstreamRequest})`;
  switch (error) {
    case 'no_permission':
      return `No permission to read ${READS[stream.stream]}. Add it where you made the credentials.`;
    case 'upstream_changed':
      return `The point of sale sent something that Daypart cannot read. Update Daypart, or report this: ${stream.stream}${quoted}.`;
    case 'package_missing':
      return 'The service lacks a package that this kind needs; its operator installs it: npm install ssh2 --ignore-scripts.';
    case 'upstream_unreachable':
      return `The point of sale cannot be reached ${since} (no connection). Daypart tries again every few minutes; nothing is lost.`;
    case 'upstream_error':
      return `The point of sale answers with an error ${since}${quoted}. Quote this to its support.`;
    default: {
      const why = OWN_SIDE[error ?? ''];
      return `Daypart cannot store data at present${why ? `: ${why}` : ''}.`;
    }
  }
}

/**
 * The state of a restaurant at `now` (ms since 1970 UTC), from its rows. That of a connection that does not read is the
 * one that is stored, with the sentence of the connection.
 */
export function memberState(rows: MemberRows, timeZone: string, now: number): ShownState<MemberState> {
  const { connection, restaurant, streams } = rows;
  if (restaurant.state === 'left') return { state: 'left', reason: null, message: 'No longer read. Its data stays.' };
  if (restaurant.state === 'lost') {
    const message = 'The credentials no longer reach this restaurant. Its data stays.';
    return { state: 'lost', reason: 'restaurant_lost', message };
  }
  if (connection.state !== 'active')
    return {
      state: restaurant.state,
      reason: connection.reason,
      message: connectionState(connection, timeZone, now).message,
    };
  const failing = streams.find(isFailing);
  if (failing) return { state: 'failing', reason: failing.error, message: failureText(failing, timeZone, now) };
  return readingState(rows, timeZone, now);
}

const isoDate = (date: number): string => String(date).replace(/(....)(..)(..)/, '$1-$2-$3');

/** The state while the files of a date are late; undefined if they are not, or nothing is read by date. */
function awaitedOf(orders: ConnectionStream | undefined, now: number): ShownState<MemberState> | undefined {
  const { lateAt, awaited } = orders?.cursor ?? {};
  if (typeof lateAt !== 'number' || typeof awaited !== 'number' || now <= lateAt) return undefined;
  const message = `Late: the files of ${isoDate(awaited)} have not come. They are looked for every 20 minutes.`;
  return { state: 'late', reason: 'late', message };
}

/** Before anything is read. */
const chosenText = (orders: ConnectionStream | undefined): string =>
  orders?.cursor?.awaited === undefined
    ? 'Chosen. Reading begins within a minute.'
    : 'Chosen. The files of a date are loaded once two listings, ten minutes apart, are equal.';

/** The state of a restaurant whose streams are read without failures. */
function readingState(
  { connection, restaurant, streams }: MemberRows,
  timeZone: string,
  now: number,
): ShownState<MemberState> {
  const orders = streams.find(({ stream }) => stream === 'orders');
  const readUntil = orders?.readUntil ?? null;
  const awaited = awaitedOf(orders, now);
  if (awaited) return awaited;
  if (readUntil === null || !orders) return { state: 'chosen', reason: null, message: chosenText(orders) };
  if (orders.cursor?.awaited !== undefined) return currentState(orders, readUntil, timeZone, now);
  const behind = now - readUntil;
  if (behind > lateAfterMs(connection.settings.pollSeconds)) {
    const minutes = Math.round(behind / MINUTE_MS);
    const message = `Late by ${minutes} minutes. The point of sale answers slowly; reading continues.`;
    return { state: 'late', reason: 'late', message };
  }
  const past = progressOf(restaurant);
  if (!past || past.done < past.of) {
    const message = past
      ? `Reading the past: ${past.done} of ${past.of} dates. Today is current.`
      : 'Reading the past. Today is current.';
    return { state: 'reading', reason: null, message };
  }
  return currentState(orders, readUntil, timeZone, now);
}

function currentState(
  { lastOkAt }: ConnectionStream,
  readUntil: number,
  timeZone: string,
  now: number,
): ShownState<MemberState> {
  const at = clockText(lastOkAt ?? readUntil, timeZone, now);
  const message = `Current. Last read ${at}, everything up to ${clockText(readUntil, timeZone, now)}.`;
  return { state: 'current', reason: null, message };
}

const PAUSED: Record<string, string> = {
  credentials_unreadable:
    'The key that protects the credentials is missing. Set DAYPART_SECRET_KEY, or enter the credentials again.',
  restored: 'Paused, because the service was restored from a backup. Resume it if no other service reads with it.',
};

const REFUSED: Record<string, string> = {
  key_refused:
    'The server does not accept the key for this user. Enter the public key again where the point of sale takes it, or another user.',
  host_key_changed:
    'The server identifies itself by another host key than the one that was confirmed, so nothing is read. Ask the support of the point of sale; if the new key is theirs, confirm it as the hostKey of new credentials.',
};

/** The state of the connection itself; `now` in ms since 1970 UTC. */
export function connectionState(
  { state, reason, throttledUntil }: Pick<Connection, 'state' | 'reason' | 'throttledUntil'>,
  timeZone: string,
  now: number,
): ShownState<Connection['state']> {
  switch (state) {
    case 'paused':
      return { state, reason, message: PAUSED[reason ?? ''] ?? 'Paused. Nothing is read until it is resumed.' };
    case 'refused':
      return {
        state,
        reason,
        message: REFUSED[reason ?? ''] ?? 'The point of sale refuses the client id or secret. Enter new ones.',
      };
    case 'removed':
      return { state, reason, message: 'Removed. The data stays.' };
    case 'active': {
      if (throttledUntil === null || throttledUntil <= now + THROTTLED_MS)
        return { state, reason: null, message: 'Reading.' };
      const until = clockText(throttledUntil, timeZone, now);
      const message =
        reason === 'sign_in'
          ? `The point of sale ended the session; the next sign-in is at ${until}.`
          : `The point of sale limits how often it may be asked. Reading continues at ${until}.`;
      return { state, reason: 'throttled', message };
    }
  }
}

const WARNINGS: Record<string, (at: string) => string> = {
  unstable: (at) => `Orders changed faster than they could be read at ${at}; the nightly check covers this.`,
  clock: () => 'The clocks of this machine and the point of sale differ by more than 10 minutes.',
  names_forbidden: () => 'No names of employees: the credentials lack the permission.',
  export_missed: () =>
    'The files of a date did not come before the point of sale removed them: export the date by hand, or ask its support, and import it.',
  export_refused: () => 'The files of a date could not be loaded: the list of imports (daypart imports) says why.',
  day_changed: () =>
    'The time zone or the closeout hour changed. Dates that were read before are as they were; read the last 35 days again.',
};

/** A warning in plain words; an unknown code is shown as it is. */
export function warningText({ code, since }: { code: string; since: number }, timeZone: string, now: number): string {
  return WARNINGS[code]?.(clockText(since, timeZone, now)) ?? code;
}

/**
 * Seconds since everything was read last: of the restaurant that is the furthest behind. Null if none is read. Lost
 * restaurants, and those that are no longer read, do not count.
 */
export function lagSeconds(
  members: readonly { restaurant: Pick<ConnectedRestaurant, 'state'>; streams: readonly ConnectionStream[] }[],
  now: number,
): number | null {
  const until = members
    .filter(({ restaurant }) => restaurant.state !== 'lost' && restaurant.state !== 'left')
    .flatMap(({ streams }) => streams.find(({ stream }) => stream === 'orders')?.readUntil ?? []);
  return until.length === 0 ? null : Math.max(0, Math.round((now - Math.min(...until)) / 1000));
}
