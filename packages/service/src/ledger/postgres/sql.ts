/** The statements of a ledger over connections to PostgreSQL. */
import { boundValue, type Sql, textFor } from '../sql/statements.ts';
import { lock } from './locks.ts';
import type { PostgresPool, Run } from './pool.ts';

/**
 * Statements of one transaction, or each in its own. Each connection prepares them once. A transaction within is part
 * of the one around it.
 */
export function sqlOver(run: Run): Sql {
  const sql: Sql = {
    async run(statement, values) {
      const { numbered, names, answers, reads } = textFor('postgres', statement);
      const bound = names.map((name) => boundValue(values, name, statement));
      const { rows, count } = await run({ name: statement.name, text: numbered, reads, values: bound });
      return answers === 'exec' ? count : answers === 'many' ? rows : rows[0];
    },
    transaction: (work) => work(sql),
  };
  return sql;
}

/** Statements and transactions of a pool. */
export function sqlOfPool(pool: PostgresPool): Sql {
  return {
    run: sqlOver(pool.run).run,
    transaction: (work, held) =>
      pool.transaction(async (run) => {
        const sql = sqlOver(run);
        if (held) await lock(sql, ...held);
        return await work(sql);
      }),
  };
}
