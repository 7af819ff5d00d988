import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Sql, Statement } from '../sql/statements.ts';
import { type Connection, openConnection } from './connection.ts';
import { openSqliteLedger } from './sqlite.ts';

const NOW = 1_700_000_000_000;

const ADD: Statement = {
  name: 'test.add',
  texts: {
    sqlite: {
      sql: 'insert into step (name) values (:name)',
      numbered: '',
      names: ['name'],
      answers: 'exec',
      reads: false,
    },
  },
};
const NAMES: Statement = {
  name: 'test.names',
  texts: {
    sqlite: { sql: 'select name from step order by rowid', numbered: '', names: [], answers: 'many', reads: true },
  },
};
const add = (sql: Sql, name: string) => sql.run(ADD, { name });
const names = async (sql: Sql): Promise<unknown[]> =>
  ((await sql.run(NAMES, {})) as { name: unknown }[]).map(({ name }) => name);

async function withConnection(work: (connection: Connection, db: DatabaseSync) => Promise<void>): Promise<void> {
  const db = new DatabaseSync(':memory:');
  try {
    db.exec('create table step (name text not null unique)');
    await work(
      openConnection(db, () => undefined),
      db,
    );
  } finally {
    db.close();
  }
}

describe('a connection to a SQLite ledger', () => {
  it('lets no statement into a transaction that waits for something else', () =>
    withConnection(async ({ sql }) => {
      const failing = sql.transaction(async (inner) => {
        await add(inner, 'undone');
        await setImmediate();
        throw new Error('no');
      });
      const others = [
        add(sql, 'alone'),
        sql.transaction(async (inner) => {
          await add(inner, 'first');
          await setImmediate();
          await add(inner, 'second');
        }),
        add(sql, 'last'),
      ];
      const seen = names(sql);

      await assert.rejects(failing, { message: 'no' });
      await Promise.all(others);
      assert.deepEqual(await seen, ['alone', 'first', 'second', 'last']);
      assert.deepEqual(await names(sql), ['alone', 'first', 'second', 'last']);
    }));

  it('undoes a transaction within another alone, and keeps those beside it apart', () =>
    withConnection(async ({ sql }) => {
      await sql.transaction(async (outer) => {
        const failing = outer.transaction(async (inner) => {
          await add(inner, 'undone');
          await setImmediate();
          await add(inner, 'undone');
        });
        const beside = add(outer, 'beside');
        await assert.rejects(failing, /UNIQUE/);
        await beside;
      });

      assert.deepEqual(await names(sql), ['beside']);
    }));

  it('refuses statements of a transaction that has ended', () =>
    withConnection(async ({ sql }, db) => {
      let late: Sql | undefined;
      await sql.transaction(async (inner) => {
        late = inner;
      });
      await assert.rejects(async () => late && (await add(late, 'late')), /the transaction has ended/);

      await assert.rejects(
        sql.transaction(async (inner) => {
          // As a full disk does it.
          db.exec('rollback');
          await add(inner, 'alone').catch(() => undefined);
        }),
      );
      assert.deepEqual(await names(sql), []);
    }));

  it('makes changes together, of which one may fail, and keeps all others out', () =>
    withConnection(async ({ sql, joined, together, alone }, db) => {
      const order: string[] = [];
      const made = together(
        ['one', 'one', 'two'].map((name) => async () => {
          await setImmediate();
          await joined.transaction((inner) => add(inner, name)).catch(() => order.push('failed'));
        }),
      );
      const closed = alone(() => order.push(db.isTransaction ? 'within' : 'alone'));
      const other = add(sql, 'other');

      await Promise.all([made, closed, other]);
      assert.deepEqual(order, ['failed', 'alone']);
      assert.deepEqual(await names(sql), ['one', 'two', 'other']);
      await assert.rejects(add(joined, 'late'), /no changes are being made together/);
    }));

  it('says which value of a statement is missing', () =>
    withConnection(async ({ sql }) => {
      await assert.rejects(sql.run(ADD, {}), { message: 'the value name of the statement test.add is missing' });
    }));
});

describe('a SQLite ledger that is called many times at once', () => {
  it('undoes only the change that fails, and reads no row that is undone', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'daypart-ledger-'));
    const ledger = await openSqliteLedger(join(folder, 'ledger.sqlite'));
    try {
      await ledger.ensureGroup('blue', NOW);
      const report = (group: string) => ({
        guid: randomUUID(),
        group,
        clientId: 'c',
        kind: 'check',
        plan: {
          span: 'day' as const,
          startDate: 1,
          endDate: 1,
          aggregate: 'DAY' as const,
          groups: [],
          restaurantIds: [],
        },
        request: { path: '/check/day', body: {} },
        dialect: 'live' as const,
        cost: 5,
        lane: 'short' as const,
        createdAt: NOW,
        expiresAt: NOW + 1000,
      });
      const [good, bad] = [report('blue'), report('nobody')];
      const use = { group: 'blue', clientId: 'c', path: '/check/day', fingerprint: 'f', answer: {}, endsAt: NOW + 1 };

      const [failed, added, , , seen] = await Promise.allSettled([
        ledger.addReport(bad, { ...use, key: 'bad' }),
        ledger.addReport(good, { ...use, key: 'good' }),
        ledger.ensureGroup('green', NOW),
        ledger.seeTime(NOW, 1000),
        ledger.keyUse({ ...use, key: 'bad' }, NOW),
        ledger.close(),
      ]);

      assert.deepEqual(
        [failed.status, added.status, seen],
        ['rejected', 'fulfilled', { status: 'fulfilled', value: undefined }],
      );
      const again = await openSqliteLedger(join(folder, 'ledger.sqlite'));
      assert.deepEqual(await again.groups(), ['blue', 'green']);
      assert.equal((await again.report(good.guid))?.state, 'queued');
      await again.close();
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
