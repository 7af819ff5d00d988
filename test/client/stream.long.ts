/** How much of a long body is held in memory while it is read. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readJsonArray, readNdjson } from '../../packages/client/src/stream.ts';

/** 300,000 records in chunks of 64 kB, about 110 MB, made while they are read. */
function* chunksOfRecords(form: 'json' | 'ndjson'): Generator<Uint8Array> {
  const record = (at: number): string =>
    JSON.stringify({
      restaurantGuid: '0a000000-0000-4000-8000-000000000001',
      checkGuid: crypto.randomUUID(),
      checkNumber: at,
      serverName: 'Ada "É" Byron',
      checkTotalAmount: at / 100,
      more: 'x'.repeat(200),
      taxes: [{ name: 'City, [and] state', amount: 1.25 }],
    });
  let text = form === 'json' ? '[' : '';
  for (let at = 0; at < 300_000; at++) {
    text += record(at) + (form === 'ndjson' ? '\n' : at === 299_999 ? ']' : ',');
    if (text.length < 65_536 && at < 299_999) continue;
    yield new TextEncoder().encode(text);
    text = '';
  }
}

for (const [form, read] of [
  ['json', readJsonArray],
  ['ndjson', readNdjson],
] as const) {
  test(`300,000 records of ${form} go through in the memory of a few`, async () => {
    setFlagsFromString('--expose-gc');
    const collect: () => void = runInNewContext('gc');
    const heap = (): number => {
      collect();
      return process.memoryUsage().heapUsed;
    };
    const before = heap();
    let most = 0;
    let records = 0;

    for await (const one of read(ReadableStream.from(chunksOfRecords(form)))) {
      assert.equal((one as { checkNumber: number }).checkNumber, records);
      if (++records % 50_000 === 0) most = Math.max(most, heap() - before);
    }

    assert.equal(records, 300_000);
    assert.ok(most < 8 * 2 ** 20, `the heap grew by ${most} bytes`);
  });
}
