/** Connections to PostgreSQL, and what the loss of one means for the statement that was running on it. */
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { LedgerGone, UnstorableText } from '../ledger.ts';

/** The text has `$1`, `$2`, … for its values. */
export interface Statement {
  text: string;
  values?: readonly unknown[];
  /** The name under which each connection prepares the statement once. */
  name?: string;
  /** The statement changes nothing, so it is sent once more if its connection was lost. */
  reads?: boolean;
}

export interface Answer<Row> {
  rows: Row[];
  /** How many rows were returned or changed. */
  count: number;
}

export type Run = <Row extends pg.QueryResultRow>(statement: Statement) => Promise<Answer<Row>>;

export interface PostgresPool {
  /**
   * Runs a statement in its own transaction. Throws LedgerGone if the server is unavailable, pg.DatabaseError if it
   * refuses.
   */
  run: Run;
  /**
   * Runs statements in one transaction (read committed), which is rolled back if the work throws. The work is run again
   * if the server ended it because of a deadlock or a table with new columns, so it must have no other effects. Throws
   * like `run`.
   */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** Whether a notification came from one of these connections. */
  isOwn(processId: number): boolean;
  /** Waits for running statements. */
  close(): Promise<void>;
}

const CONNECTIONS = 10;
/** The server's limit for a statement, so that no call waits for a lock forever. */
const STATEMENT_MS = 5000;
/** The server's limit for a transaction without statements, so that a frozen node does not keep its locks. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** The client's limit, for a server that is frozen or a network that is cut. */
const ANSWER_MS = 7000;
const CONNECT_MS = 5000;
/** Three deadlocks in a row are not a coincidence. */
const MOST_TRIES = 3;
const RETRY_MS = 10;

/** Instants, counts and ids are `bigint`, all of them below 2^53, and are read as numbers. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} does not fit a number`);
  return value;
});

/** Options of every connection, whether of a pool or for listening. Parameters of the URL take precedence. */
export const connectionTo = (url: string): pg.ClientConfig => ({
  connectionString: url,
  application_name: 'daypart',
  connectionTimeoutMillis: CONNECT_MS,
  statement_timeout: STATEMENT_MS,
  idle_in_transaction_session_timeout: IDLE_IN_TRANSACTION_MS,
  query_timeout: ANSWER_MS,
  keepAlive: true,
  types,
});

/**
 * Connection lost or refused (08), server stopping or starting (57P), idle in a transaction (25P03). The connection is
 * then useless.
 */
const CONNECTION_LOST = /^(08|57P|25P03)/;
/** Out of resources (53), a standby (25006), statement timeout (57014). The connection remains usable. */
const UNAVAILABLE = /^(53|25006|57014)/;
/** Rolled back by the server; another try may succeed. */
const ROLLED_BACK = /^(40001|40P01)$/;

/** "cached plan must not change result type" is one of the features that are not supported. */
const NOT_SUPPORTED = '0A000';

const sqlState = (error: unknown): string | undefined => (error instanceof pg.DatabaseError ? error.code : undefined);

/** Opens connections on demand, none here. Lost ones are replaced at the next statement. */
export function openPool(url: string, size = CONNECTIONS): PostgresPool {
  const pool = new pg.Pool({ ...connectionTo(url), max: size });
  // Without a listener, the loss of an idle connection would end the process.
  pool.on('error', () => undefined);
  const own = new Set<number | undefined>();
  pool.on('connect', (client) => {
    own.add(processOf(client));
    client.on('error', () => undefined);
  });
  pool.on('remove', (client) => own.delete(processOf(client)));

  async function withClient<T>(work: (client: pg.PoolClient) => Promise<T>): Promise<T> {
    const client = await pool.connect().catch((error: unknown) => {
      throw new LedgerGone(error, false);
    });
    let isUseless = false;
    try {
      return await work(client);
    } catch (error) {
      isUseless = (error instanceof LedgerGone && isLost(error.cause)) || isOutdated(error);
      throw error;
    } finally {
      client.release(isUseless);
    }
  }

  /**
   * `select *` that a connection prepared before a migration added a column is refused by that connection from then on,
   * before anything is done. Such a connection is replaced; the others may be as old.
   */
  async function withNewPlans<T>(work: () => Promise<T>): Promise<T> {
    for (let left = size; ; left--) {
      try {
        return await work();
      } catch (error) {
        if (left === 0 || !isOutdated(error)) throw error;
      }
    }
  }

  const once: Run = (statement) =>
    withNewPlans(() => withClient((client) => sendTo(client, statement, statement.reads !== true)));

  return {
    async run(statement) {
      try {
        return await once(statement);
      } catch (error) {
        // The server was restarted since this connection was last used; the other connections are as old, so one more
        // try gets a new one.
        if (statement.reads && error instanceof LedgerGone && isCut(error.cause)) return await once(statement);
        throw error;
      }
    },
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await withNewPlans(() => withClient((client) => inTransaction(client, work)));
        } catch (error) {
          if (tries === MOST_TRIES || !ROLLED_BACK.test(sqlState(error) ?? '')) throw error;
          // So that the other transaction gets the locks meanwhile.
          await setTimeout(RETRY_MS * (1 + Math.random()));
        }
      }
    },
    isOwn: (processId) => own.has(processId),
    close: () => pool.end(),
  };
}

/** The process id of the server process that serves the connection. */
const processOf = (client: pg.ClientBase): number | undefined =>
  'processID' in client && typeof client.processID === 'number' ? client.processID : undefined;

/** Any error that the server did not send itself is one of the connection. */
const isLost = (cause: unknown): boolean =>
  cause instanceof pg.DatabaseError ? CONNECTION_LOST.test(cause.code ?? '') : true;
/** Cut immediately, not by a timeout. */
const isCut = (cause: unknown): boolean => isLost(cause) && !(cause instanceof Error && /timeout/.test(cause.message));

/** Refused because of what the connection prepared earlier. */
const isOutdated = (error: unknown): boolean => sqlState(error) === NOT_SUPPORTED;

/** PostgreSQL cannot store the character U+0000. */
const isUnstorable = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isUnstorable) : typeof value === 'string' && value.includes('\0');

/**
 * Sends a statement. `changes`: it may change rows, so its outcome is unknown if the connection is lost. Throws like
 * `PostgresPool.run`, and UnstorableText; a read with such a text returns no rows.
 */
export async function sendTo<Row extends pg.QueryResultRow>(
  client: pg.ClientBase,
  { text, values, name, reads }: Statement,
  changes: boolean,
): Promise<Answer<Row>> {
  if (values?.some(isUnstorable)) {
    if (reads) return { rows: [], count: 0 };
    throw new UnstorableText();
  }
  try {
    const answer = await client.query<Row>({
      text,
      ...(values === undefined ? {} : { values: [...values] }),
      ...(name === undefined ? {} : { name }),
    });
    return { rows: answer.rows, count: answer.rowCount ?? 0 };
  } catch (error) {
    const lost = isLost(error);
    if (lost || UNAVAILABLE.test(sqlState(error) ?? '')) throw new LedgerGone(error, changes && lost);
    throw error;
  }
}

async function inTransaction<T>(client: pg.PoolClient, work: (run: Run) => Promise<T>): Promise<T> {
  const run: Run = (statement) => sendTo(client, statement, false);
  try {
    await run({ text: 'begin' });
    const result = await work(run);
    await sendTo(client, { text: 'commit' }, true);
    return result;
  } catch (error) {
    const lost = error instanceof LedgerGone && isLost(error.cause);
    if (!lost) await run({ text: 'rollback' });
    throw error;
  }
}
