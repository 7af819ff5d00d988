/** `daypart connect test`: a source of an author's own, against its point of sale. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type KioskServer, startKiosk } from '../connections/kiosk-upstream.ts';
import { START, small } from '../upstream/caller.ts';
import { createClock } from '../upstream/clock.ts';
import { createWorld } from '../upstream/world.ts';
import { call } from './in-process.ts';
import { environmentOf } from './process.ts';

const FILE = fileURLToPath(new URL('../connections/kiosk.ts', import.meta.url));
const KEY = 'secret-of-the-kiosk';

describe('daypart connect test', () => {
  let folder: string;
  let server: KioskServer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daypart-connect-test-'));
    const restaurants = [small(0, { ordersPerDay: 12 })];
    server = await startKiosk(createWorld({ clock: createClock({ at: START }), restaurants, days: 4 }), { key: KEY });
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });

  const test = (args: string[], input = KEY) =>
    call(['connect', 'test', ...args], { env: environmentOf({}), input: `${input}\n` });
  const against = (file: string, ...more: string[]): string[] => [file, '--against', server.url, ...more];
  async function write(text: string): Promise<string> {
    const file = join(folder, 'source.mjs');
    await writeFile(file, text);
    return file;
  }

  it('says of each law that it holds, and what was checked', async () => {
    const { code, out, err } = await test(against(FILE, '--days', '1', '--at', '2026-03-10T23:00:00Z', '--json'));

    assert.deepEqual([code, err], [0, '']);
    const { kind, laws } = JSON.parse(out);
    assert.equal(kind, 'kiosk');
    assert.deepEqual(
      laws.map(({ law, holds, faults }: { law: number; holds: boolean; faults: object[] }) => [law, holds, faults]),
      [1, 2, 4, 5, 7].map((law) => [law, true, []]),
    );
    for (const { checked } of laws) assert.match(checked, /[1-9]|two polls/);
    assert.ok(!out.includes(KEY));
  });

  it('fails where nothing was modified, instead of comparing nothing', async () => {
    const { code, out, err } = await test(against(FILE, '--days', '1', '--at', '2025-03-10T23:00:00Z'));

    assert.deepEqual([code, out], [1, '']);
    assert.match(err, /no order has a modifiedDate from 2025-03-09T23:00:00\.000Z to .*: nothing can be compared/);
  });

  it('says what is wrong with a file, an address or a secret before anything is read', async () => {
    const before = server.paths.length;
    const said = async (args: string[], input?: string): Promise<string> => {
      const { code, err } = await test(args, input);
      assert.ok(code);
      return err;
    };
    const none = join(folder, 'none.mjs');
    assert.match(await said(against(none)), /none\.mjs does not exist/);
    assert.match(await said(against(await write(''))), /source\.mjs exports no source by default/);
    assert.match(await said(against(FILE), 'short'), /key is too short to be searched for/);
    assert.match(await said(against(FILE), ''), /key is missing/);
    assert.match(await said(against(FILE, '--credential', `key=${KEY}`)), /key is secret/);
    assert.match(await said(against(FILE, '--credential', 'id=1')), /--credential takes NAME=VALUE, one of key/);
    assert.match(await said(against(FILE, '--days', '0')), /--days is a whole number/);
    assert.match(await said(against(FILE, '--at', 'now')), /--at is an instant/);
    assert.match(await said([FILE]), /--against URL/);
    assert.match(await said([FILE, '--against', 'ftp://kiosk']), /http:\/\/ or https:\/\//);
    assert.match(await said([]), /name the file/);
    assert.equal(server.paths.length, before);
  });

  it('names the refusal of a point of sale, without the credentials', async () => {
    const { code, err } = await test(against(FILE), 'another-secret');

    assert.equal(code, 1);
    assert.match(err, /kiosk\.ts cannot read http.*refuses the credentials: a wrong key \(credentials_refused\)/);
    assert.ok(!err.includes('another-secret'));
  });
});
