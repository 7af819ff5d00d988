/** What a run that is killed leaves, and who resumes it. */
import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openPart } from './partial-file.ts';

describe('a partial file', () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daypart-part-'));
    file = join(folder, 'checks.ndjson');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('is not resumed once another command has written it, even if that was killed', async () => {
    await writeFile(`${file}.part`, 'first half');
    await writeFile(`${file}.part.json`, JSON.stringify({ what: 'checks', cursor: '20260301', bytes: 5 }));

    const other = await openPart(file, 'checks, sorted', false);
    await other.append(Buffer.from('something else'));
    // A killed process would leave these, and its lock.
    const left = await readdir(folder);
    const bytes = await readFile(`${file}.part`, 'utf8');
    await other.leave();
    const own = await openPart(file, 'checks', false);

    assert.deepEqual([left.sort(), bytes], [['checks.ndjson.part', 'checks.ndjson.part.lock'], 'something else']);
    assert.deepEqual([own.memory, own.size()], [{}, 0]);
    await own.discard();
  });

  it('replaces no file that was created while it was written, unless it may', async () => {
    const text = (name: string): Promise<string> => readFile(join(folder, name), 'utf8');
    const target = join(folder, 'meanwhile.csv');
    const part = await openPart(target, 'checks', false);
    await part.remember({ guid: 'g' });
    await part.append(Buffer.from('report'));
    await writeFile(target, 'of another program');

    await assert.rejects(part.publish(), { message: `${target} already exists` });
    await part.leave();

    assert.equal(await text('meanwhile.csv'), 'of another program');
    const again = await openPart(target, 'checks', true);
    assert.equal(again.size(), 6);
    await again.publish();
    assert.equal(await text('meanwhile.csv'), 'report');
    assert.deepEqual(await readdir(folder), ['meanwhile.csv']);
  });
});
