/** What every store of results must do; run against each form of it. */
import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PassThrough, Writable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { describe, it } from 'node:test';
import type { ReportForm } from '../../packages/service/src/ledger/form.ts';
import type { ResultFile, Results } from '../../packages/service/src/results/results.ts';

async function opened(results: Results, form: ReportForm | undefined): Promise<ResultFile | undefined> {
  const file = form && (await results.open(form));
  assert.notEqual(file, 'damaged');
  return file as ResultFile | undefined;
}

async function content(results: Results, form: ReportForm | undefined): Promise<string | undefined> {
  return (await (await opened(results, form))?.read())?.toString();
}

const digestOf = (text: string): string => createHash('sha256').update(text).digest('base64');

async function named(results: Results): Promise<string[]> {
  const guids: string[] = [];
  for await (const guid of results.reports()) guids.push(guid);
  return guids;
}

/**
 * Runs the suite; `open` makes an empty store each time, `reopen` opens the one of a backup, where it copies itself
 * into a folder.
 */
export function resultsConformance(
  name: string,
  open: () => Promise<{ results: Results; close(): Promise<void> }>,
  reopen?: (folder: string) => Promise<Results>,
) {
  async function withResults(work: (results: Results) => Promise<void>): Promise<void> {
    const { results, close } = await open();
    try {
      await work(results);
    } finally {
      await close();
    }
  }

  async function put(results: Results, guid: string, attempt: number, name: string, text: string): Promise<ReportForm> {
    const scratch = await results.scratch(name);
    await writeFile(scratch, text);
    const [form] = await results.keep(guid, attempt, [{ name, scratch, digest: true }]);
    await assert.rejects(stat(scratch), /ENOENT/);
    return { guid, attempt, ...(form ?? assert.fail()) };
  }

  describe(`results: ${name}`, () => {
    it('reads back what was kept, whole and by range', () =>
      withResults(async (results) => {
        const guid = randomUUID();

        const form = await put(results, guid, 1, 'a.json', '0123456789');

        const { key, ...told } = form;
        assert.deepEqual(told, { guid, attempt: 1, name: 'a.json', bytes: 10, sha256: digestOf('0123456789') });
        const file = await opened(results, form);
        assert.deepEqual([file?.bytes, file?.key], [10, key]);
        const copied = async (range?: { start: number; end: number }): Promise<string> => {
          const to = new PassThrough();
          const read = text(to);
          let begun = 0;
          await file?.copy(to, range, () => {
            assert.equal(to.readableLength, 0);
            begun++;
          });
          to.end();
          assert.equal(begun, 1);
          return await read;
        };
        assert.equal(await copied({ start: 2, end: 4 }), '234');
        assert.equal(await copied(), '0123456789');
        assert.equal(await content(results, form), '0123456789');
        assert.equal(await readFile(await results.local(form), 'utf8'), '0123456789');
      }));

    it('reads back an empty file', () =>
      withResults(async (results) => {
        const form = await put(results, randomUUID(), 1, 'a.csv', '');
        const file = await opened(results, form);
        const to = new PassThrough();
        await file?.copy(to);
        to.end();
        assert.deepEqual([file?.bytes, await text(to), await content(results, form)], [0, '', '']);
      }));

    it('keeps bytes as it keeps a file, of any length', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        for (const written of ['', '0123456789', 'x'.repeat(100_000)]) {
          const [kept = assert.fail()] = await results.keep(guid, 1, [
            { name: 'a.json', content: Buffer.from(written) },
          ]);
          const form = { guid, attempt: 1, ...kept };

          const known = { name: 'a.json', bytes: written.length, sha256: digestOf(written) };
          assert.deepEqual(form, { guid, attempt: 1, ...known, key: kept.key });
          assert.equal(await content(results, form), written);
          assert.equal(await readFile(await results.local(form), 'utf8'), written);
        }
      }));

    it('keeps several files at once, in their order, with the digests that are known or asked for', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        const names = ['a.json', 'b.json'];
        const files = await Promise.all(
          names.map(async (name) => {
            const scratch = await results.scratch(name);
            await writeFile(scratch, `of ${name}`);
            return { name, scratch, digest: false };
          }),
        );

        const kept = await results.keep(guid, 1, files);

        assert.deepEqual(
          kept.map(({ name, bytes }) => [name, bytes]),
          names.map((name) => [name, `of ${name}`.length]),
        );
        for (const { name, sha256 } of kept) assert.ok(sha256 === null || sha256 === digestOf(`of ${name}`));
        for (const form of kept) {
          assert.equal(await content(results, { guid, attempt: 1, ...form }), `of ${form.name}`);
        }
      }));

    it('copies a large file completely, and stops when the reader disconnects', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        const content = Array.from({ length: 200_000 }, (_, i) => `line ${i}`).join('\n');
        const file = await opened(results, await put(results, guid, 1, 'a.json', content));
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
        await assert.rejects(async () => file?.copy(leaving), /disconnected|premature|destroyed/i);
        assert.equal(taken, 2);
      }));

    it('stores a file that is made again under another key, each with its content', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        const first = await put(results, guid, 1, 'a.json', 'first');

        const again = await put(results, guid, 1, 'a.json', 'second version');

        assert.notEqual(again.key, first.key);
        assert.equal(await content(results, first), 'first');
        await results.discard([first]);
        await results.discard([first]);
        assert.equal(await opened(results, first), undefined);
        assert.equal(await content(results, again), 'second version');
      }));

    it('keeps attempts and reports apart', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        const lost = await put(results, guid, 1, 'a.json', 'lost attempt');
        const published = await put(results, guid, 2, 'a.json', 'published');
        const other = await put(results, randomUUID(), 1, 'a.json', 'of another');

        await results.discard([lost]);

        assert.equal(await opened(results, lost), undefined);
        assert.equal(await content(results, published), 'published');
        assert.equal(await content(results, other), 'of another');
      }));

    it('removes every file of a report, and that more than once', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        const forms = [await put(results, guid, 1, 'a.json', 'x'), await put(results, guid, 2, 'b.json', 'y')];
        const other = await put(results, randomUUID(), 1, 'a.json', 'z');

        await results.remove(guid, forms);
        await results.remove(guid, forms);
        await results.remove(guid, []);

        for (const form of forms) assert.equal(await opened(results, form), undefined);
        assert.equal(await content(results, other), 'z');
      }));

    it('has no files of a version without rows if none were stored', () =>
      withResults(async (results) => {
        const guid = randomUUID();
        await put(results, guid, 1, 'a.json', 'x');
        assert.equal(await results.older(guid, 1, 'a.json', undefined), undefined);
        assert.equal(await results.older(randomUUID(), 1, 'a.json', digestOf('x')), undefined);
      }));

    it('names the reports that may have files without a row, if files have to be removed by name', () =>
      withResults(async (results) => {
        const sorted = async () => (await named(results)).sort();
        assert.deepEqual(await sorted(), []);
        const guids = [randomUUID(), randomUUID(), randomUUID()].sort();
        const forms: ReportForm[] = [];
        for (const guid of guids) forms.push(await put(results, guid, 1, 'a.json', 'x'));
        await put(results, String(guids[0]), 2, 'a.json', 'x');
        await writeFile(await results.scratch('b.json'), 'half');

        assert.deepEqual(await sorted(), reopen ? guids : []);

        await results.remove(String(guids[0]), forms.slice(0, 1));
        assert.deepEqual(await sorted(), reopen ? guids.slice(1) : []);
      }));

    it('copies the files of one attempt to another folder of results, or says how it is backed up', () =>
      withResults(async (results) => {
        const [guid, gone] = [randomUUID(), randomUUID()];
        const lost = await put(results, guid, 1, 'a.json', 'lost attempt');
        const forms = [
          await put(results, guid, 2, 'a.json', 'published'),
          await put(results, guid, 2, 'b.json', 'named'),
        ];
        const folder = await mkdtemp(join(tmpdir(), 'daypart-copied-'));
        try {
          await results.identify('an-id');
          const reports = [
            { guid, attempt: 2 },
            { guid: gone, attempt: 1 },
          ];
          const copied = results.backup(reports, folder, new AbortController().signal);
          if (!reopen) return await assert.rejects(copied, /bucket/);
          await copied;

          const copy = await reopen(folder);
          assert.equal(await copy.identity(), 'an-id');
          assert.deepEqual(await Promise.all(forms.map((form) => content(copy, form))), ['published', 'named']);
          assert.equal(await opened(copy, lost), undefined);
          assert.deepEqual(await named(copy), [guid]);
          assert.equal(await content(results, forms[0]), 'published');
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
        const form = await put(results, guid, 1, 'a.json', 'x');
        const scratch = await results.scratch('b.json');
        await writeFile(scratch, 'half');

        await results.sweep();

        await assert.rejects(results.keep(guid, 1, [{ name: 'b.json', scratch, digest: true }]));
        assert.equal(await content(results, form), 'x');
        await results.ping();
      }));
  });
}
