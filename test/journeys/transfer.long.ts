/** Entity tags, parts and headers of a retrieval: docs/downloads.md#resuming-a-download. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { decoded, open } from './bytes.ts';
import type { Running } from './service.ts';
import { CODINGS, FORMATS, startTransfers, type Transfers } from './transfers.ts';

describe('the transfer of a report', () => {
  let running: Running;
  let bearer: Transfers['bearer'];
  let live: Transfers['live'];
  let paths: Transfers['paths'];
  let metrics: string;
  let get: Transfers['get'];
  before(async () => {
    ({ running, bearer, live, paths, metrics, get } = await startTransfers());
  });
  after(() => running.stop());

  const sizes = () => Object.entries(paths);

  it('has an entity tag for each form, dialect, coding and naming, the same each time and on each path', async () => {
    const tags = new Map<string, string>();
    for (const [, path] of sizes()) {
      for (const who of [bearer, live]) {
        for (const query of FORMATS.flatMap((format) => [
          `?format=${format}`,
          `?format=${format}&fetchRestaurantNames=true`,
        ])) {
          for (const coding of ['identity', ...CODINGS]) {
            const { headers } = await get(path + query, { ...who, 'accept-encoding': coding });
            assert.match(headers.etag ?? '', /^"[\w-]+"$/);
            const of = [path, who.authorization, query, headers['content-encoding']].join();
            assert.equal(tags.get(of) ?? headers.etag, headers.etag);
            tags.set(of, headers.etag ?? '');
          }
        }
      }
    }
    assert.equal(new Set(tags.values()).size, tags.size);
    assert.equal(tags.size, 2 * 2 * 2 * (3 * 4 + 1));
    const successor = await get(`/metrics/${metrics}`);
    const deprecated = await get(`/metrics/week/${metrics}`);
    assert.deepEqual([deprecated.headers.etag, deprecated.body], [successor.headers.etag, successor.body]);
    assert.ok(deprecated.headers.deprecation);
  });

  it('keeps its tag over a restart', async () => {
    const before = await get(paths.large);

    await running.restart();

    assert.equal((await get(paths.large)).headers.etag, before.headers.etag);
  });

  it('answers HEAD with the very headers of GET, for each form and coding', async () => {
    for (const [, path] of sizes()) {
      for (const format of FORMATS) {
        for (const coding of ['identity', ...CODINGS]) {
          const [got, headed] = [
            await get(`${path}?format=${format}`, { 'accept-encoding': coding, 'x-request-id': 'same' }),
            await get(
              `${path}?format=${format}`,
              { 'accept-encoding': coding, 'x-request-id': 'same', range: 'bytes=0-1' },
              { method: 'HEAD' },
            ),
          ];
          assert.deepEqual([got.status, headed.status, headed.body.length], [200, 200, 0]);
          const { date: _, ...of } = got.headers;
          const { date: __, ...ofHead } = headed.headers;
          assert.deepEqual(ofHead, of);
        }
      }
    }
  });

  it('is 304 for a client that has it, by any of its tags, and whole for any other', async () => {
    for (const [, path] of sizes()) {
      for (const coding of ['identity', 'gzip']) {
        const first = await get(path, { 'accept-encoding': coding });
        const etag = first.headers.etag ?? '';
        for (const tags of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
          const again = await get(path, { 'accept-encoding': coding, 'if-none-match': tags });
          assert.deepEqual([again.status, again.body.length, again.headers.etag], [304, 0, etag], tags);
          for (const name of ['vary', 'cache-control', 'x-report-as-of', 'x-report-rows', 'accept-ranges']) {
            assert.equal(again.headers[name], first.headers[name], name);
          }
          assert.equal(again.headers['content-type'], undefined);
          const headed = await get(path, { 'accept-encoding': coding, 'if-none-match': tags }, { method: 'HEAD' });
          const unstamped = ({ date: _, 'x-request-id': __, ...rest }: typeof headed.headers) => rest;
          assert.deepEqual([headed.status, unstamped(headed.headers)], [304, unstamped(again.headers)]);
        }
      }
      const plain = await get(path);
      const coded = await get(path, { 'accept-encoding': 'gzip' });
      assert.equal((await get(path, { 'if-none-match': coded.headers.etag ?? '' })).status, 200);
      // Either is the same form, and the client takes both.
      const other = await get(path, { 'accept-encoding': 'gzip', 'if-none-match': plain.headers.etag ?? '' });
      assert.deepEqual([other.status, other.headers.etag], [304, plain.headers.etag]);
      assert.equal((await get(path, { ...live, 'if-none-match': plain.headers.etag ?? '' })).status, 200);
    }
  });

  it('sends the requested part, of compressed answers too', async () => {
    for (const [, path] of sizes()) {
      for (const coding of ['identity', 'gzip']) {
        const whole = await get(path, { 'accept-encoding': coding });
        const length = whole.body.length;
        for (const [range, start, end] of [
          ['bytes=0-0', 0, 0],
          ['bytes=100-299', 100, 299],
          [`bytes=${length - 7}-`, length - 7, length - 1],
          ['bytes=-12', length - 12, length - 1],
          [`bytes=-${2 * length}`, 0, length - 1],
          [`bytes=50-${3 * length}`, 50, length - 1],
        ] as const) {
          const part = await get(path, { 'accept-encoding': coding, range });
          assert.deepEqual(
            [part.status, part.headers['content-range']],
            [206, `bytes ${start}-${end}/${length}`],
            range,
          );
          assert.deepEqual(part.body, whole.body.subarray(start, end + 1));
          assert.equal(part.headers['content-length'], String(end + 1 - start));
          assert.equal(part.headers.etag, whole.headers.etag);
          assert.equal(part.headers['content-encoding'], whole.headers['content-encoding']);
        }
        for (const range of ['bytes=9-4', 'bytes=x', 'rows=1-2', 'bytes=0-1,5-6']) {
          const all = await get(path, { 'accept-encoding': coding, range });
          assert.deepEqual([all.status, all.body.length], [200, length], range);
        }
        const past = await get(path, { 'accept-encoding': coding, range: `bytes=${length}-` });
        assert.deepEqual([past.status, past.headers['content-range']], [416, `bytes */${length}`]);
        assert.equal(JSON.parse(past.body.toString()).code, 'range_not_satisfiable');
        assert.equal(past.headers.etag, undefined);
      }
    }
  });

  it('sends a part only while the whole is what the client has a part of', async () => {
    const { headers, body } = await get(paths.large);
    const range = 'bytes=1-2';
    const statusFor = async (ifRange: string) => (await get(paths.large, { range, 'if-range': ifRange })).status;

    assert.equal(await statusFor(headers.etag ?? ''), 206);
    assert.equal(await statusFor(`W/${headers.etag}`), 200);
    assert.equal(await statusFor('"other"'), 200);
    assert.equal(await statusFor(String(headers.date)), 200);
    const first = await get(paths.large, { range, 'if-none-match': headers.etag ?? '' });
    assert.deepEqual([first.status, body.length > 0], [304, true]);
  });

  it('is 412 if If-Match names other bytes, before anything else is checked', async () => {
    for (const [, path] of sizes()) {
      const plain = (await get(path)).headers.etag ?? '';
      const coded = (await get(path, { 'accept-encoding': 'gzip' })).headers.etag ?? '';
      const statusFor = async (ifMatch: string, more: Record<string, string> = {}) =>
        (await get(path, { 'if-match': ifMatch, ...more })).status;

      const met = [await statusFor(plain), await statusFor(`"other", ${plain}`), await statusFor('*')];
      const unmet = [await statusFor('"other"'), await statusFor(`W/${plain}`), await statusFor(coded)];
      const parts = [await statusFor(plain, { range: 'bytes=0-1' }), await statusFor('"x"', { range: 'bytes=0-1' })];
      const both = await statusFor('"other"', { 'if-none-match': plain });

      assert.deepEqual([met, unmet, parts, both], [[200, 200, 200], [412, 412, 412], [206, 412], 412]);
      const refused = await get(path, { 'if-match': '"other"' });
      assert.equal(JSON.parse(refused.body.toString()).code, 'precondition_failed');
      assert.equal(refused.headers['content-disposition'], undefined);
    }
  });

  it('resumes at the byte at which a connection was cut, with the same bytes', async () => {
    const whole = await get(paths.large);
    for (const coding of ['identity', 'zstd']) {
      const wanted = await get(paths.large, { 'accept-encoding': coding });
      const cut = await open(running, paths.large, { ...bearer, 'accept-encoding': coding });
      const pieces: Buffer[] = [];
      cut.on('error', () => undefined);
      for await (const piece of cut) {
        pieces.push(piece);
        break;
      }
      cut.destroy();
      const had = Buffer.concat(pieces);

      const rest = await get(paths.large, {
        'accept-encoding': coding,
        range: `bytes=${had.length}-`,
        'if-range': cut.headers.etag ?? '',
      });

      const complete = rest.status === 206 ? Buffer.concat([had, rest.body]) : had;
      assert.deepEqual(complete, wanted.body);
      assert.deepEqual(decoded({ ...wanted, body: complete }), whole.body);
    }
  });

  it('has a file name, for clients that save it', async () => {
    const nameOf = async (path: string) => (await get(path)).headers['content-disposition'];

    assert.equal(await nameOf(`${paths.large}?format=csv`), 'attachment; filename=check-day-2026-03-10.csv');
    assert.equal(await nameOf(`${paths.large}?format=ndjson`), 'inline; filename=check-day-2026-03-10.ndjson');
    assert.equal(
      await nameOf(`/metrics/${metrics}?format=parquet`),
      'attachment; filename=metrics-week-2026-03-08-to-2026-03-11-by-dining-option.parquet',
    );
  });

  it('says on every answer what it depends on', async () => {
    const vary = 'Accept, Accept-Encoding, Authorization';
    const unknown = '/metrics/ffffffff-0000-4000-8000-000000000000';
    const answers = [
      await get(paths.large),
      await get(paths.small, { range: 'bytes=0-3' }),
      await get(paths.small, { range: 'bytes=99999999-' }),
      await get(unknown),
      await get(paths.small, { authorization: 'Bearer no' }),
      await get(paths.small, { accept: 'image/png' }),
      await get(`${paths.small}?format=xml`),
      await get('/metrics/day/ffffffff-0000-4000-8000-000000000000'),
    ];

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 206, 416, 404, 401, 406, 400, 404],
    );
    for (const { headers } of answers) assert.equal(headers.vary, vary);
  });
});
