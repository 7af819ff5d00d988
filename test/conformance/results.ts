/** What every store of results must do; run against each form of it. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import type { Results } from '../../packages/service/src/results/results.ts';

async function kept(results: Results, guid: string, attempt: number, name: string): Promise<string | undefined> {
  return (await (await results.open(guid, attempt, name))?.read())?.toString();
}

async function named(results: Results): Promise<string[]> {
  const guids: string[] = [];
  for await (const guid of results.reports()) guids.push(guid);
  return guids;
}

/** Runs the suite; `open` makes an empty store each time, `reopen` opens the one of a backup. */
export function resultsConformance(
  name: string,
  open: () => Promise<{ results: Results; close(): Promise<void> }>,
  reopen: (folder: string) => Promise<Results>,
) {
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
    const kept = await results.keep(guid, attempt, file, scratch);
    await results.settle(guid, attempt, [file]);
    return kept;
  }

  describe(`results: ${name}`, () => {
    it('reads back what was kept, whole and by range', () =>
      withResults(async (results) => {
        const guid = randomUUID();

        const { bytes } = await put(results, guid, 1, 'a.json', '0123456789');

        assert.equal(bytes, 10);
        const file = await results.open(guid, 1, 'a.json');
        assert.equal(file?.bytes, 10);
        const copied = async (range?: { start: number; end: number }): Promise<string> => {
          const to = new PassThrough();
          const read = text(to);
          await file?.copy(to, range);
          to.end();
          return await read;
        };
        assert.equal(await copied({ start: 2, end: 4 }), '234');
        assert.equal(await copied(), '0123456789');
        assert.equal(await kept(results, guid, 1, 'a.json'), '0123456789');
      }));

    it('copies a large file whole, and stops when the reader goes away', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        const content = Array.from({ length: 200_000 }, (_, i) => `line ${i}`).join('\n');
        await put(results, guid, 1, 'a.json', content);
        const file = await results.open(guid, 1, 'a.json');
        const to = new PassThrough();
        const read = text(to);
        await file?.copy(to);
        to.end();
        assert.equal(await read, content);
        let taken = 0;
        const leaving = new Writable({
          write(_chunk, _encoding, done) {
            if (++taken === 2) this.destroy();
            else done();
          },
        });
        await assert.rejects(async () => file?.copy(leaving), /went away|premature|destroyed/i);
        assert.equal(taken, 2);
      }));

    it('tells a file that was made again from the one before', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        const madeAt = async () => (await results.open(guid, 1, 'a.json'))?.madeAt;
        await put(results, guid, 1, 'a.json', 'same');
        const first = await madeAt();
        assert.equal(await madeAt(), first);

        await results.remove(guid);
        await put(results, guid, 1, 'a.json', 'same');

        assert.notEqual(await madeAt(), first);
      }));

    it('never replaces a file that was kept', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        await put(results, guid, 1, 'a.json', 'first');

        const again = await put(results, guid, 1, 'a.json', 'second version');

        assert.equal(again.bytes, 5);
        assert.equal(await kept(results, guid, 1, 'a.json'), 'first');
      }));

    it('keeps attempts apart', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        await put(results, guid, 1, 'a.json', 'lost attempt');
        await put(results, guid, 2, 'a.json', 'published');

        assert.equal(await kept(results, guid, 2, 'a.json'), 'published');
        assert.equal(await kept(results, guid, 3, 'a.json'), undefined);
      }));

    it('removes one attempt and keeps the others', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        await put(results, guid, 1, 'a.json', 'given back');
        await put(results, guid, 2, 'a.json', 'kept');

        await results.remove(guid, 1);
        await put(results, guid, 1, 'a.json', 'anew');

        assert.equal(await kept(results, guid, 1, 'a.json'), 'anew');
        assert.equal(await kept(results, guid, 2, 'a.json'), 'kept');
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
        assert.equal(await kept(results, other, 1, 'a.json'), 'y');
      }));

    it('names the reports that it keeps files of', () =>
      withResults(async (results) => {
        const sorted = async () => (await named(results)).sort();
        assert.deepEqual(await sorted(), []);
        const guids = [randomUUID(), randomUUID(), randomUUID()].sort();
        for (const guid of guids) await put(results, guid, 1, 'a.json', 'x');
        await put(results, String(guids[0]), 2, 'a.json', 'x');
        await writeFile(await results.scratch('b.json'), 'half');

        assert.deepEqual(await sorted(), guids);

        await results.remove(String(guids[0]));
        assert.deepEqual(await sorted(), guids.slice(1));
      }));

    it('copies the files of one attempt to another folder of results, and nothing where there are none', () =>
      withResults(async (results) => {
        const [guid, gone] = [randomUUID(), randomUUID()];
        await put(results, guid, 1, 'a.json', 'lost attempt');
        await put(results, guid, 2, 'a.json', 'published');
        await put(results, guid, 2, 'b.json', 'named');
        const folder = await mkdtemp(join(tmpdir(), 'daypart-copied-'));
        try {
          await results.identify('an-id');
          const reports = [
            { guid, attempt: 2 },
            { guid: gone, attempt: 1 },
          ];
          await results.backup(reports, folder, new AbortController().signal);

          const copy = await reopen(folder);
          assert.equal(await copy.identity(), 'an-id');
          assert.equal(await kept(copy, guid, 2, 'a.json'), 'published');
          assert.equal(await kept(copy, guid, 2, 'b.json'), 'named');
          assert.equal(await kept(copy, guid, 1, 'a.json'), undefined);
          assert.deepEqual(await named(copy), [guid]);
          assert.equal(await kept(results, guid, 2, 'a.json'), 'published');
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      }));

    it('keep the id that they were given, and do not take it for a report', () =>
      withResults(async (results) => {
        assert.equal(await results.identity(), undefined);
        await results.identify('an-id');
        assert.equal(await results.identity(), 'an-id');
        assert.deepEqual(await named(results), []);
      }));

    it('sweeps scratch files and keeps results', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        await put(results, guid, 1, 'a.json', 'x');
        const scratch = await results.scratch('b.json');
        await writeFile(scratch, 'half');

        await results.sweep();

        await assert.rejects(results.keep(guid, 1, 'b.json', scratch));
        assert.equal(await kept(results, guid, 1, 'a.json'), 'x');
      }));
  });
}
