import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { rebuildSteps } from './derived.ts';
import { createOrderHeads, datesChangedBy, type Head } from './order-heads.ts';
import { openRows } from './rows.ts';
import { mergeSteps, partOf } from './steps.ts';

/** Two restaurants of different tables, and one of the table of the first. */
const [FIRST, SECOND, THIRD] = [1, 2, 65];
const headOf = (restaurant: number, head: number): Head => ({ part: partOf(restaurant), head });
const textOf = ({ part, head }: Head): string => `${part}/${head}`;

describe('the heads of stored orders', () => {
  let instance: DuckDBInstance;
  let connection: DuckDBConnection;
  before(async () => {
    instance = await DuckDBInstance.create(':memory:');
    connection = await instance.connect();
    for (const table of ['order_dates_01', 'order_dates_02', 'new_order_dates'])
      await connection.run(`create table ${table} (restaurant_id integer, guid_head uinteger, business_date integer)`);
  });
  after(() => {
    connection.closeSync();
    instance.closeSync();
  });

  const store = (table: string, restaurant: number, head: number) =>
    connection.run(`insert into ${table} values (${restaurant}, ${head}, 20260310)`);
  /** What may be stored of heads 0 to 9 and the highest. */
  async function maybe(heads: ReturnType<typeof createOrderHeads>, restaurant: number): Promise<string[]> {
    const requested = [...Array(10).keys(), 2 ** 32 - 1].map((head) => headOf(restaurant, head));
    return (await heads.maybeStored(openRows(connection).readIntegers, requested)).map(textOf);
  }

  it('show which orders may be stored, whichever statement stored them', async () => {
    const heads = createOrderHeads();
    await store('order_dates_01', FIRST, 7);
    await store('order_dates_01', FIRST, 2 ** 32 - 1);
    await store('order_dates_01', THIRD, 3);
    await store('new_order_dates', FIRST, 0);
    await store('new_order_dates', SECOND, 5);

    assert.deepEqual(await maybe(heads, FIRST), ['01/0', '01/3', '01/7', '01/4294967295']);
    assert.deepEqual(await maybe(heads, SECOND), ['02/5']);

    heads.stored([headOf(FIRST, 4), headOf(SECOND, 5)]);
    assert.deepEqual(await maybe(heads, THIRD), ['01/0', '01/3', '01/4', '01/7', '01/4294967295']);

    await store('order_dates_01', FIRST, 9);
    heads.forget(['02']);
    assert.equal((await maybe(heads, FIRST)).includes('01/9'), false);
    heads.forget(['01']);
    assert.ok((await maybe(heads, FIRST)).includes('01/9'));
  });

  it('are read of one table at a time; until then each order may be stored', async () => {
    const heads = createOrderHeads();
    const read: string[] = [];
    const orders = [headOf(FIRST, 8), headOf(SECOND, 8)];
    const ask = () =>
      heads.maybeStored((sql) => {
        read.push(sql);
        return openRows(connection).readIntegers(sql);
      }, orders);

    assert.deepEqual((await ask()).map(textOf), ['02/8']);
    assert.deepEqual(await ask(), []);
    assert.deepEqual(await ask(), []);
    assert.equal(read.length, 2);
  });

  it('of a table with too many orders are not kept', async () => {
    const heads = createOrderHeads(6);
    assert.equal((await maybe(heads, FIRST)).length, 5);
    heads.stored([headOf(FIRST, 1), headOf(FIRST, 2)]);
    assert.equal((await maybe(heads, FIRST)).length, 11);
    heads.forget();
    const unread = heads.maybeStored(() => assert.fail('it is read again'), [headOf(FIRST, 6)]);
    assert.equal((await unread).length, 1);
  });

  it('are as many when those that were added are put among the others', async () => {
    const heads = createOrderHeads();
    await maybe(heads, SECOND);
    const added = Array.from({ length: 20_000 }, (_, at) => headOf(SECOND, (at * 2_654_435_761) % 2 ** 32));
    heads.stored(added);
    const others = added.map(({ part, head }) => ({ part, head: (head + 1) % 2 ** 32 }));
    const stored = new Set(added.map(textOf)).add('02/5');

    const read = openRows(connection).readIntegers;
    assert.equal((await heads.maybeStored(read, added)).length, added.length);
    assert.deepEqual(
      (await heads.maybeStored(read, others)).map(textOf),
      others.map(textOf).filter((order) => stored.has(order)),
    );
  });
});

it('the order dates that statements change are known', () => {
  const files = { kind: 'orders', folder: '/spool', bytes: 1 } as const;
  assert.deepEqual(new Set(datesChangedBy(mergeSteps(SECOND, files, 0))), new Set(['02']));
  assert.deepEqual(datesChangedBy(mergeSteps(SECOND, { ...files, kind: 'shifts' }, 0)), []);
  assert.equal(new Set(datesChangedBy(rebuildSteps())).size, 64);
});
