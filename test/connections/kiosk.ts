/**
 * A source of a kind that the service does not know, over the state of the stand-in (test/upstream) without HTTP: what
 * any other source has to be. It reads pages of a few records in the order in which they were modified.
 */
import {
  type ConnectionSource,
  type Cursor,
  defineSource,
  type FoundRestaurant,
  type JsonObject,
  type RecordPage,
  type RecordStream,
  type SourceContext,
  SourceError,
} from '@daypart/client/source';
import { addDays } from '../../packages/service/src/contract/dates.ts';
import { establish } from '../../packages/service/src/demo/reference.ts';
import type { Stream } from '../../packages/service/src/ledger/connection.ts';
import type { House } from '../upstream/house.ts';
import type { World } from '../upstream/world.ts';

/** One call of the kiosk. */
export interface KioskCall {
  restaurant: string;
  stream: Stream;
  kind?: 'orders' | 'entries';
  /** The business date that is asked for, or the instant from which changes are. */
  from: number;
}

/** Called before each call is answered; may throw, or change the world. */
export type OnCall = (call: KioskCall) => void | Promise<void>;

const PAGE = 25;
const OVERLAP_MS = 15 * 60_000;

function* cut(records: readonly object[]): Generator<JsonObject[]> {
  for (let at = 0; at < records.length || at === 0; at += PAGE) yield records.slice(at, at + PAGE) as JsonObject[];
}

const modifiedAt = ({ modifiedDate }: JsonObject): string => String(modifiedDate);

/** Makes the source; `onCall` sees every call. */
export function kioskSource(world: World, onCall: OnCall): ConnectionSource {
  const houseOf = ({ restaurant }: SourceContext): House => {
    const house = world.houses.get(restaurant?.upstreamId ?? '');
    if (!house) throw new RangeError('an unknown restaurant');
    return house;
  };
  const call = (ctx: SourceContext, stream: Stream, more: Partial<KioskCall> = {}) =>
    onCall(Object.assign({ restaurant: ctx.restaurant?.upstreamId ?? '', stream, from: 0 }, more));

  const streamOf = (kind: 'orders' | 'entries', stream: 'orders' | 'timeEntries'): RecordStream => ({
    everySeconds: 600,
    datesAtOnce: kind === 'orders' ? 1 : 28,
    begin: (now): Cursor => ({ until: now - OVERLAP_MS }),
    readUntil: ({ until }) => Number(until),
    async *changed(ctx, { until }): AsyncGenerator<RecordPage> {
      const [from, to] = [Number(until) - OVERLAP_MS, ctx.now()];
      const changed = houseOf(ctx).modified(kind, { from, until: to }, world.clock.now()) as unknown as JsonObject[];
      const pages = [...cut(changed.sort((a, b) => (modifiedAt(a) < modifiedAt(b) ? -1 : 1)))];
      for (const [at, records] of pages.entries()) {
        await call(ctx, stream, { kind, from });
        yield at === pages.length - 1 ? { records, cursor: { until: to } } : { records };
      }
    },
    async *dates(ctx, from, to): AsyncGenerator<RecordPage> {
      for (let date = from; date <= to; date = addDays(date, 1)) {
        for (const records of cut(houseOf(ctx).ofDate(kind, date, world.clock.now()))) {
          await call(ctx, 'backfill', { kind, from: date });
          yield { records };
        }
      }
    },
    async one(ctx, guid) {
      await call(ctx, 'check');
      return (houseOf(ctx).find(kind, guid, world.clock.now()) as JsonObject | undefined) ?? null;
    },
  });

  const found = ({ guid, settings, firstBusinessDate }: House): FoundRestaurant =>
    Object.assign({ upstreamId: guid, guid, firstBusinessDate }, settings);

  return defineSource({
    kind: 'kiosk',
    title: 'Kiosk',
    credentials: { key: { label: 'Key', secret: true } },
    requestsPerSecond: { usual: 8, most: 8 },
    signIn: async () => ({ headers: {}, until: Number.MAX_SAFE_INTEGER }),
    async restaurants(ctx) {
      await call(ctx, 'settings');
      if (ctx.credentials.key === 'wrong') throw new SourceError('credentials_refused', 'a wrong key');
      return { access: 'group', restaurants: [...world.houses.values()].map(found) };
    },
    async settings(ctx) {
      await call(ctx, 'settings');
      const { guid } = houseOf(ctx);
      return world.clients[0]?.restaurants.includes(guid) ? found(houseOf(ctx)) : null;
    },
    orders: streamOf('orders', 'orders'),
    timeEntries: streamOf('entries', 'timeEntries'),
    names: {
      everySeconds: 86_400,
      async read(ctx) {
        await call(ctx, 'names');
        const { jobs, staff } = establish(houseOf(ctx).restaurant);
        return {
          lists: {
            jobs: jobs.map(({ guid, job: { title, code, wageFrequency } }) => ({ guid, title, code, wageFrequency })),
            employees: staff.map(({ guid, firstName, lastName }) => ({ guid, firstName, lastName })),
          },
          forbidden: [],
        };
      },
    },
    menus: {
      everySeconds: 1800,
      async read(ctx, cursor) {
        await call(ctx, 'menus');
        if (cursor.lastUpdated === world.menusAt) return null;
        const menus = [{ guid: `${houseOf(ctx).guid} menu`, name: 'All day', menuGroups: [] }];
        return { menus: { menus }, cursor: { lastUpdated: world.menusAt } };
      },
    },
  });
}
