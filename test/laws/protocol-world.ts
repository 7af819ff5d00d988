/**
 * The two servers of the facts in memory, for the law of the protocol: a load log, rows, and a network and processes
 * that fail. A history is made of calls, each of which happens when the world says so: in any order, late, half, twice
 * as late as allowed, or not at all.
 */
import type { LoadLog, Promotion, RowStore, Seen } from '../../packages/service/src/facts/clickhouse/protocol.ts';
import { type Snapshot, snapshotOf } from '../../packages/service/src/facts/clickhouse/snapshot.ts';

/** Whether a reader of the snapshot sees the load: what every statement of the servers says in SQL. */
export const isVisible = ({ high, except }: Snapshot, load: number): boolean => load <= high && !except.includes(load);

export const LEASE_MS = 15_000;
/** How long an insert may last that has begun. */
export const INSERT_MS = 60_000;
export const GRACE_MS = 120_000;
/** How long deltas are kept that a promotion has summed up; no reader takes so long. */
export const RETIRE_MS = 300_000;
const MOST_FROZEN_MS = 600_000;

export interface Version {
  restaurant: number;
  guid: string;
  date: number;
  modified: number;
  amount: number;
}

/** A row of any table. */
export type StoredRow =
  | { table: 'orders'; version: Version; born: number; load: number; sign: 1 | -1 }
  | { table: 'places'; restaurant: number; guid: string; date: number; load: number }
  | { table: 'deltas'; restaurant: number; date: number; count: number; sum: number; load: number }
  | { table: 'promoted'; restaurant: number; date: number; count: number; sum: number; promotion: number };

/** What may run of itself; it dies, or stops for a while. */
export interface Actor {
  isDead: boolean;
  frozenUntil: number;
}

interface Call {
  actor: Actor;
  /** Does it. */
  apply(): unknown;
  /** Begins it: what is left does a part of it, later. Throws where it does not begin. */
  begin?: (() => () => void) | undefined;
  resolve(value: unknown): void;
  reject(error: Error): void;
}

export interface World {
  now(): number;
  random(): number;
  actor(): Actor;
  log(actor: Actor): LoadLog;
  rows(
    actor: Actor,
  ): RowStore<Snapshot | readonly Version[], Map<string, { version: Version; born: number }>, StoredRow[]>;
  /** Lets something happen; false when nothing is left to happen. */
  step(): Promise<boolean>;
  /** Lets time pass. */
  pass(ms: number): void;
  seen(): Seen;
  stored(): readonly StoredRow[];
  committed(): ReadonlySet<number>;
  /** Whether any deltas were deleted because a promotion has them. */
  hasRetired(): boolean;
  /** Numbers that are excluded. */
  excluded(): readonly number[];
  counts: { zombies: number; late: number; deaths: number };
}

/** A way to weaken the protocol: what the law must find. */
export type Weakness = 'none' | 'no exceptions' | 'no guard' | 'dirty reads' | 'no grace';

const settled = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

export function createWorld(random: () => number, weakness: Weakness = 'none'): World {
  let clock = 1_000_000;
  let calls: Call[] = [];
  let late: { at: number; land(): void }[] = [];
  let rows: StoredRow[] = [];
  let lastLoad = 0;
  let lastPromotion = 0;
  let hasRetired = false;
  const leases = new Map<number, { holder: string; until: number }>();
  const open = new Map<
    number,
    { restaurant: number; holder: string; state: 'open' | 'aborted'; until: number; since: number; sweeps: number }
  >();
  const committed = new Set<number>();
  const promotions = new Map<
    number,
    { after: number | undefined; snapshot: Snapshot | undefined; since: number; isLost: boolean; isRetired: boolean }
  >();
  const counts = { zombies: 0, late: 0, deaths: 0 };

  function seen(): Seen {
    const published = [...promotions].filter(([, { snapshot }]) => snapshot !== undefined);
    const [promotion, newest] = published.sort(([one], [other]) => other - one)[0] ?? [];
    const except = [...promotions].flatMap(([one, { snapshot }]) =>
      snapshot === undefined && one < (promotion ?? 0) ? [one] : [],
    );
    const snapshot = newest?.snapshot;
    return {
      snapshot: snapshotOf(lastLoad, weakness === 'no exceptions' ? [] : [...open.keys()]),
      promoted: promotion !== undefined && snapshot ? { promotion, snapshot, except } : undefined,
      forgotten: 0,
      now: clock,
    };
  }

  function free(holder: string): void {
    for (const [restaurant, lease] of leases) if (lease.holder === holder) leases.delete(restaurant);
  }

  const log: { [Name in keyof LoadLog]: (...args: Parameters<LoadLog[Name]>) => Awaited<ReturnType<LoadLog[Name]>> } = {
    begin(holder, entries) {
      const taken = new Set<number>();
      for (const { restaurant } of entries) {
        if (taken.has(restaurant)) continue;
        const lease = leases.get(restaurant);
        if (lease && lease.until >= clock) continue;
        taken.add(restaurant);
        leases.set(restaurant, { holder, until: clock + LEASE_MS });
        for (const load of open.values())
          if (load.restaurant === restaurant && load.state === 'open')
            Object.assign(load, { state: 'aborted', since: clock });
      }
      const loads = entries.flatMap(({ restaurant }, index) => {
        if (!taken.has(restaurant)) return [];
        const load = ++lastLoad;
        open.set(load, { restaurant, holder, state: 'open', until: clock + LEASE_MS, since: 0, sweeps: 0 });
        return [{ index, load }];
      });
      return { loads, now: clock };
    },
    seen,
    renew(holder, loads) {
      const areOpen = loads.every((load) => open.get(load)?.state === 'open');
      if (!areOpen) return undefined;
      for (const load of loads) Object.assign(open.get(load) ?? {}, { until: clock + LEASE_MS });
      for (const lease of leases.values()) if (lease.holder === holder) lease.until = clock + LEASE_MS;
      return clock;
    },
    commit(holder, loads) {
      const areOpen = loads.every((load) => open.get(load)?.state === 'open');
      if (!areOpen) counts.zombies++;
      if (!areOpen && weakness !== 'no guard') return false;
      for (const load of loads) {
        open.delete(load);
        committed.add(load);
      }
      free(holder);
      return true;
    },
    abort(holder, loads, mayHaveRows) {
      let aborted = 0;
      for (const load of loads) {
        const one = open.get(load);
        if (one?.state !== 'open') continue;
        aborted++;
        if (mayHaveRows) Object.assign(one, { state: 'aborted', since: clock });
        else open.delete(load);
      }
      free(holder);
      return aborted;
    },
    areCommitted: (loads) => loads.every((load) => committed.has(load)),
    toSweep(graceMs) {
      for (const load of open.values())
        if (load.state === 'open' && load.until < clock) Object.assign(load, { state: 'aborted', since: clock });
      return [...open].flatMap(([load, { state, since }]) =>
        state === 'aborted' && since < clock - graceMs ? [load] : [],
      );
    },
    swept(loads) {
      for (const load of loads) {
        const one = open.get(load);
        if (one?.state !== 'aborted') continue;
        if (one.sweeps > 0) open.delete(load);
        else Object.assign(one, { sweeps: 1, since: clock });
      }
    },
    nextPromotion() {
      promotions.set(++lastPromotion, {
        after: undefined,
        snapshot: undefined,
        since: clock,
        isLost: false,
        isRetired: false,
      });
      return { promotion: lastPromotion, now: clock };
    },
    publish({ promotion, snapshot }: Promotion, after) {
      const one = promotions.get(promotion);
      if (!one || one.snapshot || one.isLost) return false;
      const follows = after?.promotion ?? 0;
      if ([...promotions.values()].some((other) => other.after === follows)) return false;
      Object.assign(one, { snapshot, after: follows, since: clock });
      return true;
    },
    toRetire(graceMs) {
      const published = [...promotions].flatMap(([promotion, { snapshot, since, isRetired }]) =>
        snapshot && since < clock - graceMs ? [{ promotion, snapshot, isRetired }] : [],
      );
      const newest = published.sort((one, other) => other.promotion - one.promotion)[0];
      return newest && !newest.isRetired ? newest : undefined;
    },
    retired(last) {
      for (const [promotion, one] of promotions) if (one.snapshot && promotion <= last) one.isRetired = true;
    },
    losePromotions: (graceMs) =>
      [...promotions].flatMap(([promotion, one]) => {
        if (one.snapshot !== undefined || one.since >= clock - graceMs) return [];
        one.isLost = true;
        return [promotion];
      }),
    forgetPromotions(lost) {
      for (const promotion of lost) if (promotions.get(promotion)?.isLost) promotions.delete(promotion);
    },
  };

  /** A call that happens when the world says so. */
  function call<T>(actor: Actor, apply: () => T, begin?: () => () => void): Promise<T> {
    return new Promise((resolve, reject) => {
      calls.push({ actor, apply, begin, resolve: resolve as Call['resolve'], reject });
    });
  }

  const sees = (snapshot: Snapshot, load: number): boolean =>
    weakness === 'dirty reads' ? load <= lastLoad : isVisible(snapshot, load);

  function find(wanted: readonly Version[], snapshot: Snapshot): Map<string, { version: Version; born: number }> {
    const found = new Map<string, { version: Version; born: number }>();
    for (const { restaurant, guid } of wanted) {
      let born = 0;
      for (const row of rows)
        if (row.table === 'places' && row.restaurant === restaurant && row.guid === guid && sees(snapshot, row.load))
          born = Math.max(born, row.load);
      for (const row of rows)
        if (
          row.table === 'orders' &&
          row.sign === 1 &&
          row.born === born &&
          row.version.guid === guid &&
          row.version.restaurant === restaurant
        )
          found.set(`${restaurant}/${guid}`, row);
    }
    return found;
  }

  const checkBegins = (until: number): void => {
    if (clock > until) throw new Error('the insert began too late');
  };

  /** Sums of deltas by restaurant and date. */
  function sums(from: Snapshot | undefined, to: Snapshot): Extract<StoredRow, { table: 'deltas' }>[] {
    const days = new Map<string, Extract<StoredRow, { table: 'deltas' }>>();
    for (const row of rows) {
      if (row.table !== 'deltas' || !isVisible(to, row.load) || (from && isVisible(from, row.load))) continue;
      const day = days.get(`${row.restaurant}/${row.date}`) ?? { ...row, count: 0, sum: 0 };
      days.set(`${row.restaurant}/${row.date}`, { ...day, count: day.count + row.count, sum: day.sum + row.sum });
    }
    return [...days.values()];
  }

  const dies = (actor: Actor): void => {
    actor.isDead = true;
    counts.deaths++;
  };

  /** What becomes of a call: it mostly happens. */
  function fire({ actor, apply, begin, resolve, reject }: Call): void {
    const fate = random();
    const refused = (): void => reject(new Error('the server did not answer'));
    const happens = (then: (value: unknown) => void): void => {
      try {
        then(apply());
      } catch (error) {
        reject(error as Error);
      }
    };
    if (fate < 0.02) dies(actor);
    else if (fate < 0.04) {
      happens(() => undefined);
      dies(actor);
    } else if (fate < 0.07) refused();
    else if (fate < 0.1) happens(refused);
    else if (begin && fate < 0.18) {
      try {
        late.push({ at: clock + random() * INSERT_MS, land: begin() });
        counts.late++;
      } catch {
        // It came too late itself.
      }
      if (random() < 0.5) dies(actor);
      else refused();
    } else happens(resolve);
  }

  return {
    counts,
    now: () => clock,
    random,
    actor: () => ({ isDead: false, frozenUntil: 0 }),
    log: (actor) =>
      Object.fromEntries(
        Object.entries(log).map(([name, apply]) => [
          name,
          (...args: never[]) => call(actor, () => (apply as (...args: never[]) => unknown)(...args)),
        ]),
      ) as unknown as LoadLog,
    rows: (actor) => ({
      find: (wanted, snapshot) => call(actor, () => find(wanted as readonly Version[], snapshot)),
      insert: (added, until) =>
        call(
          actor,
          () => {
            checkBegins(until);
            rows.push(...added);
          },
          () => {
            checkBegins(until);
            return () => void rows.push(...added.filter(() => random() < 0.7));
          },
        ),
      deleteLoads: (loads) =>
        call(actor, () => {
          rows = rows.filter((row) => row.table === 'promoted' || !loads.includes(row.load));
        }),
      deletePromotions: (lost) =>
        call(actor, () => {
          rows = rows.filter((row) => row.table !== 'promoted' || !lost.includes(row.promotion));
        }),
      deleteDeltas: (seen) =>
        call(actor, () => {
          hasRetired = true;
          rows = rows.filter((row) => row.table !== 'deltas' || row.load >= seen.high || !isVisible(seen, row.load));
        }),
      promote: (promotion, to, from, until) => {
        const added = (): StoredRow[] =>
          sums(from, to).map(({ load: _, ...day }) => ({ ...day, table: 'promoted', promotion }));
        return call(
          actor,
          () => {
            checkBegins(until);
            rows.push(...added());
          },
          () => {
            checkBegins(until);
            const some = added().filter(() => random() < 0.7);
            return () => void rows.push(...some);
          },
        );
      },
    }),
    async step() {
      await settled();
      clock += Math.floor(random() * 800);
      for (const { at, land } of late) if (at <= clock) land();
      late = late.filter(({ at }) => at > clock);
      calls = calls.filter(({ actor }) => !actor.isDead);
      const able = calls.filter(({ actor }) => actor.frozenUntil <= clock);
      const chosen = able[Math.floor(random() * able.length)];
      if (!chosen) {
        if (calls.length + late.length === 0) return false;
        clock += 10_000;
        return true;
      }
      // A process that stops: what it was about to do happens when it continues.
      if (random() < 0.02) {
        chosen.actor.frozenUntil = clock + random() * MOST_FROZEN_MS;
        return true;
      }
      calls = calls.filter((one) => one !== chosen);
      fire(chosen);
      return true;
    },
    pass(ms) {
      clock += ms;
    },
    seen,
    stored: () => rows,
    committed: () => committed,
    hasRetired: () => hasRetired,
    excluded: () => [...open.keys()],
  };
}
