/**
 * Results in a bucket, on a real S3 server with the real SDK: the suite of every store, and what only a bucket can do.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { mkdtempSync } from 'node:fs';
import { readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ReportForm } from '../../packages/service/src/ledger/form.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { createForms } from '../../packages/service/src/results/forms.ts';
import { type ResultFile, ResultsGone } from '../../packages/service/src/results/results.ts';
import { openS3Results, type S3Results } from '../../packages/service/src/results/s3/s3.ts';
import type { S3Sdk } from '../../packages/service/src/results/s3/sdk.ts';
import { resultsConformance } from '../conformance/results.ts';
import { keptFiles } from '../journeys/kept-files.ts';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, startJourney } from '../journeys/service.ts';
import { type S3Server, startS3Server } from './s3-server.ts';

const MEGABYTE = 1024 * 1024;
/** How the names of the server's files end. */
const OBJECT = '._S3rver_object';
// Its types are the check: the calls that are made are calls of the SDK.
const sdk: S3Sdk = await import('@aws-sdk/client-s3');

const server: S3Server = await startS3Server();
after(() => server.close());

/** A node's view of the results below a prefix, with a cache of its own. */
async function openNode(prefix: string, { cacheBytes = 100 * MEGABYTE, within = tmpdir() } = {}) {
  const folder = mkdtempSync(join(within, 'daypart-node-'));
  const results = await openS3Results({ url: server.urlOf(prefix), folder, cacheBytes, sdk });
  const close = async (): Promise<void> => {
    await results.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { results, folder, close };
}

resultsConformance('s3', () => openNode(randomUUID()));

/** Runs the work on so many nodes that share a prefix. */
async function withNodes(
  count: number,
  work: (...nodes: Awaited<ReturnType<typeof openNode>>[]) => Promise<void>,
  options?: Parameters<typeof openNode>[1],
): Promise<void> {
  const prefix = randomUUID();
  const nodes = await Promise.all(Array.from({ length: count }, () => openNode(prefix, options)));
  try {
    await work(...nodes);
  } finally {
    server.proxy.heal();
    await Promise.all(nodes.map((node) => node.close()));
  }
}

async function put(results: S3Results, guid: string, name: string, content: Buffer): Promise<ReportForm> {
  const scratch = await results.scratch(name);
  await writeFile(scratch, content);
  const [form] = await results.keep(guid, 1, [{ name, scratch, digest: true }]);
  return { guid, attempt: 1, ...(form ?? assert.fail()) };
}

async function opened(results: S3Results, form: ReportForm): Promise<ResultFile> {
  const file = await results.open(form);
  if (!file || file === 'damaged') assert.fail(String(file));
  return file;
}

async function copied(file: ResultFile, range?: { start: number; end: number }): Promise<Buffer> {
  const to = new PassThrough();
  const read = buffer(to);
  // Waited for, where it fails, by the assertion alone.
  read.catch(() => undefined);
  try {
    await file.copy(to, range);
    to.end();
  } catch (error) {
    to.destroy();
    throw error;
  }
  return await read;
}

const digestOf = (content: Buffer): string => createHash('sha256').update(content).digest('base64');
/** The objects that the server has, by key. */
async function storedObjects(part: string): Promise<string[]> {
  const names = await readdir(server.folder, { recursive: true });
  return names
    .filter((name) => name.includes(part) && name.endsWith(OBJECT))
    .map((name) => name.slice(0, -OBJECT.length));
}
const pathOf = ({ key }: ReportForm): string => join(server.folder, `${key}${OBJECT}`);

describe('results in a bucket', () => {
  it('are read by another node: small files at once from its own disk, with one call of the bucket', () =>
    withNodes(2, async (one, other) => {
      const content = randomBytes(100_000);
      const form = await put(one.results, randomUUID(), 'live.json', content);
      assert.deepEqual([form.bytes, form.sha256], [content.length, digestOf(content)]);
      server.takeCalls();

      const files = await Promise.all(Array.from({ length: 8 }, () => opened(other.results, form)));

      for (const file of files) assert.deepEqual(await copied(file), content);
      assert.deepEqual(await copied(files[0] as ResultFile, { start: 10, end: 19 }), content.subarray(10, 20));
      assert.deepEqual(server.takeCalls().length, 1);
      // The node that kept it asks nothing.
      assert.deepEqual(await copied(await opened(one.results, form)), content);
      assert.deepEqual(server.takeCalls(), []);
    }));

  it('are uploaded in parts above 8 MB, read by range from the bucket, and from the disk once they are asked for again', () =>
    withNodes(2, async (one, other) => {
      const content = randomBytes(21 * MEGABYTE + 17);
      server.takeCalls();
      const form = await put(one.results, randomUUID(), 'live.json', content);
      const parts = server.takeCalls().filter((call) => /^PUT .*partNumber=/.test(call));
      assert.deepEqual([parts.length, form.bytes, form.sha256], [3, content.length, digestOf(content)]);

      const file = await opened(other.results, form);
      assert.deepEqual(server.takeCalls(), []);
      const part = { start: 9 * MEGABYTE - 5, end: 9 * MEGABYTE + 5 };
      assert.deepEqual(await copied(file, part), content.subarray(part.start, part.end + 1));
      assert.deepEqual(digestOf(await copied(file)), form.sha256);
      assert.equal(server.takeCalls().length, 2);

      await opened(other.results, form);
      const path = await other.results.local(form);
      assert.equal(digestOf(await readFile(path)), form.sha256);
      server.takeCalls();
      assert.deepEqual(
        await copied(await opened(other.results, form), part),
        content.subarray(part.start, part.end + 1),
      );
      assert.deepEqual(server.takeCalls(), []);
    }));

  it('resume a transfer that the network cut, at the same byte', () =>
    withNodes(2, async (one, other) => {
      const content = randomBytes(20 * MEGABYTE);
      const form = await put(one.results, randomUUID(), 'live.json', content);
      const file = await opened(other.results, form);
      server.proxy.cutAfter(5 * MEGABYTE);
      const to = new PassThrough();
      const read = buffer(to);
      let begun = 0;
      const copying = file.copy(to, undefined, () => {
        begun++;
      });
      await sleep(500);
      server.proxy.heal();
      await copying;
      to.end();

      assert.deepEqual([digestOf(await read), begun], [form.sha256, 1]);
    }));

  it('that are unavailable throw ResultsGone before anything is sent, keep the files on the disk, and recover', () =>
    withNodes(2, async (one, other) => {
      const [small, large] = [randomBytes(1000), randomBytes(9 * MEGABYTE)];
      const guid = randomUUID();
      const forms = [
        await put(one.results, guid, 'a.json', small),
        await put(one.results, guid, 'b.json', large),
      ] as const;
      const file = await opened(other.results, forms[1]);
      server.proxy.cut();

      await assert.rejects(opened(other.results, forms[0]), ResultsGone);
      await assert.rejects(other.results.local(forms[0]), ResultsGone);
      await assert.rejects(other.results.ping(), ResultsGone);
      await assert.rejects(other.results.discard([forms[0]]), ResultsGone);
      const to = new PassThrough();
      await assert.rejects(
        file.copy(to, undefined, () => assert.fail('begun')),
        ResultsGone,
      );
      await assert.rejects(put(one.results, guid, 'c.json', small), ResultsGone);
      assert.deepEqual(await copied(await opened(one.results, forms[0])), small);

      server.proxy.heal();
      // Connections that were cut may fail one call each.
      for (let tries = 1; ; tries++) {
        try {
          await other.results.ping();
          break;
        } catch (error) {
          assert.ok(error instanceof ResultsGone && tries < 20, String(error));
        }
      }
      assert.deepEqual(await copied(await opened(other.results, forms[0])), small);
      assert.deepEqual(digestOf(await copied(file)), forms[1].sha256);
    }));

  it('that do not answer at all are aborted after seconds', () =>
    withNodes(2, async (one, other) => {
      const form = await put(one.results, randomUUID(), 'a.json', randomBytes(1000));
      server.proxy.freeze();
      await Promise.all([
        assert.rejects(opened(other.results, form), ResultsGone),
        assert.rejects(put(one.results, randomUUID(), 'b.json', randomBytes(1000)), ResultsGone),
      ]);
      server.proxy.heal();
      await opened(other.results, form);
      await put(one.results, randomUUID(), 'b.json', randomBytes(1000));
    }));

  it('that were lost, or are not what was kept, are noticed: then their form is made again', () =>
    withNodes(2, async (one, other) => {
      const guid = randomUUID();
      const [gone, large, short] = [
        await put(one.results, guid, 'gone.json', randomBytes(1000)),
        await put(one.results, guid, 'large.json', randomBytes(9 * MEGABYTE)),
        await put(one.results, guid, 'short.json', randomBytes(1000)),
      ];
      const file = await opened(other.results, large);
      for (const form of [gone, large]) await rm(pathOf(form));
      const bytes = await readFile(pathOf(short));
      bytes[500] = (bytes[500] ?? 0) ^ 1;
      await writeFile(pathOf(short), bytes);

      assert.equal(await other.results.open(gone), undefined);
      assert.equal(await other.results.open(short), 'damaged');
      await assert.rejects(copied(file), /not in the bucket/);
      assert.equal(await other.results.open(large), undefined);
    }));

  it('leave nothing behind: neither what belongs to an upload of several that failed, nor objects of removed reports', () =>
    withNodes(1, async ({ results, folder }) => {
      const guid = randomUUID();
      const scratch = await results.scratch('a.json');
      await writeFile(scratch, 'kept');
      const missing = { name: 'b.json', scratch: `${scratch}-missing`, digest: true };
      await assert.rejects(results.keep(guid, 1, [{ name: 'a.json', scratch, digest: true }, missing]), /ENOENT/);
      assert.deepEqual(await storedObjects(guid), []);

      server.proxy.cut();
      const written = { name: 'd.json', content: Buffer.from('[]') };
      await assert.rejects(results.keep(guid, 1, [written]));
      server.proxy.heal();
      assert.deepEqual(await readdir(join(folder, 'scratch')), []);

      const forms: ReportForm[] = [];
      for (const name of ['a.json', 'b.csv', 'c.csv.gz']) forms.push(await put(results, guid, name, randomBytes(100)));
      assert.equal((await storedObjects(guid)).length, 3);
      await results.remove(guid, forms);
      assert.deepEqual(await storedObjects(guid), []);
    }));

  it('keep no more on the disk of a node than the bound, but for what was used within a minute', (t) =>
    withNodes(
      1,
      async ({ results, folder }) => {
        let now = Date.now();
        t.mock.method(Date, 'now', () => now);
        const forms: ReportForm[] = [];
        for (let made = 0; made < 8; made++) {
          forms.push(await put(results, randomUUID(), 'a.json', randomBytes(MEGABYTE)));
          now += 40_000;
        }
        const sizes = await Promise.all(
          (await readdir(join(folder, 'files'))).map(async (name) => (await stat(join(folder, 'files', name))).size),
        );
        assert.ok(sizes.length <= 4, `${sizes.length} MB are there`);
        assert.ok(sizes.length >= 3);
        // The oldest has gone and is fetched again.
        server.takeCalls();
        await opened(results, forms[0] as ReportForm);
        assert.equal(server.takeCalls().length, 1);
      },
      { cacheBytes: 3 * MEGABYTE },
    ));

  it('do not serve a file of the disk that was damaged there', () =>
    withNodes(1, async ({ results }) => {
      const content = randomBytes(1000);
      const form = await put(results, randomUUID(), 'a.json', content);
      await truncate(await results.local(form), 10);
      assert.deepEqual(await copied(await opened(results, form)), content);
    }));

  it('say which command installs the SDK if it is missing', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'daypart-node-'));
    try {
      const opening = openS3Results({ url: server.urlOf('x'), folder, cacheBytes: 1 });
      await assert.rejects(opening, /npm install @aws-sdk\/client-s3/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});

describe('a form that two nodes render at once', () => {
  let running: Awaited<ReturnType<typeof startJourney>>;
  before(async () => {
    running = await startJourney({ waitSeconds: 20 });
  });
  after(() => running?.stop());

  it('is one form: the same key, digest and bytes from both, and one object', () => {
    // The engine reads below the results of its own service alone.
    const within = join(running.config.data, 'results');
    const work = async (...nodes: Awaited<ReturnType<typeof openNode>>[]) => {
      const token = await running.login('g');
      await putRestaurant(running, token, BISTRO);
      await postOrders(running, token, BISTRO, [plainOrder(), plainOrder()]);
      const asked = await ask(running, token, '/check/day', { startBusinessDate: '20260310' });
      assert.equal((await running.call('GET', `/check/${asked}`, { token })).status, 200);
      const snapshot = (await keptFiles(running.config.data, asked)).get('snapshot.parquet') ?? assert.fail();
      const { facts, files, ledger } = running.service.stores;
      const guid = randomUUID();
      const row = await put((nodes[0] ?? assert.fail()).results, guid, 'snapshot.parquet', await readFile(snapshot));
      await ledger.addForm(row);
      const log = openLog('silent');
      const forms = nodes.map(({ results }) => createForms({ results, facts, files, ledger, log }));
      const place = { guid, attempt: 1, digests: null };
      const form = {
        format: 'csv',
        kind: 'check',
        dialect: 'live',
        names: false,
        groups: [],
        aggregate: 'DAY',
      } as const;

      const made = await Promise.all(
        forms.map((one) => one.open(place, { ...form, groups: [...form.groups] }, { deadlineMs: 20_000 })),
      );

      const [first, second] = await Promise.all(made.map((file) => copied(file)));
      assert.deepEqual(first, second);
      const rows = (await ledger.forms(guid)).filter(({ name }) => name === 'live.csv');
      assert.deepEqual(
        [made.map(({ key }) => key), rows.length, rows[0]?.sha256],
        [[rows[0]?.key, rows[0]?.key], 1, digestOf(first ?? Buffer.of())],
      );
      assert.equal((await storedObjects(guid)).filter((path) => path.includes('live.csv')).length, 1);
      await Promise.all(forms.map((one) => one.close()));
    };
    return withNodes(2, work, { within });
  });
});
