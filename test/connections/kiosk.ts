/**
 * A source of a kind that the service does not know, as its author writes it: with the published client alone. Its
 * point of sale is kiosk-upstream.ts.
 */
import {
  defineSource,
  type JsonObject,
  type Question,
  type RecordPage,
  type RecordStream,
  type SourceContext,
  type UpstreamRestaurant,
} from '@daypart/client/source';

/** Versions may become visible late. */
const OVERLAP_MS = 15 * 60_000;

interface Page {
  records: JsonObject[];
  /** The place after which the next page begins; null on the last one. */
  next: string | null;
}

const placeOf = ({ restaurant }: SourceContext): string => `/shops/${restaurant?.upstreamId}`;

/** The pages of a list. */
async function* pagesOf(ctx: SourceContext, path: string, query: Question['query']): AsyncGenerator<JsonObject[]> {
  for (let after: string | null = ''; after !== null; ) {
    const { json } = await ctx.request('GET', placeOf(ctx) + path, { query: Object.assign({ after }, query) });
    const { records, next }: Page = json as Page;
    yield records;
    after = next;
  }
}

const streamOf = (path: string, datesAtOnce: number): RecordStream => ({
  everySeconds: 600,
  datesAtOnce,
  begin: (now) => ({ until: now - OVERLAP_MS }),
  readUntil: ({ until }) => Number(until),
  async *changed(ctx, { until }): AsyncGenerator<RecordPage> {
    const now = ctx.now();
    for await (const records of pagesOf(ctx, path, { from: Number(until) - OVERLAP_MS, until: now })) yield { records };
    yield { records: [], cursor: { until: now } };
  },
  async *dates(ctx, first, last): AsyncGenerator<RecordPage> {
    for await (const records of pagesOf(ctx, path, { first, last })) yield { records };
  },
  async one(ctx, guid) {
    const { status, json } = await ctx.request('GET', `${placeOf(ctx)}${path}/${guid}`, { allow: [404] });
    return status === 404 ? null : (json as JsonObject);
  },
});

export default defineSource({
  kind: 'kiosk',
  title: 'Kiosk',
  credentials: { key: { label: 'Key', secret: true } },
  requestsPerSecond: { usual: 8, most: 8 },
  async signIn(ctx) {
    const { json } = await ctx.request('POST', '/session', { body: { key: ctx.credentials.key } });
    const { token, seconds } = json as { token: string; seconds: number };
    return { headers: { authorization: `Bearer ${token}` }, until: ctx.now() + seconds * 1000 };
  },
  async restaurants(ctx) {
    const { json } = await ctx.request('GET', '/shops');
    return { access: 'group', restaurants: json as UpstreamRestaurant[] };
  },
  async settings(ctx) {
    const { status, json } = await ctx.request('GET', placeOf(ctx), { allow: [404] });
    return status === 404 ? null : (json as UpstreamRestaurant);
  },
  orders: streamOf('/orders', 1),
  timeEntries: streamOf('/entries', 28),
  names: {
    everySeconds: 86_400,
    async read(ctx) {
      const { json } = await ctx.request('GET', `${placeOf(ctx)}/names`);
      return { lists: json as Record<string, JsonObject[]>, forbidden: [] };
    },
  },
  menus: {
    everySeconds: 1800,
    async read(ctx, cursor) {
      const { json } = await ctx.request('GET', `${placeOf(ctx)}/menus`);
      const { lastUpdated, menus } = json as { lastUpdated: string; menus: JsonObject[] };
      return cursor.lastUpdated === lastUpdated ? null : { menus: { menus }, cursor: { lastUpdated } };
    },
  },
});
