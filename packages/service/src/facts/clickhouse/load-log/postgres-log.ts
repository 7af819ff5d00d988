/** The load log in PostgreSQL. */
import pg, { type Pool, type PoolClient } from 'pg';
import { loadMarkedStatements, loadStatements } from '../../../storage/sql.ts';
import { FactsGone } from '../../errors.ts';
import type { LoadLog, LoadSteps, PromotionSteps, Seen, SweepSteps } from '../protocol.ts';
import { parseSnapshot, snapshotOf, textOfSnapshot } from '../snapshot.ts';
import { type LogRow, type LogStatement, logRowOf, logRowsOf } from './row-types.ts';
import { createServerClock } from './server-clock.ts';
import { createUnanswered, type Unanswered } from './unanswered.ts';

const SQL = loadMarkedStatements(new URL('./log.sql', import.meta.url));
const SCHEMA = loadStatements(new URL('./schema.sql', import.meta.url));

/** The version of schema.sql. */
const VERSION = 2;
const CONNECTIONS = 6;
/**
 * A statement takes milliseconds; one that takes this long waits for an unavailable server. Must be less than a lease.
 */
const STATEMENT_MS = 5000;
/** Deadlock and serialization failure: the transaction was rolled back and may be repeated. */
const MAY_REPEAT = new Set(['40001', '40P01']);
const MOST_TURNS = 5;
/**
 * Error codes of an unavailable server: lost, starting or stopping (08, 57), out of resources (53), a standby (25006),
 * idle for too long (25P03).
 */
const UNAVAILABLE = /^(08|57|53|25006|25P03)/;
/** An arbitrary number, the same in all versions: the lock that a migration holds. */
const MIGRATION_LOCK = 7_284_011;

/** Parses bigint as numbers: loads and milliseconds stay far below 2^53. */
const BIGINT = 20;
const BIGINTS = 1016;

export interface Highest {
  load: number;
  promotion: number;
}

export interface CountedLoad {
  load: number;
  restaurant: number;
  /** Milliseconds since 1970 UTC. */
  committedAt: number;
  /** The first of the loads with which it was committed. */
  group: number;
  /** For the first of them: the rows of all of them. Undefined if they were not counted. */
  rows: number | undefined;
}

export interface PostgresLog extends LoadLog {
  /** Restaurants of the loads that were committed since a snapshot. */
  since(snapshot: { high: number; except: readonly number[] }): Promise<number[]>;
  /** Deletes the record of versions replaced before an instant (ms since 1970 UTC). */
  forget(before: number): Promise<void>;
  /** The last numbers that were assigned. Throws Error if the version of the log does not match this one. */
  last(): Promise<Highest>;
  /** Ensures that numbers assigned from now on are higher than these; unassigned ones below them are excluded. */
  raise(highest: Highest): Promise<void>;
  /** The next committed loads after one, ascending; empty after the last. */
  counted(after: number): Promise<CountedLoad[]>;
  /** Excludes committed loads. */
  exclude(loads: readonly number[]): Promise<void>;
  /** Deletes what is recorded of the loads of these restaurants. */
  forgetRestaurants(restaurantIds: readonly number[]): Promise<void>;
  /** Throws if the server does not answer within the deadline. */
  ping(deadlineMs: number): Promise<void>;
  close(): Promise<void>;
}

/** Parsers that return values of a type as numbers. */
function parsers() {
  const numbersOf = (text: string): number[] => (text === '{}' ? [] : text.slice(1, -1).split(',').map(Number));
  return {
    getTypeParser(type: number, format?: string): (text: string) => unknown {
      if (type === BIGINT) return Number;
      if (type === BIGINTS) return numbersOf;
      return pg.types.getTypeParser(type, format as 'text');
    },
  };
}

function openPool(url: string): Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS,
    connectionTimeoutMillis: STATEMENT_MS,
    // Set on both sides, because the server may accept connections and not answer.
    statement_timeout: STATEMENT_MS,
    query_timeout: STATEMENT_MS + 1000,
    idle_in_transaction_session_timeout: 10_000,
    application_name: 'daypart facts',
    types: parsers(),
  });
  // For a connection that breaks while idle: the next call opens another.
  pool.on('error', () => undefined);
  return pool;
}

/** Creates or changes the tables of the load log. Several calls at once run one after the other. */
export async function migrateLog(url: string): Promise<void> {
  const pool = openPool(url);
  try {
    const client: PoolClient = await pool.connect();
    try {
      await client.query('begin');
      await client.query('select pg_advisory_xact_lock($1)', [MIGRATION_LOCK]);
      await client.query(SCHEMA.schema ?? '');
      await client.query('commit');
    } finally {
      client.release(true);
    }
  } finally {
    await pool.end();
  }
}

/** Runs statements of the log. All throw FactsGone while the server is unavailable. */
interface Statements {
  /** Returns the number of changed rows. */
  run(name: string, values?: unknown[]): Promise<number>;
  many<Name extends LogStatement>(name: Name, values?: unknown[]): Promise<LogRow<Name>[]>;
  /** For a statement that always returns a row. */
  one<Name extends LogStatement>(name: Name, values?: unknown[]): Promise<LogRow<Name>>;
}

function statementsOf(pool: Pool): Statements {
  const send = async (name: string, values: unknown[] = []): Promise<pg.QueryResult> => {
    const statement = SQL[name];
    if (!statement) throw new Error(`no statement ${name} of the load log`);
    for (let turn = 1; ; turn++) {
      try {
        return await pool.query({ name: `facts.${name}`, text: statement.sql, values });
      } catch (error) {
        const isOfConnection = !(error instanceof pg.DatabaseError);
        if (isOfConnection || UNAVAILABLE.test(error.code ?? ''))
          throw new FactsGone('the load log did not answer', error);
        if (turn === MOST_TURNS || !MAY_REPEAT.has(String(error.code))) throw error;
      }
    }
  };
  return {
    run: async (name, values) => (await send(name, values)).rowCount ?? 0,
    many: async (name, values) => logRowsOf(name, (await send(name, values)).rows),
    one: async (name, values) => logRowOf(name, (await send(name, values)).rows),
  };
}

const seenOf = (row: LogRow<'seen'>): Seen => ({
  snapshot: snapshotOf(row.last_load, row.not_committed),
  promoted:
    row.promotion === null || row.promoted === null
      ? undefined
      : { promotion: row.promotion, snapshot: parseSnapshot(row.promoted), except: row.not_published },
  forgotten: row.forgotten,
  now: row.now,
});

const countedOf = (row: LogRow<'counted'>): CountedLoad => ({
  load: row.load,
  restaurant: row.restaurant_id,
  committedAt: row.committed_at,
  group: row.group_load ?? row.load,
  rows: row.row_count ?? undefined,
});

/** The steps of loads. */
function loadSteps({ many, one }: Statements, leaseMs: number, unanswered: Unanswered) {
  const clock = createServerClock();
  const abort: LoadSteps['abort'] = async (holder, loads, mayHaveRows) =>
    (await one('abort', [holder, loads, mayHaveRows])).loads;
  /**
   * Does the work. If the log is unavailable meanwhile, repeats `later` until the log answers, and throws FactsGone.
   */
  async function orAbort<T>(holder: string, later: () => Promise<unknown>, work: () => Promise<T>): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof FactsGone) unanswered.repeat(holder, later);
      throw error;
    }
  }
  return {
    begin: (holder, entries) =>
      orAbort(
        holder,
        () => abort(holder, [], false),
        async () => {
          const [restaurants, kinds] = [entries.map(({ restaurant }) => restaurant), entries.map(({ kind }) => kind)];
          const rows = await many('begin', [holder, restaurants, kinds, leaseMs, clock.in(STATEMENT_MS)]);
          const [first] = rows;
          if (!first) throw new Error('the load log did not say the time');
          clock.answered(first.now);
          const loads = rows.flatMap(({ index, load }) => (index === null || load === null ? [] : [{ index, load }]));
          return { loads, now: first.now };
        },
      ),
    async renew(holder, loads) {
      const kept = await one('renew', [holder, loads, leaseMs, clock.in(STATEMENT_MS)]);
      clock.answered(kept.now);
      return kept.loads === loads.length ? kept.now : undefined;
    },
    commit: async (holder, loads, rows) => (await one('commit', [holder, loads, rows ?? null])).loads === loads.length,
    abort(holder, loads, mayHaveRows) {
      const send = () => abort(holder, loads, mayHaveRows);
      return orAbort(holder, send, send);
    },
    areCommitted: async (loads) => (await one('committed', [loads])).loads === loads.length,
  } satisfies LoadSteps;
}

/** The steps of what is deleted. */
function sweepSteps({ run, many }: Statements) {
  return {
    async toSweep(graceMs) {
      await run('expire');
      return (await many('toSweep', [graceMs])).map(({ load }) => load);
    },
    async swept(loads) {
      await run('swept', [loads]);
    },
    losePromotions: async (graceMs) => (await many('losePromotions', [graceMs])).map(({ promotion }) => promotion),
    async forgetPromotions(promotions) {
      await run('forgetPromotions', [promotions]);
    },
  } satisfies SweepSteps;
}

/** The steps of promotions. */
function promotionSteps({ run, many, one }: Statements) {
  return {
    nextPromotion: () => one('nextPromotion'),
    async publish({ promotion, snapshot }, after) {
      try {
        const values = [promotion, textOfSnapshot(snapshot), after?.promotion ?? 0];
        return (await run('publish', values)) === 1;
      } catch (error) {
        // Two at the same moment: the unique index on `after` lets only one of them pass.
        if ((error as { code?: string }).code === '23505') return false;
        throw error;
      }
    },
    async toRetire(graceMs) {
      const [found] = await many('toRetire', [graceMs]);
      return found && { promotion: found.promotion, snapshot: parseSnapshot(found.snapshot) };
    },
    async retired(promotion) {
      await run('retired', [promotion]);
    },
  } satisfies PromotionSteps;
}

/**
 * Opens the log, which must have been migrated. `leaseMs` is how long a load may be silent. Its methods throw FactsGone
 * while the server is unavailable.
 */
export function openPostgresLog(url: string, leaseMs: number): PostgresLog {
  const pool = openPool(url);
  const statements = statementsOf(pool);
  const { run, many, one } = statements;
  const unanswered = createUnanswered(leaseMs);
  return {
    ...loadSteps(statements, leaseMs, unanswered),
    ...sweepSteps(statements),
    ...promotionSteps(statements),
    seen: async () => seenOf(await one('seen')),
    since: async ({ high, except }) => (await many('since', [high, except])).map(({ restaurant_id }) => restaurant_id),
    async forget(before) {
      await run('forget', [before]);
    },
    async last() {
      const { last_load, last_promotion, version } = await one('last');
      if (version < VERSION) throw new Error('the load log is of an older version: run daypart migrate');
      if (version > VERSION + 1)
        throw new Error(`the load log is of a newer daypart (version ${version}, this one knows ${VERSION})`);
      return { load: last_load, promotion: last_promotion };
    },
    async raise({ load, promotion }) {
      await run('raise', [load, promotion]);
    },
    counted: async (after) => (await many('counted', [after])).map(countedOf),
    async exclude(loads) {
      await run('exclude', [loads]);
    },
    async forgetRestaurants(restaurantIds) {
      await run('forgetRestaurants', [restaurantIds]);
    },
    async ping(deadlineMs) {
      await pool.query({ text: SQL.ping?.sql ?? '', query_timeout: deadlineMs } as { text: string });
    },
    async close() {
      unanswered.stop();
      await pool.end();
    },
  };
}
