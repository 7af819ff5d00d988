/** A source whose every call and record is seen by the suite. */
import {
  type ConnectionSource,
  isSourceError,
  type JsonObject,
  type RecordPage,
  type RecordStream,
  type SourceContext,
  type SourceSession,
} from '@daypart/client/source';
import { parseInstant } from '../../contract/clock.ts';
import type { ContextOptions } from '../connector.ts';
import type { RecordKind } from '../member.ts';
import type { ReadScope, Watch } from './watch.ts';

/** What the suite does to the pages of records. */
export interface Pages {
  /** Records of `changed` that the point of sale does not show yet. */
  isHidden(record: JsonObject): boolean;
  /** Records of `dates` that count. */
  counts(scope: ReadScope, kind: RecordKind, record: JsonObject): boolean;
  /** Dates are about to be read. */
  onDates(scope: ReadScope, kind: RecordKind, from: number, to: number): void;
}

/** When a record was modified, ms since 1970 UTC; undefined if it does not say so. */
export const modifiedAt = ({ modifiedDate }: JsonObject): number | undefined =>
  typeof modifiedDate === 'string' ? parseInstant(modifiedDate) : undefined;

export interface Watched {
  source: ConnectionSource;
  /** Says what a context is for; returns it. */
  name(of: ContextOptions, ctx: SourceContext): SourceContext;
}

/** A session that ends sooner would be renewed more often than a point of sale allows. */
const SHORTEST_SESSION_MS = 60_000;

/** The source with the eyes of the suite. */
export function watchSource(source: ConnectionSource, watch: Watch, pages: Pages): Watched {
  const scopes = new WeakMap<SourceContext, ReadScope>();
  const scopeOf = (ctx: SourceContext): ReadScope => scopes.get(ctx) ?? { restaurant: '', stream: '' };

  async function seen<T>(ctx: SourceContext, what: string, work: () => Promise<T>): Promise<T> {
    const scope = scopeOf(ctx);
    try {
      const value = await watch.within(scope, work);
      watch.search(what, value);
      return value;
    } catch (error) {
      if (!ctx.signal.aborted) {
        watch.search(`an error of ${what}`, error);
        const { name, message } = error as Error;
        const said = isSourceError(error) ? `${error.code}: ${message}` : `${name}: ${message}`;
        watch.errors.set(`${scope.restaurant} ${scope.stream}`, said);
      }
      throw error;
    }
  }

  async function* seenPages(
    ctx: SourceContext,
    what: string,
    open: () => AsyncIterable<RecordPage>,
    isWanted: (record: JsonObject) => boolean,
  ): AsyncGenerator<RecordPage> {
    const iterator = watch.within(scopeOf(ctx), () => open()[Symbol.asyncIterator]());
    try {
      for (;;) {
        const next = await seen(ctx, what, () => iterator.next());
        if (next.done) return;
        yield Object.assign({}, next.value, { records: next.value.records.filter(isWanted) });
      }
    } finally {
      await iterator.return?.();
    }
  }

  const { orders, timeEntries, names, menus, rateLimit } = source;
  function watchStream(kind: RecordKind, stream: RecordStream): RecordStream {
    const { one } = stream;
    return Object.assign({}, stream, {
      changed: (ctx, cursor) =>
        seenPages(
          ctx,
          `the changed ${kind}`,
          () => stream.changed(ctx, cursor),
          (record) => !pages.isHidden(record),
        ),
      dates(ctx, from, to) {
        const scope = scopeOf(ctx);
        pages.onDates(scope, kind, from, to);
        return seenPages(
          ctx,
          `the ${kind} of dates`,
          () => stream.dates(ctx, from, to),
          (record) => pages.counts(scope, kind, record),
        );
      },
      ...(one && { one: (ctx: SourceContext, guid: string) => seen(ctx, `one of ${kind}`, () => one(ctx, guid)) }),
    } satisfies Partial<RecordStream>);
  }

  return {
    name(of, ctx) {
      const scope = { restaurant: of.restaurant?.upstreamId ?? '', stream: of.stream };
      const named: SourceContext = Object.assign({}, ctx, {
        // Each call is of the restaurant that it counts for, whenever it is sent.
        request(...[method, path, question]: Parameters<SourceContext['request']>) {
          const call = Object.assign(
            {},
            scope,
            question?.restaurant !== undefined && { restaurant: question.restaurant },
          );
          return watch.within(call, () => ctx.request(method, path, question));
        },
      });
      scopes.set(named, scope);
      return named;
    },
    source: Object.assign({}, source, {
      async signIn(ctx) {
        scopes.set(ctx, { restaurant: '', stream: 'signIn' });
        let session: SourceSession = { headers: {}, until: 0 };
        await seen(ctx, 'the sign-in', async () => {
          session = await source.signIn(ctx);
        });
        const { headers, until } = session;
        // Before a token there is a scheme.
        for (const text of Object.values(headers).flatMap((value) => value.split(' '))) watch.addSecret(text);
        if (until < ctx.now() + SHORTEST_SESSION_MS) watch.shortSessions.add(Math.round((until - ctx.now()) / 1000));
        return session;
      },
      restaurants: (ctx, first) => seen(ctx, 'the restaurants', () => source.restaurants(ctx, first)),
      settings: (ctx) => seen(ctx, 'the settings', () => source.settings(ctx)),
      orders: watchStream('orders', orders),
      ...(timeEntries && { timeEntries: watchStream('timeEntries', timeEntries) }),
      ...(names && {
        names: Object.assign({}, names, {
          read: (ctx: SourceContext, known?: Record<string, readonly string[]>) =>
            seen(ctx, 'the names', () => names.read(ctx, known)),
        }),
      }),
      ...(menus && {
        menus: Object.assign({}, menus, {
          read: (ctx: SourceContext, cursor: JsonObject) => seen(ctx, 'the menus', () => menus.read(ctx, cursor)),
        }),
      }),
      ...(rateLimit && {
        rateLimit(headers: Headers) {
          const limit = rateLimit(headers);
          return limit?.resetAt === undefined
            ? limit
            : Object.assign({}, limit, { resetAt: limit.resetAt - watch.aheadMs(headers) });
        },
      }),
    } satisfies Partial<ConnectionSource>),
  };
}
