/** How bodies flow: how much is requested, how much is held in memory, and how they end. */
import assert from 'node:assert/strict';
import test from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { readJsonArray, readNdjson } from './stream.ts';

const encode = (text: string): Uint8Array => new TextEncoder().encode(text);

async function readAll(values: AsyncIterable<unknown>): Promise<void> {
  for await (const _ of values);
}

/** A body that never ends, and what became of it. */
function endless(chunk: string): { body: ReadableStream<Uint8Array>; seen: { pulls: number; cancelled: number } } {
  const seen = { pulls: 0, cancelled: 0 };
  const body = new ReadableStream<Uint8Array>(
    {
      pull(controller) {
        controller.enqueue(encode(seen.pulls++ === 0 && chunk.startsWith('{"a":1},') ? `[${chunk}` : chunk));
      },
      cancel() {
        seen.cancelled++;
      },
    },
    { highWaterMark: 0 },
  );
  return { body, seen };
}

test('a body is cancelled when its reader stops, and it is read no further than was asked for', async () => {
  const array = endless('{"a":1},{"a":1},');
  const ndjson = endless('{"a":1}\n{"a":1}\n');
  let read = 0;

  for await (const _ of readJsonArray(array.body)) if (++read === 3) break;
  for await (const _ of readNdjson(ndjson.body)) if (++read === 6) break;

  assert.deepEqual(array.seen, { pulls: 2, cancelled: 1 });
  assert.deepEqual(ndjson.seen, { pulls: 2, cancelled: 1 });
});

test('a body is cancelled when it turns out to be broken', async () => {
  const array = endless('{"a":1},}');
  const ndjson = endless('{"a":1}}\n');

  await assert.rejects(readAll(readJsonArray(array.body)), SyntaxError);
  await assert.rejects(readAll(readNdjson(ndjson.body)), SyntaxError);

  assert.deepEqual([array.seen.cancelled, ndjson.seen.cancelled], [1, 1]);
});

test('what a body fails with is thrown as it is', async () => {
  const reason = new Error('the connection broke');
  const failing = (first: string): ReadableStream<Uint8Array> => {
    let begun = false;
    return new ReadableStream(
      {
        pull(controller) {
          if (begun) controller.error(reason);
          else controller.enqueue(encode(first));
          begun = true;
        },
      },
      { highWaterMark: 0 },
    );
  };

  await assert.rejects(readAll(readJsonArray(failing('[1,'))), (error) => error === reason);
  await assert.rejects(readAll(readNdjson(failing('1\n'))), (error) => error === reason);
});

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
    yield encode(text);
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
