/**
 * Stored reports that are damaged or missing: never served, created again if possible, otherwise 409 with how to
 * request them again.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { open, readFile, rename, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { gunzipSync } from 'node:zlib';
import type { ReportForm } from '../../packages/service/src/ledger/form.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { keptFiles } from '../journeys/kept-files.ts';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from '../journeys/service.ts';

const DAY = { startBusinessDate: '20260310' };
const LARGE = { startBusinessDate: '20260311' };
/** Enough checks for a form of over a megabyte. */
const MANY = 2500;

describe('a stored report', () => {
  let running: Running;
  let token: string;
  const logged: string[] = [];
  before(async () => {
    const log = openLog('warn', { write: (line) => void logged.push(line) });
    running = await startJourney({ waitSeconds: 20 }, log);
    token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
    await postOrders(running, token, BISTRO, [plainOrder(), plainOrder()]);
    const many = Array.from({ length: MANY }, () => plainOrder({ businessDate: 20260311 }));
    await postOrders(running, token, BISTRO, many);
  });
  after(() => running?.stop());

  const get = (guid: string, headers: Record<string, string> = {}, query = '') =>
    running.call('GET', `/check/${guid}${query}`, { token, headers: { 'accept-encoding': 'identity', ...headers } });
  const stored = async (guid: string, name: string): Promise<string> =>
    (await keptFiles(running.config.data, guid)).get(name) ?? assert.fail(`${name} is not there`);
  const digestOf = (text: string): string => `sha-256=:${createHash('sha256').update(text).digest('base64')}:`;

  /** A report that was read once, and what it said. */
  async function made(json: object): Promise<{ guid: string; text: string }> {
    const guid = await ask(running, token, '/check/day', json);
    const { status, text } = await get(guid);
    assert.equal(status, 200);
    return { guid, text };
  }

  /** Changes one byte in the middle, as a failing disk would. */
  async function flip(path: string): Promise<void> {
    const { size } = await stat(path);
    const file = await open(path, 'r+');
    try {
      const byte = Buffer.alloc(1);
      const at = Math.floor(size / 2);
      await file.read(byte, 0, 1, at);
      byte[0] = (byte[0] ?? 0) ^ 1;
      await file.write(byte, 0, 1, at);
    } finally {
      await file.close();
    }
  }

  const formOf = async (guid: string, name: string): Promise<ReportForm> =>
    (await running.service.stores.ledger.forms(guid)).find((form) => form.name === name) ?? assert.fail(name);
  /** Until the digest of a large form is in its row, where it comes once it is published. */
  async function digested(guid: string, name: string): Promise<void> {
    while ((await formOf(guid, name)).sha256 === null) await sleep(10);
  }

  /** Changes the ledger as no service does. */
  function inLedger(statement: string, ...values: string[]): void {
    const db = new DatabaseSync(join(running.config.data, 'ledger.sqlite'), { timeout: 5000 });
    try {
      db.prepare(statement).run(...values);
    } finally {
      db.close();
    }
  }

  /** Leaves the files and rows of a report as a version without rows for forms did. */
  async function madeOlder(guid: string, digests: Record<string, string>): Promise<Map<string, string>> {
    const files = await keptFiles(running.config.data, guid);
    for (const [name, path] of files) await rename(path, join(dirname(path), name));
    inLedger('delete from report_form where report_guid = ?', guid);
    inLedger('update report_request set digests = ? where guid = ?', JSON.stringify(digests), guid);
    return new Map([...files].map(([name, path]) => [name, join(dirname(path), name)]));
  }

  const DAMAGE: Record<string, (path: string) => Promise<void>> = {
    'has a flipped bit': flip,
    'was cut off': (path) => truncate(path, 1000),
    'is gone': (path) => rm(path),
  };
  for (const [what, damage] of Object.entries(DAMAGE)) {
    it(`whose large form ${what} is made again from its snapshot`, async () => {
      const { guid, text } = await made(LARGE);
      await digested(guid, 'reference.json');
      await damage(await stored(guid, 'reference.json'));

      const again = await get(guid, { 'want-repr-digest': 'sha-256=9' });

      assert.equal(again.status, 200);
      assert.equal(again.text === text, true);
      assert.equal(again.headers.get('repr-digest'), digestOf(text));
    });

    it(`whose small form ${what} is made again at the next start`, async () => {
      const { guid, text } = await made(DAY);
      await damage(await stored(guid, 'reference.json'));
      await running.restart();

      const again = await get(guid);

      assert.deepEqual([again.status, again.text], [200, text]);
      assert.equal(again.headers.get('repr-digest'), digestOf(text));
    });
  }

  it('whose form changed before it had a digest is not affected by the damage', async () => {
    const { guid, text } = await made(LARGE);
    await digested(guid, 'reference.json');
    inLedger('update report_form set sha256 = null where report_guid = ? and name = ?', guid, 'reference.json');
    await flip(await stored(guid, 'reference.json'));
    await running.restart();

    const again = await get(guid, { 'want-repr-digest': 'sha-256=9' });

    assert.equal(again.text === text, true);
    assert.equal(again.headers.get('repr-digest'), digestOf(text));
  });

  it('that a version without rows for forms made is read unchanged, or made again if it is damaged', async () => {
    const { guid, text } = await made(LARGE);
    const csv = (await get(guid, {}, '?format=csv')).text;
    for (const name of ['reference.json', 'reference.csv']) await digested(guid, name);
    const [json, table, snapshot] = await Promise.all(
      ['reference.json', 'reference.csv', 'snapshot.parquet'].map((name) => formOf(guid, name)),
    );
    const paths = await madeOlder(guid, { 'snapshot.parquet': snapshot?.sha256 ?? '' });
    // The digest of what was made later stood in a file beside it; this one is of a form that was damaged since.
    await writeFile(`${paths.get('reference.json')}.sha256`, json?.sha256 ?? '');
    await writeFile(`${paths.get('reference.csv')}.sha256`, table?.sha256 ?? '');
    await flip(paths.get('reference.csv') ?? '');
    await running.restart();

    const answers = [
      await get(guid),
      await get(guid, {}, '?format=csv'),
      await get(guid, {}, '?fetchRestaurantNames=true'),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200, 200],
    );
    assert.deepEqual([answers[0]?.text === text, answers[1]?.text === csv], [true, true]);
    assert.equal(answers[0]?.headers.get('repr-digest'), digestOf(text));
    assert.deepEqual([(await formOf(guid, 'reference.json')).key, json?.bytes], ['reference.json', text.length]);
    assert.notEqual((await formOf(guid, 'reference.csv')).key, 'reference.csv');
    assert.equal((await formOf(guid, 'snapshot.parquet')).sha256, snapshot?.sha256);
  });

  it('that a version without rows for forms made is 409 once its snapshot is damaged', async () => {
    const { guid } = await made(LARGE);
    const { sha256 } = await formOf(guid, 'snapshot.parquet');
    const paths = await madeOlder(guid, { 'snapshot.parquet': sha256 ?? '' });
    await flip(paths.get('snapshot.parquet') ?? '');
    await running.restart();

    assert.equal((await get(guid)).status, 409);
  });

  it('whose coded file is damaged is coded again', async () => {
    const { guid, text } = await made(LARGE);
    const coded = { 'accept-encoding': 'gzip' };
    assert.equal((await get(guid, coded)).headers.get('content-encoding'), 'gzip');
    await flip(await stored(guid, 'reference.json.gz'));

    const response = await fetch(`${running.service.baseUrl}/check/${guid}`, {
      headers: { ...coded, authorization: `Bearer ${token}` },
    });

    // `fetch` decodes: gzip's own sum would not pass.
    assert.equal((await response.text()) === text, true);
    assert.equal(gunzipSync(await readFile(await stored(guid, 'reference.json.gz'))).toString() === text, true);
  });

  it('is sent as long as the form is undamaged, even if the snapshot is not', async () => {
    const { guid, text } = await made(LARGE);
    await digested(guid, 'reference.json');
    await flip(await stored(guid, 'snapshot.parquet'));
    await running.restart();

    assert.equal((await get(guid)).text === text, true);
    assert.equal((await get(guid, {}, '?format=csv')).status, 409);
  });

  for (const [what, damage] of Object.entries(DAMAGE)) {
    it(`of which nothing is left because the snapshot ${what} is 409, with the POST that asks again, and the log says it`, async () => {
      const { guid, text } = await made(LARGE);
      await damage(await stored(guid, 'snapshot.parquet'));
      await rm(await stored(guid, 'reference.json'));
      logged.length = 0;

      const { status, body } = await get(guid);

      assert.deepEqual([status, body.code, body.replacement.method], [409, 'report_failed', 'POST']);
      assert.match(logged.join(''), new RegExp(`"reportRequestGuid":"${guid}".*cannot be read any more`));
      const { path, body: request } = body.replacement;
      const replaced = await running.call('POST', path, { token, json: request, base: '' });
      assert.equal((await get(replaced.body)).text === text, true);
    });
  }

  it('whose files are missing but that was discarded meanwhile is not found', async () => {
    const { guid } = await made(LARGE);
    for (const path of (await keptFiles(running.config.data, guid)).values()) await rm(path);
    await running.call('DELETE', `/reports/${guid}`, { token });

    assert.equal((await get(guid)).status, 404);
  });
});
