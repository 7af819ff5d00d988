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
import { EndlessError, readOf, type SourceCall } from './patience.ts';
import { insistOn, outsideOf, type ReturnShape, SHAPES } from './returned.ts';
import { SaidError } from './said.ts';
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

/** `orders` of `orders.changed`. */
const kindOf = ({ name }: Pick<SourceCall, 'name'>): string => name.split('.')[0] ?? name;

/** The source with the eyes of the suite. */
export function watchSource(source: ConnectionSource, watch: Watch, pages: Pages): Watched {
  const scopes = new WeakMap<SourceContext, ReadScope>();
  const scopeOf = (ctx: SourceContext): ReadScope =>
    scopes.get(ctx) ?? { restaurant: ctx.restaurant?.upstreamId ?? '', stream: '' };

  async function seen<T>(ctx: SourceContext, what: string, read: SourceCall, work: () => Promise<T>): Promise<T> {
    const scope = scopeOf(ctx);
    try {
      const value = await watch.patience.await(read, () => watch.within(Object.assign({}, scope, { read }), work));
      watch.search(what, value);
      return value;
    } catch (error) {
      if (ctx.signal.aborted || error instanceof EndlessError) throw error;
      watch.search(`an error of ${what}`, error);
      const text = watch.textOf(error);
      watch.errors.set(`${scope.restaurant} ${scope.stream}`, text);
      watch.errors.set(kindOf(read), text);
      if (!isSourceError(error)) throw new SaidError(text, { cause: error });
      error.message = watch.masked(error.message);
      throw error;
    }
  }

  /** A function that answers once; the shape is what it should return. */
  const answer = <T>(ctx: SourceContext, what: string, name: string, wanted: ReturnShape, work: () => Promise<T>) => {
    const read = readOf(named(ctx, name), 'answer');
    return seen(ctx, what, read, async () => insistOn(await work(), wanted, read.name));
  };
  const named = (ctx: SourceContext, name: string): string => {
    const { restaurant } = scopeOf(ctx);
    return restaurant === '' ? name : `${name} of ${restaurant}`;
  };

  /** What answers at once, without a call. */
  function atOnce<T>(name: string, wanted: ReturnShape, work: () => T): T {
    try {
      return insistOn(work(), wanted, name);
    } catch (error) {
      const text = watch.textOf(error);
      watch.errors.set(kindOf({ name }), text);
      throw new SaidError(text, { cause: error });
    }
  }

  async function* seenPages(
    ctx: SourceContext,
    what: string,
    name: string,
    open: () => AsyncIterable<RecordPage>,
    onPage: (page: RecordPage) => readonly JsonObject[],
  ): AsyncGenerator<RecordPage> {
    const read = readOf(named(ctx, name), 'page');
    let iterator: AsyncIterator<RecordPage> | undefined;
    try {
      for (;;) {
        const next = await seen(ctx, what, read, async () => {
          iterator ??= insistOn(open(), SHAPES.pages, read.name)[Symbol.asyncIterator]();
          const step = await iterator.next();
          if (!step.done) insistOn(step.value, SHAPES.page, read.name, 'yield');
          return step;
        });
        if (next.done) return;
        watch.patience.count(read, 'pages');
        yield Object.assign({}, next.value, { records: onPage(next.value) });
      }
    } finally {
      // One that never gave its page would not return either.
      if (!watch.patience.isEnded) await watch.patience.await(read, async () => iterator?.return?.());
    }
  }

  /** The context, of whose calls each is of the restaurant that it counts for, whenever it is sent. */
  const calling = (ctx: SourceContext, scope: ReadScope): SourceContext =>
    Object.assign({}, ctx, {
      request(...[method, path, question]: Parameters<SourceContext['request']>) {
        // One that catches every error and calls again would never let the process end.
        if (watch.patience.isEnded) return new Promise<never>(() => undefined);
        const { restaurant = scope.restaurant } = question ?? {};
        const call = { restaurant, stream: scope.stream, read: watch.reading() };
        return watch.within(call, () => ctx.request(method, path, question));
      },
    });

  const { orders, timeEntries, names, menus, rateLimit } = source;
  function watchStream(kind: RecordKind, stream: RecordStream): RecordStream {
    const { one } = stream;
    return Object.assign({}, stream, {
      begin: (now) => atOnce(`${kind}.begin`, SHAPES.cursor, () => stream.begin(now)),
      readUntil: (cursor) => atOnce(`${kind}.readUntil`, SHAPES.instant, () => stream.readUntil(cursor)),
      changed: (ctx, cursor) =>
        seenPages(
          ctx,
          `the changed ${kind}`,
          `${kind}.changed`,
          () => stream.changed(ctx, cursor),
          ({ records }) => records.filter((record) => !pages.isHidden(record)),
        ),
      dates(ctx, from, to) {
        const scope = scopeOf(ctx);
        const name = `${kind}.dates(${from}, ${to})`;
        pages.onDates(scope, kind, from, to);
        return seenPages(
          ctx,
          `the ${kind} of dates`,
          name,
          () => stream.dates(ctx, from, to),
          (page) => {
            watch.outside.push(...outsideOf(page, { from, to, name, restaurant: scope.restaurant }));
            return page.records.filter((record) => pages.counts(scope, kind, record));
          },
        );
      },
      ...(one && {
        one: (ctx: SourceContext, guid: string) =>
          answer(ctx, `one of ${kind}`, `${kind}.one`, SHAPES.record, () => one(ctx, guid)),
      }),
    } satisfies Partial<RecordStream>);
  }

  return {
    name(of, ctx) {
      const scope = { restaurant: of.restaurant?.upstreamId ?? '', stream: of.stream };
      const watched = calling(ctx, scope);
      scopes.set(watched, scope);
      return watched;
    },
    source: Object.assign({}, source, {
      async signIn(ctx) {
        const scope = { restaurant: '', stream: 'signIn' };
        scopes.set(ctx, scope);
        let session: SourceSession = { headers: {}, until: 0 };
        // What it returns is secret: it is not searched.
        await seen(ctx, 'the sign-in', readOf('signIn', 'answer'), async () => {
          session = insistOn(await source.signIn(calling(ctx, scope)), SHAPES.session, 'signIn');
        });
        const { headers, until } = session;
        // Before a token there is a scheme.
        for (const text of Object.values(headers).flatMap((value) => value.split(' '))) watch.addSecret(text);
        if (until < ctx.now() + SHORTEST_SESSION_MS) watch.shortSessions.add(Math.round((until - ctx.now()) / 1000));
        return session;
      },
      restaurants: (ctx, first) =>
        answer(ctx, 'the restaurants', 'restaurants', SHAPES.restaurants, () => source.restaurants(ctx, first)),
      settings: (ctx) => answer(ctx, 'the settings', 'settings', SHAPES.settings, () => source.settings(ctx)),
      orders: watchStream('orders', orders),
      ...(timeEntries && { timeEntries: watchStream('timeEntries', timeEntries) }),
      ...(names && {
        names: Object.assign({}, names, {
          read: (ctx: SourceContext, known?: Record<string, readonly string[]>) =>
            answer(ctx, 'the names', 'names.read', SHAPES.names, () => names.read(ctx, known)),
        }),
      }),
      ...(menus && {
        menus: Object.assign({}, menus, {
          read: (ctx: SourceContext, cursor: JsonObject) =>
            answer(ctx, 'the menus', 'menus.read', SHAPES.menus, () => menus.read(ctx, cursor)),
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
