/**
 * The statements of a ledger over one connection to its file. SQLite runs a statement at once and has one transaction
 * for a connection, so whatever is called while a transaction waits for something would become part of it: statements
 * and transactions take turns.
 */
import type { DatabaseSync, SQLInputValue, StatementSync } from 'node:sqlite';
import { boundValue, type Sql, type Statement, type Text, textFor, type Values } from '../sql/statements.ts';

export interface Connection {
  sql: Sql;
  /** Runs what `together` calls: in its transaction. Throws outside of it. */
  joined: Sql;
  /**
   * Runs the steps in one transaction, in their order. Rejects if none was made: one threw, or the transaction ended
   * early.
   */
  together<T>(steps: (() => Promise<T>)[]): Promise<T[]>;
  /** Does what no transaction may contain, after those that were called before. */
  alone<T>(work: () => T): Promise<T>;
}

interface Steps {
  begin: string;
  commit: string;
  rollback: string;
}

/** Takes the write lock at its start: a read lock could not become a write lock while another process writes. */
const TRANSACTION: Steps = { begin: 'begin immediate', commit: 'commit', rollback: 'rollback' };
/** Within a transaction: rolls back to its own start, and is committed with the outer one. */
const SAVEPOINT: Steps = {
  begin: 'savepoint inner',
  commit: 'release inner',
  rollback: 'rollback to inner; release inner',
};

/**
 * Returns a function that starts works one after the other, in the order of its calls: at once if none is unfinished.
 */
function createTurns() {
  let last: Promise<unknown> | undefined;
  return async <T>(work: () => T | Promise<T>): Promise<T> => {
    const done = last ? last.then(work, work) : work();
    if (!(done instanceof Promise)) return done;
    last = done;
    try {
      return await done;
    } finally {
      if (last === done) last = undefined;
    }
  };
}

function callOf(statement: StatementSync, { answers, reads }: Text) {
  const call: Record<Text['answers'], (values: Record<string, SQLInputValue>) => unknown> = {
    exec: (values) => Number(statement.run(values).changes),
    many: (values) => statement.all(values),
    // `get` stops after the first row: for an update with `returning`, a failed commit would then go unnoticed.
    one: reads ? (values) => statement.get(values) : (values) => statement.all(values)[0],
  };
  return call[answers];
}

/** Prepares each statement once. `onChange` is called before every statement that is not marked `:read`. */
export function openConnection(db: DatabaseSync, onChange: () => void): Connection {
  const prepared = new Map<Statement, (values: Values) => unknown>();
  function prepare(statement: Statement) {
    const text = textFor('sqlite', statement);
    const call = callOf(db.prepare(text.sql), text);
    return (values: Values): unknown => {
      const bound: Record<string, SQLInputValue> = {};
      for (const name of text.names) bound[name] = boundValue(values, name, statement) as SQLInputValue;
      if (!text.reads) onChange();
      return call(bound);
    };
  }
  function execute(statement: Statement, values: Values): unknown {
    const call = prepared.get(statement) ?? prepare(statement);
    prepared.set(statement, call);
    return call(values);
  }

  function sqlOf(steps: Steps, inTurn: ReturnType<typeof createTurns>, check: () => void): Sql {
    return {
      run: (statement, values) =>
        inTurn(() => {
          check();
          return execute(statement, values);
        }),
      transaction: (work) =>
        inTurn(async () => {
          check();
          db.exec(steps.begin);
          let isOver = false;
          const inner = sqlOf(SAVEPOINT, createTurns(), () => {
            // A full disk may end the whole transaction: what follows would be committed one by one.
            if (isOver || !db.isTransaction) throw new Error('the transaction has ended');
          });
          try {
            const result = await work(inner);
            db.exec(steps.commit);
            return result;
          } catch (error) {
            if (db.isTransaction) db.exec(steps.rollback);
            throw error;
          } finally {
            isOver = true;
          }
        }),
    };
  }

  const inTurn = createTurns();
  const sql = sqlOf(TRANSACTION, inTurn, () => undefined);
  let transaction: Sql | undefined;
  const within = (): Sql => {
    if (!transaction) throw new Error('no changes are being made together');
    return transaction;
  };
  return {
    sql,
    joined: {
      run: async (statement, values) => await within().run(statement, values),
      transaction: async (work) => await within().transaction(work),
    },
    together: (steps) =>
      sql.transaction(async (inner) => {
        const answers = [];
        transaction = inner;
        try {
          for (const step of steps) {
            if (!db.isTransaction) throw new Error('the transaction has ended');
            answers.push(await step());
          }
        } finally {
          transaction = undefined;
        }
        return answers;
      }),
    alone: async (work) => await inTurn(work),
  };
}
