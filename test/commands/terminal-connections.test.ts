/** Points of sale at a terminal: `daypart connect` and `daypart connections`. */
import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { type Config, readConfig } from '../../packages/service/src/config/config.ts';
import { toast } from '../../packages/service/src/connections/sources/toast/toast.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { type Service, startService } from '../../packages/service/src/serve.ts';
import { openStores } from '../../packages/service/src/stores.ts';
import { openKiosk } from '../connections/kiosk-parts.ts';
import { createClock } from '../upstream/clock.ts';
import { createWorld } from '../upstream/world.ts';
import { type Desk, HAS_SCRIPT, openDesk, seen } from './desk.ts';
import type { Ended } from './process.ts';

const NOW = Date.UTC(2026, 2, 10, 18);
const SECRET = 'canary-of-the-till';

describe('a point of sale at the terminal', () => {
  const world = createWorld({ clock: createClock({ at: NOW }), days: 1 });
  const [harbor = ''] = world.houses.keys();
  const { kind, title, credentials } = toast;
  const kiosk = openKiosk(world, NOW, { kind, title, credentials });
  const point = ['--url', 'https://till.example', '--client-id', 'till-1', '--restaurant', harbor];
  let service: Service;
  let data: string;
  let desk: Desk;
  let env: Record<string, string>;

  before(async () => {
    data = await mkdtemp(join(tmpdir(), 'daypart-till-'));
    const settings = { data, port: 0, metricsPort: undefined, limits: 'off', console: 'off', drainSeconds: 0 } as const;
    const config: Config = { ...readConfig({}, {}), ...settings, engineMemory: 512, logLevel: 'silent' };
    const log = openLog('silent');
    const options = { clock: () => NOW, connections: kiosk.parts };
    service = await startService(config, log, await openStores(config, log), options);
    const scopes = ['ingest:write', 'access:admin', 'enterprise-metrics:read'];
    const client = await createClient(service.stores.ledger, { group: 'g', scopes }, NOW);
    env = {
      DAYPART_URL: service.baseUrl,
      DAYPART_CLIENT_ID: client.id,
      DAYPART_CLIENT_SECRET: client.secret,
    };
    desk = await openDesk();
  });
  after(async () => {
    await desk.close();
    await service.close();
    await rm(data, { recursive: true, force: true });
  });

  const run = (args: string[], input?: string, more: Record<string, string> = {}): Promise<Ended> =>
    desk.run(args, { env: { ...env, ...more }, ...(input === undefined ? {} : { input }) });
  const listed = async (): Promise<{ id: string; restaurants: object[] }[]> =>
    JSON.parse((await run(['connections'])).out);

  it('shows what credentials reach, and stores nothing', async () => {
    const dry = await run(['connect', 'toast', ...point, '--dry-run'], `${SECRET}\n`);
    assert.equal(dry.code, 0, dry.err);
    assert.match(
      dry.out,
      /^Restaurant +GUID +Time zone +Currency +State\nHarbor Light Oyster House +3f0a5c1e-\S+ +America\/New_York +USD +found\n/,
    );
    assert.match(dry.out, /\nReadable: orders, time entries, names, menus\. Nothing was stored\.\n$/);
    const { url, first, credentials: sent } = kiosk.asked[0] ?? {};
    assert.deepEqual(
      [url, first, sent],
      ['https://till.example', harbor, { clientId: 'till-1', clientSecret: SECRET }],
    );
    const json = JSON.parse((await run(['connect', 'toast', ...point, '--dry-run', '--json'], SECRET)).out);
    assert.equal(json.restaurants.length, world.houses.size);
    assert.deepEqual(await listed(), []);
    const table = await run(['connections', '--format', 'table']);
    assert.equal(table.out, 'No point of sale is connected. Connect one with: daypart connect toast\n');
  });

  it('is refused with exit codes that say who has to act, and stores nothing', async () => {
    for (const [refusal, code, said] of [
      ['credentials_refused', 3, /refuses the client id or secret\.\n {2}Check the client id and the secret of the/],
      ['no_permission', 3, /may not read the list of restaurants/],
      ['upstream_unreachable', 5, /cannot be reached at this address\. .*\n {2}Check the address of the point of sale/],
      ['restaurant_unknown', 2, /does not have this restaurant/],
    ] as const) {
      kiosk.refusal = refusal;
      const dry = await run(['connect', 'toast', ...point, '--dry-run'], SECRET);
      assert.deepEqual([dry.code, dry.out], [code, ''], dry.err);
      assert.match(dry.err, said);
      const made = await run(['connect', 'toast', ...point], SECRET);
      // What may not list restaurants is an address that cannot be read to the operation that stores.
      assert.equal(made.code, refusal === 'no_permission' ? 5 : code, made.err);
    }
    kiosk.refusal = undefined;
    const missing = await run(['connect', 'toast', ...point]);
    assert.deepEqual([missing.code, missing.out], [2, '']);
    assert.match(missing.err, /the secret of the point of sale is missing: on standard input/);
    for (const [flags, said] of [
      [['--backfill', 'x'], /--backfill is a whole number, not x/],
      [['--poll', '1'], /pollSeconds must be a whole number from 30 to 3600/],
      [['--only', 'Nowhere'], /no restaurant is called "Nowhere"; the nearest: "/],
      [['--from', '2026-02-30'], /--from 2026-02-30 is not in the calendar/],
    ] as const) {
      const { code, err } = await run(['connect', 'toast', ...point, ...flags], SECRET);
      assert.equal(code, 2, err);
      assert.match(err, said);
    }
    const unnamed = await run(['connect', 'toast', '--client-id', 'x'], SECRET);
    assert.match(unnamed.err, /which point of sale\? it needs --url, or a terminal to ask on/);
    assert.deepEqual(await listed(), []);
  });

  it('is connected, shown, paused, and removed', async () => {
    const file = join(desk.folder, 'secret.txt');
    await writeFile(file, `${SECRET}\n`);
    const pace = ['--only', 'harbor', '--backfill', '7d', '--poll', '300', '--name', 'Till'];
    const made = await run(['connect', 'toast', ...point, ...pace], undefined, { DAYPART_CONNECT_SECRET_FILE: file });
    assert.equal(made.code, 0, made.err);
    assert.match(made.out, /^con_\S{22}\n$/);
    const id = made.out.trim();
    assert.deepEqual(
      (await listed()).map((one) => [one.id, one.restaurants.length]),
      [[id, 1]],
    );

    const shown = await run(['connections', 'show', 'TILL']);
    assert.equal(shown.code, 0, shown.err);
    assert.match(
      shown.out,
      /^Till \(toast\), https:\/\/till\.example, con_\S+\nReading\. Client id till-1…; asked every 300 s; behind by –\.\n\n/,
    );
    assert.match(
      shown.out,
      /\nHarbor Light Oyster House +chosen +\S+ 0 of 1 +– +– +Chosen\. Reading begins within a minute\.\n$/,
    );
    const table = await run(['connections', '--format', 'table']);
    assert.match(
      table.out,
      /^Id +Kind +Name +Restaurants +State +Behind +Settled\ncon_\S+ +toast +Till +1 +chosen +– +–\n$/,
    );
    const csv = await run(['connections', '--format', 'csv']);
    assert.match(csv.out, /^id,kind,name,url,state,.*\r\ncon_\S+,toast,Till,https:\/\/till\.example,active,,1,,\r\n$/);

    const dates = ['--from', '2026-03-01', '--to', '2026-03-02', '--restaurant', 'harbor'];
    const read = await run(['connections', 'read', id.slice(0, 8), ...dates]);
    assert.equal(read.out, '2 dates of 1 restaurant will be read again.\n', read.err);
    const paused = await run(['connections', 'pause', id]);
    assert.equal(paused.out, 'Till: Paused. Nothing is read until it is resumed.\n', paused.err);
    const stopped = await run(['connections', 'show', id, '--watch']);
    assert.equal(stopped.code, 1);
    assert.match(stopped.err, /Paused\. .*\n {2}daypart connections resume con_/);
    const resumed = await run(['connections', 'resume', id, '--json']);
    assert.equal(JSON.parse(resumed.out).state, 'active');

    kiosk.refusal = 'credentials_refused';
    const refused = await run(['connections', 'credentials', id, '--client-id', 'till-2'], 'wrong');
    kiosk.refusal = undefined;
    assert.equal(refused.code, 3, refused.err);
    const put = await run(['connections', 'credentials', id, '--client-id', 'till-2'], SECRET);
    assert.equal(put.out, 'Till: the new credentials work. Reading.\n', put.err);

    const taken = await run(['connect', 'toast', ...point], SECRET);
    assert.equal(taken.code, 1);
    assert.match(taken.err, /has another connection\.\n {2}Name the restaurants that are free: --only NAME/);
    const removed = await run(['connections', 'remove', id]);
    assert.equal(removed.out, 'Removed Till and its credentials. The data stays.\n', removed.err);
    const gone = await run(['connections', 'resume', id]);
    assert.equal(gone.code, 2);
    assert.match(gone.err, /no connection is called "con_.*"; daypart connections lists them/);
  });

  it('asks for everything on a terminal, for the secret without showing it', { skip: !HAS_SCRIPT }, async () => {
    const { code, text } = await desk.onTerminal(['connect', 'toast', '--backfill', '0'], {
      env,
      answers: [
        ['Address of the API', 'https://till.example\r'],
        ['Client id', 'till-1\r'],
        ['not shown', `${SECRET}\r`],
        ['GUID of one restaurant', `${harbor}\r`],
      ],
    });
    assert.equal(code, 0, text);
    assert.doesNotMatch(text, new RegExp(SECRET));
    assert.match(seen(text), new RegExp(`Connected Toast: ${world.houses.size} restaurants, 0 dates before today\\.`));
    assert.match(seen(text), /Follow it with: daypart connections show con_\S+ --watch/);
    const [{ id = '' } = {}] = await listed();
    assert.equal((await run(['connections', 'remove', id])).code, 0);
  });
});
