/** Events of management groups, kept for an hour: loads, status changes of reports, and states of connections. */
import { createCipheriv, createDecipheriv, randomBytes } from 'node:crypto';
import { HOUR_MS, shownTime } from '../contract/time.ts';
import type { Signals } from '../gather/signals.ts';
import { keepMost } from '../kept.ts';
import type { ConnectionLedger, MemberState } from '../ledger/connection.ts';
import type { LoadNotification, Notification, NotificationLedger } from '../ledger/notifications.ts';
import type { ReportLedger, ReportRequest } from '../ledger/report.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import { STATUS, stateOf } from './status.ts';

export interface GroupEvent {
  /** Opaque: the numbers of events would show how many other groups have. */
  id: string;
  name: 'loaded' | 'report' | 'connection';
  at: number;
  data: object;
}

/** The state of a restaurant of a connection; `reason` is a code of docs/connections.md. */
interface ConnectedChange {
  connectionId: string;
  restaurantGuid: string;
  state: MemberState;
  reason: string | null;
}

export interface GroupEvents {
  /** Reports a load that changed something on these dates (YYYYMMDD integers); `kind` is the word in its path. */
  loaded(restaurant: Pick<Restaurant, 'guid' | 'group'>, kind: string, dates: number[]): void;
  /** Reports that a restaurant of a connection came into another state on this node. */
  connected(group: string, change: ConnectedChange): void;
  /** The id of the last event: a stream that begins now resumes after it. */
  lastId(): string;
  /** The events of the group after the one with this id; undefined if some of them are no longer kept. */
  since(group: string, id: string): GroupEvent[] | undefined;
  /**
   * Calls back with every event of the group until the returned function is called; with undefined when the stream must
   * end.
   */
  watch(group: string, onEvent: (event: GroupEvent | undefined) => void): () => void;
  stop(): void;
}

const KEPT_MS = HOUR_MS;
/** Events kept of a group: a night's loads of 1,000 restaurants, some 300 bytes each. */
const MOST_KEPT = 2000;
const MOST_GROUPS = 1000;
/** How many reports' last status is remembered, so that a step that does not change it is not sent. */
const MOST_REPORTS = 10_000;

type Status = (typeof STATUS)[keyof typeof STATUS];
/** The order of the statuses in the life of a report. */
const PLACES: Record<Status, number> = { IN_PROGRESS: 0, COMPLETED: 1, FAILED: 1, CANCELLED: 2, EXPIRED: 3 };

type ConnectedNotification = Extract<Notification, { kind: 'connected' }>;

interface Kept {
  events: (GroupEvent & { number: number })[];
  /** The number of the newest event that was dropped. */
  droppedTo: number;
}

/** Adds an event, and drops those older than an hour or beyond the limit. */
function keep(kept: Kept, event: Kept['events'][number]): void {
  kept.events.push(event);
  while (kept.events.length > MOST_KEPT || (kept.events[0]?.at ?? event.at) <= event.at - KEPT_MS)
    kept.droppedTo = kept.events.shift()?.number ?? kept.droppedTo;
}

type OnEvent = (event: GroupEvent | undefined) => void;

/** The open streams of each group. */
function createWatchers() {
  const groups = new Map<string, Set<OnEvent>>();
  return {
    notify(group: string, event: GroupEvent): void {
      for (const onEvent of [...(groups.get(group) ?? [])]) onEvent(event);
    },
    /** Ends all streams: a client that resumes reads everything again. */
    endAll(): void {
      for (const watchers of [...groups.values()]) for (const onEvent of [...watchers]) onEvent(undefined);
    },
    watch(group: string, onEvent: OnEvent): () => void {
      const watchers = groups.get(group) ?? new Set();
      groups.set(group, watchers.add(onEvent));
      return () => {
        watchers.delete(onEvent);
        if (watchers.size === 0 && groups.get(group) === watchers) groups.delete(group);
      };
    },
  };
}

/** Returns a function that keeps the status of a report and says whether it follows the one before. */
function createStatuses(): (guid: string, status: Status) => boolean {
  const statuses = keepMost<Status>(MOST_REPORTS);
  return (guid, status) => {
    const known = statuses.get(guid);
    // This node may be notified of a change by another node after its own later change: a report never goes back.
    if (known !== undefined && PLACES[status] <= PLACES[known]) return false;
    statuses.set(guid, status);
    return true;
  };
}

/** The ids of the events of one run of the service: their numbers, each enciphered as a block. */
function createEventIds() {
  const key = randomBytes(16);
  // To open one for each event took 3 % of the main thread while small reports were created. Blocks do not depend on
  // those before them.
  const cipher = createCipheriv('aes-128-ecb', key, null).setAutoPadding(false);
  const numberAt = 8;
  return {
    of(number: number): string {
      const block = Buffer.alloc(16);
      block.writeBigUInt64BE(BigInt(number), numberAt);
      return cipher.update(block).toString('base64url');
    },
    /** The number; undefined for an id of another run, or none at all. */
    read(id: string): number | undefined {
      const block = Buffer.from(id, 'base64url');
      if (block.length !== 16) return undefined;
      const plain = createDecipheriv('aes-128-ecb', key, null).setAutoPadding(false).update(block);
      return plain.readBigUInt64BE() === 0n ? Number(plain.readBigUInt64BE(numberAt)) : undefined;
    },
  };
}

/** Tracks the loads and reports that it is notified of. Kept in memory, so a restart begins another run. */
export function createGroupEvents(deps: {
  ledger: Pick<ReportLedger, 'report'> &
    Pick<ConnectionLedger, 'connection'> &
    Pick<NotificationLedger, 'onNotification' | 'notifyLoad'>;
  signals: Pick<Signals, 'watchAll'>;
  clock: () => number;
}): GroupEvents {
  const { ledger, clock } = deps;
  const ids = createEventIds();
  const groups = keepMost<Kept>(MOST_GROUPS);
  const isNews = createStatuses();
  const watchers = createWatchers();
  let last = 0;
  // For a group without kept events, everything up to this number counts as dropped.
  let forgottenTo = 0;

  function keptOf(group: string): Kept {
    const known = groups.get(group);
    if (known) return known;
    if (groups.size === MOST_GROUPS) forgottenTo = last;
    const made: Kept = { events: [], droppedTo: forgottenTo };
    groups.set(group, made);
    return made;
  }

  function publish(group: string, name: GroupEvent['name'], data: object): void {
    const now = clock();
    const event = { number: ++last, id: ids.of(last), name, at: now, data: { ...data, at: shownTime(now) } };
    keep(keptOf(group), event);
    watchers.notify(group, event);
  }

  const noteReport = (guid: string, group: string, state: ReportRequest['state']): void => {
    const status = STATUS[state];
    if (isNews(guid, status)) publish(group, 'report', { reportRequestGuid: guid, status });
  };
  const unwatch = deps.signals.watchAll(async (guid, known) => {
    // Querying the ledger for every move of each report, on every node, would not scale with the number of nodes.
    if (known) return noteReport(guid, known.group, known.state);
    const report = await ledger.report(guid).catch(() => undefined);
    if (report) noteReport(guid, report.group, stateOf(report, clock()));
  });

  function noteLoad({ restaurantGuid, group, loadKind, dates }: LoadNotification): void {
    publish(group, 'loaded', { restaurantGuid, businessDates: dates.map(String).sort(), kind: loadKind });
  }

  /** Another node read the restaurant. */
  async function noteConnected({ connection, restaurantGuid, state, reason }: ConnectedNotification): Promise<void> {
    const found = await ledger.connection(connection).catch(() => undefined);
    if (found) publish(found.group, 'connection', { connectionId: connection, restaurantGuid, state, reason });
  }

  const unfollow = ledger.onNotification((notification) => {
    if (notification.kind === 'load') noteLoad(notification);
    if (notification.kind === 'connected') void noteConnected(notification);
    if (notification.kind !== 'missed') return;
    groups.clear();
    forgottenTo = ++last;
    watchers.endAll();
  });

  return {
    loaded(restaurant, kind, dates) {
      const load = { restaurantGuid: restaurant.guid, group: restaurant.group, loadKind: kind, dates };
      noteLoad(load);
      ledger.notifyLoad(load);
    },
    connected: (group, change) => publish(group, 'connection', change),
    lastId: () => ids.of(last),
    since(group, id) {
      const number = ids.read(id);
      if (number === undefined) return undefined;
      const { events, droppedTo } = groups.get(group) ?? { events: [], droppedTo: forgottenTo };
      const oldest = clock() - KEPT_MS;
      // Events older than an hour are dropped only when the next one is added.
      const isKept = events.every((event) => event.number <= number || event.at > oldest);
      if (number > last || number < droppedTo || !isKept) return undefined;
      return events.filter((event) => event.number > number);
    },
    watch: watchers.watch,
    stop() {
      unwatch();
      unfollow();
      watchers.endAll();
    },
  };
}
