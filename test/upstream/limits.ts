/** Rate limits in fixed time slices, and their headers (doc.toasttab.com/doc/devguide/apiRateLimiting.html). */
import { Refusal } from './refusal.ts';

/** What a limit counts: all calls, those of one API (`orders`, `labor`, …), or those of one endpoint. */
type By = 'GLOBAL' | 'API' | 'ENDPOINT' | 'API,ACCOUNT';

interface Limit {
  by: By;
  /** The endpoint or API that is meant; all without. */
  of?: string;
  most: number;
  sliceMs: number;
}

const SECOND = 1000;
const QUARTER = 900 * SECOND;

/** From the one that takes precedence to the one that does not. */
const DOCUMENTED: readonly Limit[] = [
  { by: 'GLOBAL', most: 20, sliceMs: SECOND },
  { by: 'GLOBAL', most: 10_000, sliceMs: QUARTER },
  { by: 'API', most: 20, sliceMs: SECOND },
  { by: 'API', most: 10_000, sliceMs: QUARTER },
  { by: 'ENDPOINT', of: 'ordersBulk', most: 5, sliceMs: SECOND },
  { by: 'ENDPOINT', of: 'menus', most: 1, sliceMs: SECOND },
];

export interface LimitOptions {
  /** No limit is enforced; the headers are sent all the same. */
  limits?: 'documented' | 'off' | undefined;
  /** A limit of the account over all restaurants, for each API; not without. */
  accountPerSecond?: number | undefined;
}

/** One call, as limits see it. */
export interface Limited {
  /** The client, or nobody before sign-in. */
  client: string;
  /** The restaurant of the header, else the address of the caller. */
  place: string;
  api: string;
  endpoint: string;
}

export interface Limits {
  /**
   * The headers of an answer to the call at `now` (ms since 1970 UTC). Throws a Refusal with 429 where a limit is
   * exceeded; that call is not counted.
   */
  take(call: Limited, now: number): Record<string, string>;
}

/** Counts calls. */
export function createLimits({ limits = 'documented', accountPerSecond }: LimitOptions): Limits {
  const account: Limit[] =
    accountPerSecond === undefined ? [] : [{ by: 'API,ACCOUNT', most: accountPerSecond, sliceMs: SECOND }];
  const all = [...DOCUMENTED, ...account];
  const used = new Map<string, { slice: number; count: number }>();

  const keyOf = (limit: Limit, { client, place, api, endpoint }: Limited): string => {
    const what = { GLOBAL: '', API: api, ENDPOINT: endpoint, 'API,ACCOUNT': api }[limit.by];
    return [limit.by, limit.sliceMs, client, limit.by === 'API,ACCOUNT' ? '' : place, what].join(' ');
  };
  const headersOf = (by: By, remaining: number, resetMs: number): Record<string, string> => ({
    'X-Toast-RateLimit-By': by,
    'X-Toast-RateLimit-Remaining': String(Math.max(0, remaining)),
    'X-Toast-RateLimit-Reset': String(Math.ceil(resetMs / 1000)),
  });

  return {
    take(call, now) {
      const counted = all
        .filter(({ by, of }) => by !== 'ENDPOINT' || of === call.endpoint)
        .map((limit) => {
          const slice = Math.floor(now / limit.sliceMs);
          const key = keyOf(limit, call);
          const known = used.get(key);
          const count = known?.slice === slice ? known.count : 0;
          return { limit, key, slice, count, reset: (slice + 1) * limit.sliceMs };
        });
      const over = counted.find(({ limit, count }) => count >= limit.most);
      if (over && limits === 'documented') {
        const headers = headersOf(over.limit.by, 0, over.reset);
        const wait = Math.max(1, Math.ceil((over.reset - now) / 1000));
        throw new Refusal(429, 'Rate limit exceeded', { headers: { ...headers, 'Retry-After': String(wait) } });
      }
      for (const { key, slice, count } of counted) used.set(key, { slice, count: count + 1 });
      const [closest] = counted.toSorted((one, other) => one.limit.most - one.count - (other.limit.most - other.count));
      if (!closest) return {};
      return headersOf(closest.limit.by, closest.limit.most - closest.count - 1, closest.reset);
    },
  };
}
