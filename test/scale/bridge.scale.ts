/**
 * The bridge answers the official client as a ClickHouse server does, and the proxy in front of it fails as networks
 * do.
 */
import assert from 'node:assert/strict';
import { mkdtempSync } from 'node:fs';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { type ClickHouseClient, ClickHouseError, ClickHouseLogLevel, createClient } from '@clickhouse/client';
import { type Bridge, startBridge } from './bridge/bridge.ts';
import { startProxy } from './proxy.ts';

/** The client writes each failure that a test causes. */
const log = { level: ClickHouseLogLevel.OFF };

describe('the bridge', () => {
  const folder = mkdtempSync(join(tmpdir(), 'daypart-bridge-'));
  let bridge: Bridge;
  let client: ClickHouseClient;
  before(async () => {
    bridge = await startBridge(folder);
    client = createClient({ url: bridge.url, log });
    await client.command({ query: 'create database shop' });
    await client.command({
      query: 'create table shop.sold (n UInt64, name Nullable(String)) engine = MergeTree order by n',
    });
  });
  after(async () => {
    await client.close();
    await bridge.kill();
    await rm(folder, { recursive: true, force: true });
  });

  const rowsOf = async (query: string, more: object = {}): Promise<unknown[]> =>
    (await client.query({ query, format: 'JSONEachRow', ...more })).json();
  const count = async (): Promise<number> => {
    const [row] = (await rowsOf('select count() as n from shop.sold')) as { n: string | number }[];
    return Number(row?.n);
  };
  const empty = () => client.command({ query: 'truncate table shop.sold' });
  const codeOf = async (asked: Promise<unknown>): Promise<string> => {
    const error: unknown = await asked.then(
      () => undefined,
      (failed: unknown) => failed,
    );
    assert.ok(error instanceof ClickHouseError, String(error));
    return `${error.code} ${error.type}`;
  };

  it('answers a ping', async () => {
    assert.deepEqual(await client.ping(), { success: true });
  });

  it('takes values as parameters: text with any character, lists, null', async () => {
    const text = `it's "50\\%"\n\ttab`;
    const list = ['a', "b'c", 'd\\'];
    const [row] = await rowsOf(
      'select {text:String} as text, {list:Array(String)} as list, {none:Nullable(String)} as none',
      {
        query_params: { text, list, none: null },
      },
    );
    assert.deepEqual(row, { text, list, none: null });
  });

  it('takes lists that are too long for an address', async () => {
    const numbers = Array.from({ length: 20_000 }, (_, n) => n);
    const [row] = await rowsOf('select toUInt32(length({numbers:Array(UInt32)})) as n', {
      query_params: { numbers },
      use_multipart_params: true,
    });
    assert.deepEqual(row, { n: 20_000 });
  });

  it('has a setting for one call and not for the next', async () => {
    const value = () => rowsOf("select value from system.settings where name = 'max_block_size'");
    const before = await value();
    const during = await rowsOf("select value from system.settings where name = 'max_block_size'", {
      clickhouse_settings: { max_block_size: '777' },
    });
    assert.deepEqual([during, await value()], [[{ value: '777' }], before]);
  });

  it('inserts objects, streams of them, and nothing from a body that ends early', async () => {
    await empty();
    await client.insert({ table: 'shop.sold', values: [{ n: 1, name: null }], format: 'JSONEachRow' });
    const many = Readable.from(Array.from({ length: 5000 }, (_, n) => ({ n, name: `item ${n}` })));
    const { summary } = await client.insert({ table: 'shop.sold', values: many, format: 'JSONEachRow' });
    assert.equal(await count(), 5001);
    assert.equal(summary?.written_rows, '5000');
    const broken = new Readable({
      objectMode: true,
      read() {
        this.push({ n: 1, name: 'x' });
        this.destroy(new Error('the sender ended'));
      },
    });
    await assert.rejects(client.insert({ table: 'shop.sold', values: broken, format: 'JSONEachRow' }));
    assert.equal(await count(), 5001);
  });

  it('answers Parquet whole, with its head and its foot', async () => {
    const { stream } = await client.exec({ query: 'select number as n from numbers(300000) format Parquet' });
    const bytes = await buffer(stream);
    assert.deepEqual([bytes.subarray(0, 4).toString(), bytes.subarray(-4).toString()], ['PAR1', 'PAR1']);
  });

  it('answers errors with their code and type', async () => {
    assert.equal(await codeOf(rowsOf('select from where')), '62 SYNTAX_ERROR');
    assert.equal(await codeOf(rowsOf('select * from shop.nothing')), '60 UNKNOWN_TABLE');
    const broken = client.insert({ table: 'shop.sold', values: ['{"n": "a lot"}'], format: 'JSONEachRow' });
    assert.match(await codeOf(broken), /^\d+ CANNOT_/);
  });

  it('cuts the connection if a query fails among its rows', async () => {
    const query = 'select number, throwIf(number = 300000) as failed from numbers(400000)';
    const result = await client.query({
      query,
      format: 'JSONEachRow',
      clickhouse_settings: { max_block_size: '10000' },
    });
    await assert.rejects(result.text());
  });

  it('ends a call that is aborted, and answers the next', async () => {
    const abort = new AbortController();
    const asked = rowsOf('select sleepEachRow(0.5) from numbers(4) settings max_block_size = 1', {
      abort_signal: abort.signal,
    });
    abort.abort();
    await assert.rejects(asked);
    assert.deepEqual(await rowsOf('select 1 as one'), [{ one: 1 }]);
  });

  it('continues when clients go away while it runs their queries', async () => {
    let rounds = 0;
    async function goAway(): Promise<void> {
      while (rounds++ < 400) {
        const leaving = createClient({ url: bridge.url, log, clickhouse_settings: { wait_end_of_query: 1 } });
        const asked = [20_000, 200_000].map((n) =>
          leaving
            .exec({ query: `select number from numbers(${n}) format Parquet` })
            .then(({ stream }) => buffer(stream)),
        );
        const ended = Promise.allSettled(asked);
        await sleep(Math.random() * 40);
        await leaving.close();
        await ended;
      }
    }
    await Promise.all(Array.from({ length: 4 }, goAway));
    assert.deepEqual(await rowsOf('select 1 as one'), [{ one: 1 }]);
  });

  it('answers several at once', async () => {
    const asked = Array.from({ length: 12 }, (_, n) => rowsOf('select {n:UInt32} as n', { query_params: { n } }));
    assert.deepEqual(
      await Promise.all(asked),
      asked.map((_, n) => [{ n }]),
    );
  });

  it('has its data when it is started again', async () => {
    await empty();
    await client.insert({ table: 'shop.sold', values: [{ n: 1, name: null }], format: 'JSONEachRow' });
    const { port } = bridge;
    await bridge.kill();
    await assert.rejects(count());
    bridge = await startBridge(folder, port);
    assert.equal(await count(), 1);
  });

  it('answers after one was killed while it wrote its first answer', async () => {
    const { port } = bridge;
    await bridge.kill();
    await writeFile(join(folder, 'spool', '1'), 'a part of an answer');
    bridge = await startBridge(folder, port);

    const { stream } = await client.exec({ query: 'select 1 as one format Parquet' });
    assert.equal((await buffer(stream)).subarray(-4).toString(), 'PAR1');
  });

  it('is cut off, delayed and frozen by a proxy, and answers again when the proxy is healed', async () => {
    const proxy = await startProxy(bridge.port);
    const far = createClient({ url: `http://127.0.0.1:${proxy.port}`, request_timeout: 1000, log });
    const one = async (query = 'select 1 as one'): Promise<unknown> =>
      (await far.query({ query, format: 'JSONEachRow' })).json();
    try {
      assert.deepEqual(await one(), [{ one: 1 }]);
      proxy.delay(30);
      assert.deepEqual(await one(), [{ one: 1 }]);
      proxy.cut();
      await assert.rejects(one());
      proxy.heal();
      assert.deepEqual(await one(), [{ one: 1 }]);
      proxy.freeze();
      await assert.rejects(one(), /Timeout/i);
      proxy.heal();
      proxy.cutAfter(100_000);
      await assert.rejects(one('select number from numbers(1000000)'));
      proxy.heal();
      assert.deepEqual(await one(), [{ one: 1 }]);
    } finally {
      await far.close();
      await proxy.close();
    }
  });
});
