/** One restaurant of a connection while it is read: its rows, and how they are saved under the lease. */

import type { ConnectionSource, SourceContext } from '@daypart/client/source';
import type { Logger } from 'pino';
import { businessDateOf } from '../contract/clock.ts';
import type { Facts } from '../facts/facts.ts';
import type { ImportDay } from '../import/day-import.ts';
import type { LoadDeps } from '../ingest/load.ts';
import type { AuditLedger } from '../ledger/audit.ts';
import type {
  ConnectedRestaurant,
  Connection,
  ConnectionDate,
  ConnectionLease,
  ConnectionRunLedger,
  ConnectionStream,
  MemberState,
  Stream,
} from '../ledger/connection.ts';
import type { Restaurant, RestaurantLedger } from '../ledger/restaurant.ts';
import type { FolderContext, FolderSource } from './folder-source.ts';
import type { LoadPage } from './page-load.ts';
import { memberState } from './states.ts';

/** The streams of records. */
export type RecordKind = 'orders' | 'timeEntries';

/** The lease is lost: another node reads the connection, or it was paused, removed or changed. */
export class LeaseLost extends Error {
  override readonly name = 'LeaseLost';
}

/** A restaurant came into another state. */
export interface StateChange {
  group: string;
  connectionId: string;
  restaurantGuid: string;
  state: MemberState;
  reason: string | null;
}

/** Counts of what connections read, for metrics. */
interface ReadCounts {
  onRecords(kind: string, stream: Stream, counts: { changed: number; unchanged: number; rejected: number }): void;
  onCheckFound(stream: RecordKind, count: number): void;
  /** The pages of a list were read so often, until they brought nothing new or there were too many. */
  onPasses(count: number, isSettled: boolean): void;
}

export interface RunDeps {
  ledger: ConnectionRunLedger & RestaurantLedger & AuditLedger;
  facts: Pick<Facts, 'reference' | 'putReference' | 'putMenus' | 'order' | 'ordersOf' | 'merge'>;
  loadPage: LoadPage;
  /** Imports a date of a kind that writes files. */
  importDay: ImportDay;
  /** Called with the dates on which a deletion changed anything. */
  onMerged?: LoadDeps['onMerged'];
  /** Milliseconds since 1970 UTC: the clock of the ledger. */
  clock: () => number;
  log: Logger;
  onState(change: StateChange): void;
  counts?: ReadCounts | undefined;
}

/** What is the same for all kinds. */
export interface AnyMember {
  deps: RunDeps;
  connection: Connection;
  /** The time of the point of sale (ms since 1970 UTC). */
  now(): number;
  signal: AbortSignal;
  /** As the ledger has it; replaced when it is saved. */
  row: ConnectedRestaurant;
  restaurant: Restaurant;
  streams: Map<Stream, ConnectionStream>;
  /** The streams that its kind has, the most urgent first. */
  kinds: readonly Stream[];
  /** Reads a stream: all of it, or of dates one, and leaves it due while others are left. */
  read(stream: Stream): Promise<void>;
  /** Does one step of reading a stream when its turn comes: at most four at once in a connection. */
  inTurn<T>(stream: Stream, work: () => Promise<T>): Promise<T>;
}

/** One that is read by asking for records. */
export interface Member extends AnyMember {
  source: ConnectionSource;
  /** By how much the times between two reads of changes are multiplied (`stretchOf`). */
  stretch: number;
  /** What the source may use to read a stream. */
  contextOf(stream: Stream): SourceContext;
  /** Reads what is due and more urgent than the stream. */
  serveBefore(stream: Stream): Promise<void>;
}

/** One whose dates are files in folders. */
export interface FolderMember extends AnyMember {
  source: FolderSource;
  context: FolderContext;
}

/** The current business date (YYYYMMDD) of the restaurant, by the time of the point of sale. */
export const todayOf = ({ now, restaurant }: AnyMember): number =>
  businessDateOf(now(), restaurant.timeZone, restaurant.closeoutHour);

/** When a stream is due that has nothing to read until it is asked to: the last instant of a date. */
export const NOT_DUE = 8.64e15;

const held = (isHeld: boolean): void => {
  if (!isHeld) throw new LeaseLost('the lease of the connection is lost');
};
/** The lease under which a connection is read. */
export const leaseOf = ({ id, worker, attempt }: Connection): ConnectionLease => ({ id, worker, attempt });

/** The row of a stream; one that was never read is due. */
export function streamOf({ connection, row, streams }: AnyMember, stream: Stream): ConnectionStream {
  return (
    streams.get(stream) ?? {
      connection: connection.id,
      upstreamId: row.upstreamId,
      stream,
      cursor: null,
      nextAt: 0,
      failures: 0,
      readUntil: null,
      lastAt: null,
      lastOkAt: null,
      error: null,
      errorDetail: null,
      upstreamRequest: null,
      fetched: 0,
      changed: 0,
      rejected: 0,
    }
  );
}

/** Saves changes of a stream, with the dates that were read. Throws LeaseLost. */
export async function saveStream(
  member: AnyMember,
  stream: Stream,
  changes: Partial<ConnectionStream>,
  dates: readonly ConnectionDate[] = [],
): Promise<void> {
  const row = Object.assign({}, streamOf(member, stream), changes);
  held(await member.deps.ledger.saveStream(leaseOf(member.connection), row, dates));
  member.streams.set(stream, row);
}

/** Saves that a stream was read to its end and is due again at `nextAt` (ms since 1970 UTC). Throws LeaseLost. */
export async function saveRead(
  member: AnyMember,
  stream: Stream,
  nextAt: number,
  changes: Partial<ConnectionStream> = {},
): Promise<void> {
  const now = member.deps.clock();
  const read = { nextAt, lastAt: now, lastOkAt: now, failures: 0, error: null, upstreamRequest: null };
  await saveStream(member, stream, Object.assign(read, changes));
}

/** Saves changes of the restaurant's row. Throws LeaseLost. */
export async function saveRow(member: AnyMember, changes: Partial<ConnectedRestaurant>): Promise<void> {
  const row = Object.assign({}, member.row, changes);
  held(await member.deps.ledger.saveConnectedRestaurant(leaseOf(member.connection), row));
  member.row = row;
}

/** Saves changes of the connection, if they are any. Throws LeaseLost. */
export async function saveConnection(
  { ledger, clock }: Pick<RunDeps, 'ledger' | 'clock'>,
  connection: Connection,
  changes: Partial<Pick<Connection, 'state' | 'reason' | 'throttledUntil'>>,
): Promise<void> {
  const names = Object.keys(changes) as (keyof typeof changes)[];
  if (names.every((name) => connection[name] === changes[name])) return;
  held(await ledger.saveConnection(leaseOf(connection), changes, clock()));
  Object.assign(connection, changes);
}

/** Sets or clears a warning of the restaurant; it keeps the time at which it began. Throws LeaseLost. */
export async function setWarning(member: AnyMember, code: string, isSet: boolean): Promise<void> {
  const { warnings } = member.row;
  if (warnings.some((one) => one.code === code) === isSet) return;
  const others = warnings.filter((one) => one.code !== code);
  await saveRow(member, { warnings: isSet ? [...others, { code, since: member.deps.clock() }] : others });
}

/** Saves the state that follows from the rows, and says so if it is another one. Throws LeaseLost. */
export async function refreshState(member: AnyMember): Promise<void> {
  const { deps, connection, row, restaurant } = member;
  const now = deps.clock();
  const rows = { connection, restaurant: row, streams: [...member.streams.values()] };
  const { state, reason, message } = memberState(rows, restaurant.timeZone, now);
  if (state === row.state && reason === row.reason) return;
  await saveRow(member, { state, reason, since: now });
  const change = { connectionId: connection.id, restaurantGuid: row.restaurantGuid, state, reason };
  const level = state === 'failing' || state === 'lost' ? 'warn' : 'info';
  deps.log[level](change, `a connected restaurant is ${state}: ${message}`);
  deps.onState({
    group: connection.group,
    connectionId: connection.id,
    restaurantGuid: row.restaurantGuid,
    state,
    reason,
  });
}
