/** Content encodings and digests of a retrieval (docs/downloads.md#compression). */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, afterEach, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { decoded, receive, signalHelper } from './bytes.ts';
import { keptFiles } from './kept-files.ts';
import { ask, onOneNode, type Running } from './service.ts';
import { CODINGS, DAY, startTransfers, type Transfers } from './transfers.ts';

const digestOf = (body: Buffer): string => `sha-256=:${createHash('sha256').update(body).digest('base64')}:`;

describe('the content encoding of a report', () => {
  let running: Running;
  let token: string;
  let bearer: Transfers['bearer'];
  let paths: Transfers['paths'];
  let metrics: string;
  let get: Transfers['get'];
  before(async () => {
    ({ running, token, bearer, paths, metrics, get } = await startTransfers());
  });
  afterEach(() => signalHelper(running, 'SIGCONT'));
  after(() => running.stop());

  const sizes = () => Object.entries(paths);

  it('is coded as the client takes it, and the same once decoded', async () => {
    for (const [size, path] of sizes()) {
      for (const format of ['json', 'ndjson', 'csv']) {
        const plain = await get(`${path}?format=${format}`);
        assert.equal(plain.headers['content-encoding'], undefined);
        for (const coding of CODINGS) {
          const coded = await get(`${path}?format=${format}`, { 'accept-encoding': coding });
          assert.equal(coded.headers['content-encoding'], coding, `${size} ${format}`);
          assert.equal(coded.headers['content-length'], String(coded.body.length));
          assert.ok(coded.body.length < plain.body.length / 2);
          assert.deepEqual(decoded(coded), plain.body);
        }
      }
      const parquet = await get(`${path}?format=parquet`, { 'accept-encoding': 'gzip, br, zstd' });
      assert.deepEqual([parquet.status, parquet.headers['content-encoding']], [200, undefined]);
      const refused = await get(`${path}?format=parquet`, { 'accept-encoding': 'gzip, identity;q=0' });
      assert.equal(refused.status, 406);
      const best = await get(path, { 'accept-encoding': 'gzip, deflate, br, zstd' });
      assert.equal(best.headers['content-encoding'], 'zstd');
      assert.equal((await get(path, { 'accept-encoding': 'identity;q=0, deflate' })).status, 406);
    }
  });

  it('does not compress short answers, unless the client accepts nothing else', async () => {
    const path = `/metrics/${metrics}?format=csv`;
    const plain = await get(path, { 'accept-encoding': 'gzip' });
    const coded = await get(path, { 'accept-encoding': 'gzip, identity;q=0' });

    assert.ok(plain.body.length < 1024);
    assert.equal(plain.headers['content-encoding'], undefined);
    assert.equal(coded.headers['content-encoding'], 'gzip');
    assert.deepEqual(decoded(coded), plain.body);
  });

  it('codes once for all clients that ask, and not for one that has disconnected', {
    skip: onOneNode('it looks for files in the data folder'),
  }, async () => {
    const guid = await ask(running, token, '/check/day', DAY);
    const path = `/check/${guid}`;
    await get(path);
    const files = async (): Promise<string[]> => [...(await keptFiles(running.config.data, guid)).keys()].sort();
    const leaving = new AbortController();
    await signalHelper(running, 'SIGSTOP');
    const left = receive(running, path, { ...bearer, 'accept-encoding': 'br' }, { signal: leaving.signal });
    const rejected = assert.rejects(left);
    const many = Array.from({ length: 4 }, () => get(path, { 'accept-encoding': 'gzip' }));
    await setTimeout(200);
    leaving.abort();
    await rejected;
    // For so long it may be one that has closed its side only.
    await setTimeout(1100);
    await signalHelper(running, 'SIGCONT');

    const answers = await Promise.all(many);

    assert.deepEqual(new Set(answers.map(({ headers }) => headers['content-encoding'])), new Set(['gzip']));
    assert.deepEqual(await files(), ['reference.json', 'reference.json.gz', 'snapshot.parquet']);
    await get(path, { 'accept-encoding': 'br' });
    assert.ok((await files()).includes('reference.json.br'));
  });

  it('is sent plain while the helper that compresses it hangs, to those who take it so', {
    skip: onOneNode('the helpers of other nodes do not hang'),
  }, async () => {
    const guid = await ask(running, token, '/check/day', DAY);
    const plain = await get(`/check/${guid}`);
    await signalHelper(running, 'SIGSTOP');

    const answers = await Promise.all(
      ['gzip', 'gzip, identity;q=0'].map((coding) => get(`/check/${guid}`, { 'accept-encoding': coding })),
    );
    await signalHelper(running, 'SIGCONT');

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 504],
    );
    assert.equal(answers[0]?.headers.etag, plain.headers.etag);
    assert.deepEqual(answers[0]?.body, plain.body);
  });

  it('has its digest: always if it is small or compressed, on request if it is large and plain', async () => {
    for (const path of Object.values(paths)) {
      for (const headers of [{ 'want-repr-digest': 'sha-256=5' }, { 'accept-encoding': 'br' }]) {
        const answer = await get(`${path}?fetchRestaurantNames=true`, headers);
        assert.equal(answer.headers['repr-digest'], digestOf(answer.body));
      }
      const known = await get(`${path}?fetchRestaurantNames=true`, { range: 'bytes=2-3' });
      assert.equal(known.headers['repr-digest'], digestOf((await get(`${path}?fetchRestaurantNames=true`)).body));
    }
  });
});
