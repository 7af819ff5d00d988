/** What every store of results must do; run against each form of it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { describe, it } from 'node:test';
import type { Results } from '../../packages/service/src/results/results.ts';

async function text(results: Results, guid: string, attempt: number, name: string): Promise<string | undefined> {
  return (await (await results.open(guid, attempt, name))?.read())?.toString();
}

/** Runs the suite; `open` makes an empty store each time. */
export function resultsConformance(name: string, open: () => Promise<{ results: Results; close(): Promise<void> }>) {
  async function withResults(work: (results: Results) => Promise<void>): Promise<void> {
    const { results, close } = await open();
    try {
      await work(results);
    } finally {
      await close();
    }
  }

  async function put(results: Results, guid: string, attempt: number, file: string, content: string) {
    const scratch = await results.scratch(file);
    await writeFile(scratch, content);
    return await results.keep(guid, attempt, file, scratch);
  }

  describe(`results: ${name}`, () => {
    it('reads back what was kept, whole and by range', () =>
      withResults(async (results) => {
        const guid = randomUUID();

        const { bytes } = await put(results, guid, 1, 'a.json', '0123456789');

        assert.equal(bytes, 10);
        const file = await results.open(guid, 1, 'a.json');
        assert.equal(file?.bytes, 10);
        const parts: Buffer[] = [];
        for await (const part of file?.stream({ start: 2, end: 4 }) ?? []) parts.push(part);
        assert.equal(Buffer.concat(parts).toString(), '234');
        assert.equal(await text(results, guid, 1, 'a.json'), '0123456789');
      }));

    it('never replaces a file that was kept', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        await put(results, guid, 1, 'a.json', 'first');

        const again = await put(results, guid, 1, 'a.json', 'second version');

        assert.equal(again.bytes, 5);
        assert.equal(await text(results, guid, 1, 'a.json'), 'first');
      }));

    it('keeps attempts apart', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        await put(results, guid, 1, 'a.json', 'lost attempt');
        await put(results, guid, 2, 'a.json', 'published');

        assert.equal(await text(results, guid, 2, 'a.json'), 'published');
        assert.equal(await text(results, guid, 3, 'a.json'), undefined);
      }));

    it('removes one attempt and keeps the others', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        await put(results, guid, 1, 'a.json', 'given back');
        await put(results, guid, 2, 'a.json', 'kept');

        await results.remove(guid, 1);
        await put(results, guid, 1, 'a.json', 'anew');

        assert.equal(await text(results, guid, 1, 'a.json'), 'anew');
        assert.equal(await text(results, guid, 2, 'a.json'), 'kept');
      }));

    it('removes every file of a report, and that more than once', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        const other = randomUUID();
        await put(results, guid, 1, 'a.json', 'x');
        await put(results, other, 1, 'a.json', 'y');

        await results.remove(guid);
        await results.remove(guid);

        assert.equal(await results.open(guid, 1, 'a.json'), undefined);
        assert.equal(await text(results, other, 1, 'a.json'), 'y');
      }));

    it('sweeps scratch files and keeps results', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        await put(results, guid, 1, 'a.json', 'x');
        const scratch = await results.scratch('b.json');
        await writeFile(scratch, 'half');

        await results.sweep();

        await assert.rejects(results.keep(guid, 1, 'b.json', scratch));
        assert.equal(await text(results, guid, 1, 'a.json'), 'x');
      }));
  });
}
