/** The suite for authors of sources finds each way in which a source is weaker than it has to be. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import type { ConnectionSource, JsonObject, RecordPage, RecordStream, SourceContext } from '@daypart/client/source';
import { toast } from '../../packages/service/src/connections/sources/toast/toast.ts';
import { Patience } from '../../packages/service/src/connections/suite/patience.ts';
import { type LawResult, type SuiteOptions, testSource } from '../../packages/service/src/connections/suite/suite.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { openStores, type Stores } from '../../packages/service/src/stores.ts';
import { START, small } from '../upstream/caller.ts';
import { createClock } from '../upstream/clock.ts';
import { startUpstream } from '../upstream/upstream.ts';
import { createWorld } from '../upstream/world.ts';
import kiosk from './kiosk.ts';
import { type KioskServer, startKiosk } from './kiosk-upstream.ts';

const KEY = 'canary-of-the-kiosk';
const OVERLAP_MS = 15 * 60_000;

/** The kiosk with other orders. */
const withOrders = (changes: Partial<RecordStream>): ConnectionSource =>
  Object.assign({}, kiosk, { orders: Object.assign({}, kiosk.orders, changes) });

/** Changes the pages of orders, of changes and of dates. */
function mapPages(change: (ctx: SourceContext, page: RecordPage) => RecordPage): ConnectionSource {
  async function* over(ctx: SourceContext, pages: AsyncIterable<RecordPage>): AsyncGenerator<RecordPage> {
    for await (const page of pages) yield change(ctx, page);
  }
  const { orders } = kiosk;
  return withOrders({
    changed: (ctx, cursor) => over(ctx, orders.changed(ctx, cursor)),
    dates: (ctx, from, to) => over(ctx, orders.dates(ctx, from, to)),
  });
}

describe('the suite finds a source that', () => {
  let folder: string;
  let stores: Stores;
  let server: KioskServer;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daypart-suite-'));
    stores = await openStores({ data: folder, engineMemory: 512, enginePriority: 'low' }, openLog('silent'));
    const restaurants = [small(0, { ordersPerDay: 40 })];
    const world = createWorld({ clock: createClock({ at: START }), restaurants, days: 5 });
    server = await startKiosk(world, { key: KEY });
  });
  after(async () => {
    await server.close();
    await stores.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** The laws that do not hold. */
  async function broken(source: ConnectionSource, of: Partial<SuiteOptions> = {}): Promise<Map<number, LawResult>> {
    const options = { source, url: server.url, credentials: { key: KEY }, at: START, days: 1, first: null };
    const laws = await testSource(
      Object.assign(options, { patience: new Patience(60_000) }, of, {
        stores: Object.assign({}, stores, { openLog: (to: Parameters<typeof openLog>[1]) => openLog('debug', to) }),
        onStory: () => undefined,
      }),
    );
    return new Map(laws.filter(({ holds }) => !holds).map((law) => [law.law, law]));
  }

  it('keeps all laws: none', async () => {
    assert.deepEqual([...(await broken(kiosk))], []);
  });

  it('is our own for the stand-in: none', async (t) => {
    // A stopped clock never begins another slice of a limit.
    const upstream = await startUpstream({ at: START, restaurants: [small(0), small(1)], days: 5, limits: 'off' });
    t.after(() => upstream.close());
    const { clientId = '', clientSecret = '' } = upstream.world.clients[0] ?? {};
    const [first = ''] = upstream.world.houses.keys();
    assert.deepEqual(
      [...(await broken(toast, { url: upstream.url, credentials: { clientId, clientSecret }, first }))],
      [],
    );
  });

  /** It reads all that there is, with many faults of fair use and of secrets. */
  function careless(): ConnectionSource {
    const telling = mapPages((ctx, page) => {
      ctx.log('info', `read with ${ctx.credentials.key}`);
      const records = page.records.map((one): JsonObject => Object.assign({}, one, { source: ctx.credentials.key }));
      return Object.assign({}, page, { records });
    });
    async function* changed(ctx: SourceContext, cursor: JsonObject): AsyncGenerator<RecordPage> {
      await ctx.request('POST', '/session', { body: { key: KEY } });
      await fetch(`${server.url}/shops`);
      yield* telling.orders.changed(ctx, cursor);
    }
    return Object.assign({}, telling, {
      orders: Object.assign({}, telling.orders, { changed }),
      signIn: async (ctx: SourceContext) => Object.assign(await kiosk.signIn(ctx), { until: ctx.now() + 30_000 }),
    });
  }

  let reads = 0;
  /** Of each source, which is tested once. */
  const tested = new Map<() => ConnectionSource, Promise<Map<number, LawResult>>>();
  const weakened: [name: string, law: number, message: RegExp, source: () => ConnectionSource][] = [
    [
      'drops a page',
      1,
      /^was not read$/,
      () =>
        withOrders({
          async *changed(ctx, cursor) {
            let pages = 0;
            for await (const page of kiosk.orders.changed(ctx, cursor)) if (++pages !== 2 || page.cursor) yield page;
          },
        }),
    ],
    [
      'reads without an overlap',
      1,
      /^(was not read|is not stored as)/,
      () =>
        withOrders({
          begin: (until) => ({ until }),
          changed: (ctx, { until }) => kiosk.orders.changed(ctx, { until: Number(until) + OVERLAP_MS }),
        }),
    ],
    [
      'reads dates that were not asked for',
      1,
      /^is of another date than orders\.dates\(\d{8}, \d{8}\) asks for$/,
      () => withOrders({ dates: (ctx, from, to) => kiosk.orders.dates(ctx, from - 1, to) }),
    ],
    [
      'changes a field at each read',
      2,
      /^is another record at each read/,
      () =>
        mapPages((_, page) =>
          Object.assign({}, page, {
            records: page.records.map((one): JsonObject => Object.assign({}, one, { numberOfGuests: ++reads })),
          }),
        ),
    ],
    [
      'has a cursor kept before its records are',
      4,
      /^(was not read|is not stored as)/,
      () =>
        withOrders({
          async *changed(ctx, cursor) {
            const end = { until: ctx.now() };
            for await (const { records } of kiosk.orders.changed(ctx, cursor)) yield { records, cursor: end };
          },
        }),
    ],
    ['signs in at each call', 5, /^\d+ sign-ins within an hour$/, careless],
    [
      'calls without request, which waits for limits',
      5,
      /^while orders is read, calls are not made by request/,
      careless,
    ],
    ['returns a session that has ended', 5, /^signIn returns a session that ends after/, careless],
    ['logs a credential', 7, /^a credential is in a log line$/, careless],
    ['has a credential in a record', 7, /^a credential is in the changed orders$/, careless],
  ];
  for (const [name, law, message, source] of weakened)
    it(`${name}, at law ${law}`, async (t) => {
      const result = tested.get(source) ?? broken(source());
      tested.set(source, result);
      const laws = await result;

      const faults = laws.get(law)?.faults ?? [];
      t.diagnostic(`laws ${[...laws.keys()]}: ${faults.length} faults`);
      assert.ok(
        faults.some((fault) => message.test(fault.message)),
        JSON.stringify([...laws.values()], null, 1),
      );
      const [first] = faults;
      if (law < 5) assert.ok(first?.restaurant && first.date && first.order, JSON.stringify(first));
    });

  const never = (): Promise<never> => new Promise(() => undefined);
  const endless: [name: string, message: RegExp, source: ConnectionSource][] = [
    ['never signs in', /^signIn gave no answer for 2 s$/, Object.assign({}, kiosk, { signIn: never })],
    [
      'never says its restaurants',
      /^restaurants gave no answer for 2 s$/,
      Object.assign({}, kiosk, { restaurants: never }),
    ],
    [
      'never gives a page of changes',
      /^orders\.changed of \S+ gave no page for 2 s$/,
      withOrders({ changed: () => ({ [Symbol.asyncIterator]: () => ({ next: never }) }) }),
    ],
    [
      'never gives the page of a date',
      /^orders\.dates\(\d{8}, \d{8}\) of \S+ gave no page for 2 s$/,
      withOrders({
        async *dates() {
          await never();
          yield { records: [] };
        },
      }),
    ],
    [
      'has always another cursor',
      /^orders\.changed of \S+ has no end: more than 100 pages$/,
      withOrders({
        async *changed(ctx) {
          for (let until = ctx.now(); ; until++) yield { records: [], cursor: { until } };
        },
      }),
    ],
  ];
  for (const [name, message, source] of endless)
    it(`${name}, at law 1`, async () => {
      const laws = await broken(source, { patience: new Patience(2000, 100) });

      assert.deepEqual([...laws.keys()], [1]);
      assert.match(laws.get(1)?.faults[0]?.message ?? '', message);
    });
});
