/** Loading into the facts on ClickHouse, and what is loaded. */
import { randomUUID } from 'node:crypto';
import type { Logger } from 'pino';
import { daysStep, loadedDaysOf, ordersOfDate, ordersStep } from '../duckdb/loaded-facts.ts';
import { STORED_ORDER } from '../duckdb/row-types.ts';
import { EngineGone, FactsGone } from '../errors.ts';
import type { LoadedFacts } from '../facts.ts';
import type { LoadKind, Merged } from '../load.ts';
import type { ServerCoverage } from './coverage.ts';
import type { Stored } from './find.ts';
import { createGroups, type Groups } from './groups.ts';
import type { PostgresLog } from './load-log/postgres-log.ts';
import { countedRows } from './load-numbers.ts';
import type { Added, MergeLoad, Merger } from './merge.ts';
import type { NodeReports } from './node-reports.ts';
import { type Begun, LoadAborted, OutcomeUnknown, runLoads } from './protocol.ts';
import { guidList, integers, visible } from './reads.ts';
import { type Server, serverPart } from './server.ts';

const READ_MS = 30_000;
/** How often a load whose rows could not be stored is tried. */
const MOST_ATTEMPTS = 3;

export interface LoadedParts {
  server: Server;
  log: PostgresLog;
  merger: Merger;
  reports: NodeReports;
  coverage: ServerCoverage;
  leaseMs: number;
  waitMs: number;
  logger: Logger | undefined;
}

/** Runs `work` with a holder of leases, which are renewed meanwhile. */
export async function holding<T>(
  { log, leaseMs }: Pick<LoadedParts, 'log' | 'leaseMs'>,
  work: (holder: string) => Promise<T>,
): Promise<T> {
  const holder = randomUUID();
  const renewing = setInterval(() => void log.renew(holder, []).catch(() => undefined), leaseMs / 3);
  try {
    return await work(holder);
  } finally {
    clearInterval(renewing);
  }
}

/**
 * Repeats an attempt, with new numbers, if it stored nothing. Throws FactsGone if that does not help, with
 * `outcomeUnknown` if it may have stored something.
 */
export async function repeated<T>(logger: Logger | undefined, attempt: () => Promise<T>): Promise<T> {
  for (let turn = 1; ; turn++) {
    try {
      return await attempt();
    } catch (error) {
      if (error instanceof OutcomeUnknown) throw new FactsGone(error.message, error, true);
      if (!(error instanceof LoadAborted)) throw error;
      logger?.warn({ err: error.cause ?? error, turn }, 'a load was aborted and stored nothing');
      if (error.cause instanceof EngineGone || turn === MOST_ATTEMPTS)
        throw new FactsGone('the load could not be stored', error);
    }
  }
}

/** Runs loads of one kind through the protocol; returns undefined for those whose restaurants another holder has. */
async function loadGroup(
  { log, merger, ...parts }: LoadedParts,
  kind: LoadKind,
  loads: readonly MergeLoad[],
): Promise<(Merged | undefined)[]> {
  const begunOf = (begun: Begun): MergeLoad[] =>
    begun.loads.flatMap(({ index }) => {
      const load = loads[index];
      return load ? [load] : [];
    });
  let [stored, added, merged]: [Stored | undefined, Added | undefined, Merged[]] = [undefined, undefined, []];
  try {
    const begun = await holding({ log, ...parts }, (holder) =>
      runLoads(log, merger, holder, {
        entries: loads.map(({ restaurant }) => ({ restaurant, kind })),
        wanted: (begun) => merger.wanted(kind, begunOf(begun)),
        async merge(found, begun) {
          stored = found;
          ({ merged, added } = await merger.merge(kind, begunOf(begun), found, begun));
          return added;
        },
        rowsOf: countedRows,
      }),
    );
    const answers: (Merged | undefined)[] = loads.map(() => undefined);
    for (const [turn, { index }] of begun.loads.entries()) answers[index] = merged[turn];
    return answers;
  } finally {
    await merger.clean(stored, added);
  }
}

/** Loading, and what is loaded; `groups` is the queue of loads, which the caller closes. */
export function loadedFacts(parts: LoadedParts): { facts: LoadedFacts; groups: Groups } {
  const { server, log, reports, coverage, waitMs, logger } = parts;
  const groups = createGroups((kind, loads) => repeated(logger, () => loadGroup(parts, kind, loads)), waitMs);
  const facts: LoadedFacts = {
    merge: groups.merge,
    coverage: coverage.of,
    lastDates: coverage.lastDates,
    async loadedDays(restaurant, from, to) {
      const [rows] = await reports.over(
        { steps: [daysStep(restaurant, from, to)], restaurants: [restaurant], from, to },
        { lanes: ['quick'], deadlineMs: READ_MS },
      );
      return loadedDaysOf(rows);
    },
    async ordersOf(restaurant, date) {
      const [rows] = await reports.over(
        { steps: [ordersStep(restaurant, date)], restaurants: [restaurant], from: date, to: date },
        { lanes: ['quick'], deadlineMs: READ_MS },
      );
      return ordersOfDate(rows);
    },
    async order(restaurant, guid) {
      const { snapshot } = await log.seen();
      const ids = { restaurants: integers([restaurant]), guids: guidList([guid]), visible: visible(snapshot) };
      const options = { deadlineMs: READ_MS };
      const [place] = await server.rows('found', ids, { ...options, params: { kind: 'orders' } });
      if (!place) return undefined;
      const [row] = await server.rows(
        'versions',
        {
          ...ids,
          table: 'orders',
          key: 'order_guid',
          date: 'business_date',
          dates: integers([place.business_date]),
          versions: `(${ids.restaurants}, ${ids.guids}, ${integers([place.born])})`,
          columns: Object.keys(STORED_ORDER).join(', '),
          positive: serverPart('positive'),
        },
        options,
      );
      if (!row) throw new Error(`order ${guid} of restaurant ${restaurant} is not where its place says`);
      const { load_id: _, ...order } = row;
      return order;
    },
    forgetReplaced: (before) => log.forget(before),
  };
  return { facts, groups };
}
