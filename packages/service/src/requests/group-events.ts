/** What happens in a management group, kept for an hour: loads, and the moves of its reports. */
import { LRUCache } from 'lru-cache';
import { shownTime } from '../contract/time.ts';
import type { Signals } from '../gather/signals.ts';
import type { LoadMove, MoveLedger } from '../ledger/moves.ts';
import type { ReportLedger, ReportRequest } from '../ledger/report.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import { STATUS, stateOf } from './status.ts';

export interface GroupEvent {
  /** `<run of the service>-<number>`. */
  id: string;
  name: 'loaded' | 'report';
  at: number;
  data: object;
}

export interface GroupEvents {
  /** A load has changed something on these dates (YYYYMMDD integers); `kind` as its path names it. */
  loaded(restaurant: Pick<Restaurant, 'guid' | 'group'>, kind: string, dates: number[]): void;
  /** The id of the last event: a stream that begins now resumes after it. */
  lastId(): string;
  /** The events of the group after the one with this id; undefined when they are not all kept. */
  since(group: string, id: string): GroupEvent[] | undefined;
  /** Calls back with every event of the group until what it answers is called; with undefined when the stream ends. */
  watch(group: string, onEvent: (event: GroupEvent | undefined) => void): () => void;
  stop(): void;
}

const KEPT_MS = 3_600_000;
/** Of a group: a night's loads of 1,000 restaurants. Each takes some 300 bytes. */
const MOST_KEPT = 2000;
const MOST_GROUPS = 1000;
/** Reports whose last status is remembered, so that a step that does not change it is not sent. */
const MOST_REPORTS = 10_000;

interface Kept {
  events: (GroupEvent & { number: number })[];
  /** The number of the last event that was dropped. */
  droppedTo: number;
}

/** Adds an event, and drops those that are an hour older or too many. */
function keep(kept: Kept, event: Kept['events'][number]): void {
  kept.events.push(event);
  while (kept.events.length > MOST_KEPT || (kept.events[0]?.at ?? event.at) <= event.at - KEPT_MS)
    kept.droppedTo = kept.events.shift()?.number ?? kept.droppedTo;
}

type OnEvent = (event: GroupEvent | undefined) => void;

/** Those who watch a group. */
function createWatchers() {
  const groups = new Map<string, Set<OnEvent>>();
  return {
    notify(group: string, event: GroupEvent): void {
      for (const onEvent of [...(groups.get(group) ?? [])]) onEvent(event);
    },
    /** Ends all streams: a client that resumes reads again. */
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

/** Follows the loads and reports that it is notified of. Kept in memory: a restart is another run. */
export function createGroupEvents(deps: {
  ledger: Pick<ReportLedger, 'report'> & Pick<MoveLedger, 'onMove' | 'notifyLoad'>;
  signals: Pick<Signals, 'watchAll'>;
  clock: () => number;
}): GroupEvents {
  const { ledger, clock } = deps;
  const run = clock().toString(36);
  const groups = new LRUCache<string, Kept>({ max: MOST_GROUPS });
  const statuses = new LRUCache<string, string>({ max: MOST_REPORTS });
  const watchers = createWatchers();
  let last = 0;
  // Of a group that was never heard of, or was forgotten, nothing from before is known.
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
    const event = { number: ++last, id: `${run}-${last}`, name, at: now, data: { ...data, at: shownTime(now) } };
    keep(keptOf(group), event);
    watchers.notify(group, event);
  }

  const noteReport = (guid: string, group: string, state: ReportRequest['state']): void => {
    const status = STATUS[state];
    if (statuses.get(guid) === status) return;
    statuses.set(guid, status);
    publish(group, 'report', { reportRequestGuid: guid, status });
  };
  const unwatch = deps.signals.watchAll(async (guid, known) => {
    // A query on every node for each move of each report would grow with the nodes.
    if (known) return noteReport(guid, known.group, known.state);
    const report = await ledger.report(guid).catch(() => undefined);
    if (report) noteReport(guid, report.group, stateOf(report, clock()));
  });

  function noteLoad({ restaurantGuid, group, loadKind, dates }: LoadMove): void {
    publish(group, 'loaded', { restaurantGuid, businessDates: dates.map(String).sort(), kind: loadKind });
  }

  const unfollow = ledger.onMove((move) => {
    if (move.kind === 'load') noteLoad(move);
    if (move.kind !== 'missed') return;
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
    lastId: () => `${run}-${last}`,
    since(group, id) {
      const [, itsRun, digits] = /^([0-9a-z]{1,12})-(\d{1,12})$/.exec(id) ?? [];
      const number = Number(digits);
      const { events, droppedTo } = groups.get(group) ?? { events: [], droppedTo: forgottenTo };
      const oldest = clock() - KEPT_MS;
      // What is over an hour old is dropped with the next event.
      const isKept = events.every((event) => event.number <= number || event.at > oldest);
      if (itsRun !== run || number > last || number < droppedTo || !isKept) return undefined;
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
