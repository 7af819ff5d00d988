/** `daypart connect test`: a source of an author's own, against its point of sale. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { type KioskServer, startKiosk } from '../connections/kiosk-upstream.ts';
import { START, small } from '../upstream/caller.ts';
import { createClock } from '../upstream/clock.ts';
import { createWorld } from '../upstream/world.ts';
import { call } from './in-process.ts';
import { environmentOf, run, start, stop } from './process.ts';

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
  let files = 0;
  /** A module of its own: Node imports each path once. */
  async function write(text: string): Promise<string> {
    const file = join(folder, `source${++files}.mjs`);
    await writeFile(file, text);
    return file;
  }

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
    assert.match(await said(against(await write(''))), /source1\.mjs exports no source by default/);
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

  /** The kiosk with other properties. */
  const variant = (properties: string, before = ''): Promise<string> =>
    write(`import kiosk from ${JSON.stringify(pathToFileURL(FILE).href)};
const { orders } = kiosk;
${before}
export default { ...kiosk, ${properties} };
`);
  const upTo = ['--days', '1', '--at', '2026-03-10T23:00:00Z'];

  describe('in a process of its own', () => {
    /** Where it has its temporary folder. */
    const place = () => join(folder, 'temporary');
    before(() => mkdir(place()));
    const own = () => ({ DAYPART_CONNECT_SECRET: KEY, TMPDIR: place() });

    it('says of each law that it holds, and what was checked, and ends although a timer of the module runs', async () => {
      const file = await variant('title: "Till"', 'setInterval(() => {}, 1000);');
      const { code, out, err } = await run(['connect', 'test', ...against(file, ...upTo, '--json')], own());

      assert.deepEqual([code, err, await readdir(place())], [0, '', []]);
      const { kind, laws } = JSON.parse(out);
      assert.equal(kind, 'kiosk');
      assert.deepEqual(
        laws.map(({ law, holds, faults }: { law: number; holds: boolean; faults: object[] }) => [law, holds, faults]),
        [1, 2, 4, 5, 7].map((law) => [law, true, []]),
      );
      for (const { checked } of laws) assert.match(checked, /[1-9]|two polls/);
      assert.ok(!out.includes(KEY));
    });

    const ends: [name: string, message: RegExp, properties: string, before?: string][] = [
      ['ends the process as it is imported', /ended the process before the suite was over/, '', 'process.exit(0);'],
      [
        'ends the process in a function',
        /ended the process before the suite was over/,
        'restaurants() { process.exit(0); }',
      ],
      ['never ends its import', /waits for what never happens/, '', 'await new Promise(() => {});'],
      [
        'throws in a timer',
        /source\d+\.mjs threw outside of its functions: Error: a \[Redacted\] too many \(source\d+\.mjs:3:29\)/,
        'restaurants: () => new Promise(() => { setTimeout(later, 1, kiosk); })',
        `const later = () => { throw new Error('a ${KEY} too many'); };`,
      ],
      [
        'does not await an error',
        /threw outside of its functions: TypeError: x is lost \(source\d+\.mjs:\d+:\d+\)/,
        `restaurants() { Promise.reject(new TypeError('x is lost')); return new Promise(() => {}); }`,
      ],
    ];
    for (const [name, message, properties, first] of ends)
      it(`fails for a module that ${name}`, async () => {
        const file = await variant(properties, first);
        const { code, out, err } = await run(['connect', 'test', ...against(file, ...upTo)], own());

        assert.match(err, message);
        assert.deepEqual([code, out, await readdir(place())], [1, '', []]);
        assert.ok(!err.includes(KEY));
      });

    for (const [signal, code] of [
      ['SIGINT', 130],
      ['SIGTERM', 143],
    ] as const)
      it(`leaves nothing behind after ${signal}`, async () => {
        const file = await variant(`restaurants() { console.error('asked'); return new Promise(() => {}); }`);
        const child = start(['connect', 'test', ...against(file, ...upTo)], own());
        for await (const text of child.stderr ?? []) if (String(text).includes('asked')) break;
        assert.equal((await readdir(place())).length, 1);

        assert.equal(await stop(child, signal), code);
        assert.deepEqual(await readdir(place()), []);
      });
  });

  const wrong: [name: string, message: RegExp, properties: string][] = [
    [
      'what is thrown and where',
      /orders cannot be read: TypeError: no \[Redacted\] here \(source\d+\.mjs:\d+:\d+\) \(upstream_changed\)/,
      `orders: { ...orders, async *changed() { throw new TypeError('no ${KEY} here'); } }`,
    ],
    [
      'restaurants that are none',
      /restaurants returned none$/m,
      `restaurants: async () => ({ access: 'key', restaurants: [] })`,
    ],
    [
      'restaurants of nothing',
      /restaurants should return \{ access, restaurants \} .*, not undefined/,
      'restaurants: async () => undefined',
    ],
    [
      'a session of nothing',
      /signIn should return \{ headers, until \} .*, not undefined/,
      'signIn: async () => undefined',
    ],
    [
      'a page of nothing',
      /orders\.changed of \S+ should yield \{ records \} .*, not null/,
      'orders: { ...orders, async *changed() { yield null; } }',
    ],
    [
      'records of nothing',
      /orders\.changed of \S+ should yield \{ records \} .*, not \{ records: \[ null \] \}/,
      'orders: { ...orders, async *changed() { yield { records: [null] }; } }',
    ],
    [
      'a stream of nothing',
      /orders\.changed of \S+ should return pages to iterate over, not undefined/,
      'orders: { ...orders, changed() {} }',
    ],
    [
      'an instant that is none',
      /orders\.readUntil should return an instant in milliseconds, not NaN/,
      'orders: { ...orders, readUntil: () => Number.NaN }',
    ],
    [
      'orders without a modifiedDate',
      /\d+ of \d+ orders have no modifiedDate that is an instant .*: nothing can be compared/,
      `orders: { ...orders, async *dates(...of) {
        for await (const { records } of orders.dates(...of))
          yield { records: records.map((one) => ({ ...one, modifiedDate: 'yesterday' })) };
      } }`,
    ],
    [
      'pages without an end',
      /convergence +does not hold.* orders\.dates\(\d+, \d+\) of \S+ has no end: more than 10,000 pages/s,
      'orders: { ...orders, async *dates() { for (;;) yield { records: [] }; } }',
    ],
    [
      'calls without an end',
      /convergence +does not hold.* restaurants has no end: more than 10,000 calls/s,
      `requestsPerSecond: { usual: 1000, most: 1000 },
      async restaurants(ctx) { for (;;) try { await ctx.request('GET', '/shops'); } catch {} }`,
    ],
  ];
  for (const [name, message, properties] of wrong)
    it(`names ${name}`, async () => {
      const { code, out, err } = await test(against(await variant(properties), ...upTo));

      assert.match(out + err, message);
      assert.equal(code, 1);
      assert.ok(!(out + err).includes(KEY));
    });
});
