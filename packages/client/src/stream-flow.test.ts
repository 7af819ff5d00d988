/**
 * How bodies flow: how much is requested, and how they end. test/client/stream.long.ts has how much memory they take.
 */
import assert from 'node:assert/strict';
import test from 'node:test';
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
