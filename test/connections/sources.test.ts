/** Sources that an operator adds. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { isSourceError } from '@daypart/client/source';
import { loadSources } from '../../packages/service/src/connections/sources/load.ts';
import { openRig } from './rig.ts';

const SOURCE = {
  kind: "'till'",
  title: "'Till'",
  credentials: '{}',
  requestsPerSecond: '{ usual: 1, most: 2 }',
  signIn: '() => ({ headers: {}, until: Infinity })',
  restaurants: '() => ({ access: "group", restaurants: [] })',
  settings: '() => null',
  orders: '{ everySeconds: 60, datesAtOnce: 1, begin() {}, changed() {}, readUntil() {}, dates() {} }',
};

describe('a module with a source', () => {
  let folder: string;
  let written = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daypart-sources-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  async function write(changes: Record<string, string>): Promise<string> {
    const file = join(folder, `source-${++written}.mjs`);
    const properties = Object.entries(Object.assign({}, SOURCE, changes)).map(([name, text]) => `${name}: ${text}`);
    await writeFile(file, `export default { ${properties.join(', ')} };`);
    return file;
  }

  it('is loaded beside the built-in ones', async () => {
    const files = [await write({}), await write({ kind: "'kiosk'" })];
    assert.deepEqual(
      (await loadSources(files)).map(({ kind }) => kind),
      ['toast', 'exports', 'till', 'kiosk'],
    );
  });

  it('is refused by its name if it is no source', async () => {
    const wrong: [Record<string, string>, RegExp][] = [
      [{ kind: "'A till'" }, /has no kind/],
      [{ kind: "'toast'" }, /has the kind toast, which another source has/],
      [{ title: '1' }, /has no title/],
      [{ credentials: 'null' }, /has no credentials/],
      [{ credentials: '{ key: {} }' }, /has no label of credentials.key/],
      [{ requestsPerSecond: '{ usual: 1 }' }, /has no requestsPerSecond/],
      [{ signIn: 'null' }, /has no function signIn/],
      [{ orders: 'null' }, /has no object orders/],
      [{ orders: '{ begin() {} }' }, /has no function orders.changed/],
      [{ orders: SOURCE.orders.replace('60', '0') }, /has no number orders.everySeconds above 0/],
      [{ menus: '{ everySeconds: 60 }' }, /has no function menus.read/],
    ];
    for (const [changes, message] of wrong) {
      const file = await write(changes);
      await assert.rejects(
        loadSources([file]),
        ({ message: text }: Error) => text.includes(file) && message.test(text),
      );
    }
    const empty = join(folder, 'empty.mjs');
    await writeFile(empty, '');
    const broken = join(folder, 'broken.mjs');
    await writeFile(broken, 'export default {');
    await assert.rejects(loadSources([broken]), /--connect-sources: .*broken.mjs cannot be imported/);
    await assert.rejects(loadSources([empty]), /empty.mjs exports no source by default/);
    await assert.rejects(loadSources([join(folder, 'none.mjs')]), /none.mjs does not exist/);
  });
});

describe('an error of a source', () => {
  it('is recognised from another copy of the package, by its name and code', async (t) => {
    const copy: typeof import('@daypart/client/source') = await import(
      `${new URL('../../packages/client/src/source.ts', import.meta.url)}?copy`
    );
    const rig = await openRig();
    t.after(() => rig.close());
    rig.onCall = ({ stream }) => {
      if (stream === 'names') throw new copy.SourceError('no_permission', 'not of this list', { status: 403 });
    };

    await rig.run();

    const names = (await rig.streams()).get('names');
    assert.deepEqual([names?.error, names?.upstreamRequest], ['no_permission', '403']);
    assert.equal(isSourceError(Object.assign(new Error('of another kind'), { code: 'no_permission' })), false);
    assert.equal(isSourceError(new copy.SourceError('no_code' as never, 'unknown')), false);
  });
});
