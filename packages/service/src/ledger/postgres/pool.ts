/** Connections to PostgreSQL, and what the loss of one means to the statement that was under way. */
import { setTimeout } from 'node:timers/promises';
import pg from 'pg';
import { LedgerGone } from '../gone.ts';
import { UnstorableText } from '../unstorable-text.ts';

/** Values are parameters, `$1` and so on. */
export interface Statement {
  text: string;
  values?: readonly unknown[];
  /** Prepared under it, once in each connection. */
  name?: string;
  /** It changes nothing: it is sent once more where its connection was lost. */
  reads?: boolean;
}

export interface Answer<Row> {
  rows: Row[];
  /** Rows that were answered or changed. */
  count: number;
}

export type Run = <Row extends pg.QueryResultRow>(statement: Statement) => Promise<Answer<Row>>;

export interface PostgresPool {
  /** Runs a statement in a transaction of its own. Throws LedgerGone where the server is away, pg.DatabaseError where it refuses. */
  run: Run;
  /**
   * Runs statements in one transaction (read committed), which is rolled back when the work throws. The work is done again when
   * the server ended it for a deadlock, so it must do nothing else. Throws as `run` does.
   */
  transaction<T>(work: (run: Run) => Promise<T>): Promise<T>;
  /** Whether a notification came from one of these connections. */
  isOwn(processId: number): boolean;
  /** Waits for statements under way. */
  close(): Promise<void>;
}

const CONNECTIONS = 10;
/** The server ends a statement then, so that no call waits for a lock for ever. */
const STATEMENT_MS = 5000;
/** A transaction whose node is frozen keeps its locks no longer. */
const IDLE_IN_TRANSACTION_MS = 10_000;
/** For a server that does not even end a statement: it is frozen, or the network is cut. */
const ANSWER_MS = 7000;
const CONNECT_MS = 5000;
/** Three deadlocks in a row are no chance. */
const MOST_TRIES = 3;
const RETRY_MS = 10;

/** Instants, counts and ids are `bigint`: all of them below 2^53. */
const types = new pg.TypeOverrides();
types.setTypeParser(pg.types.builtins.INT8, (text) => {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) throw new Error(`${text} does not fit a number`);
  return value;
});

/** How any connection is made: those of a pool, and one that listens. The parameters of the URL take precedence. */
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

/** Connection lost or refused (08), server ends or starts (57P), idle in a transaction (25P03). The connection is of no use. */
const CONNECTION_LOST = /^(08|57P|25P03)/;
/** Also: no room left (53), a standby (25006), ended by the statement's timeout (57014). The connection remains usable. */
const UNAVAILABLE = /^(53|25006|57014)/;
/** Rolled back by the server, and worth another try. */
const ROLLED_BACK = /^(40001|40P01)$/;

const stateOf = (error: unknown): string | undefined => (error instanceof pg.DatabaseError ? error.code : undefined);

/** Opens connections as they are asked for; none is made here. Lost ones are replaced at the next statement. */
export function openPool(url: string, size = CONNECTIONS): PostgresPool {
  const pool = new pg.Pool({ ...connectionTo(url), max: size });
  // Without a listener the loss of a connection that nobody uses ends the process.
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
    let lost = false;
    try {
      return await work(client);
    } catch (error) {
      lost = error instanceof LedgerGone && isLost(error.cause);
      throw error;
    } finally {
      client.release(lost);
    }
  }

  const once: Run = (statement) => withClient((client) => sendTo(client, statement, statement.reads !== true));

  return {
    async run(statement) {
      try {
        return await once(statement);
      } catch (error) {
        // The server was started again since this connection was used last: others are as old.
        if (statement.reads && error instanceof LedgerGone && isCut(error.cause)) return await once(statement);
        throw error;
      }
    },
    async transaction(work) {
      for (let tries = 1; ; tries++) {
        try {
          return await withClient((client) => inTransaction(client, work));
        } catch (error) {
          if (tries === MOST_TRIES || !ROLLED_BACK.test(stateOf(error) ?? '')) throw error;
          // The other one takes the locks meanwhile.
          await setTimeout(RETRY_MS * (1 + Math.random()));
        }
      }
    },
    isOwn: (processId) => own.has(processId),
    close: () => pool.end(),
  };
}

/** The process of the server that serves the connection. */
const processOf = (client: pg.ClientBase): number | undefined =>
  'processID' in client && typeof client.processID === 'number' ? client.processID : undefined;

/** Whatever the server did not say itself is of the connection. */
const isLost = (cause: unknown): boolean =>
  cause instanceof pg.DatabaseError ? CONNECTION_LOST.test(cause.code ?? '') : true;
/** Ended at once, not by a timeout. */
const isCut = (cause: unknown): boolean => isLost(cause) && !(cause instanceof Error && /timeout/.test(cause.message));

/** PostgreSQL has no text with the character U+0000. */
const isUnstorable = (value: unknown): boolean =>
  Array.isArray(value) ? value.some(isUnstorable) : typeof value === 'string' && value.includes('\0');

/**
 * Sends a statement. `changes`: whether its outcome is unknown once the connection is lost. Throws as `PostgresPool.run`, and
 * UnstorableText; a read by such a text finds nothing.
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
    if (lost || UNAVAILABLE.test(stateOf(error) ?? '')) throw new LedgerGone(error, changes && lost);
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
