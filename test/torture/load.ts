/**
 * Restaurants that trade while a service is tortured, and a record of what it acknowledged. Every call is repeated with
 * its own Idempotency-Key until it is answered, as a client does that must not lose or double anything.
 */
import { randomInt, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { plainOrder } from '../journeys/service.ts';

export const RESTAURANT = 'b1500000-0000-4000-8000-000000000001';
const DATE = { startBusinessDate: '20260310' };
const WRITERS = 4;
const MOST_ORDERS = 10;
/** The engine answers in less, or is started again. */
const CALL_MS = 30_000;
const REPEAT_MS = 50;
/** A busy service, and a balancer that finds no node, say that the call may be repeated later: for a minute. */
const LATER = [502, 503, 504];
const LATE_MS = 500;
const MOST_LATE = 120;

export interface Target {
  base: string;
  token: string;
}

export interface Trade {
  /** GUIDs of the checks of loads that were acknowledged. */
  checks: Set<string>;
  /** GUIDs of the reports that were acknowledged, with the number of orders that each must have at least. */
  reports: Map<string, number>;
  /** Calls answered, calls repeated, and answers that nothing explains. */
  counts: { calls: number; repeats: number };
  wrong: string[];
  /** Statuses of a call that is repeated: a lost engine and a stopping service answer 503 and 504. */
  explained: readonly number[];
  /** Ends it; resolves when every call under way has been acknowledged. */
  stop(): Promise<void>;
}

/** One call. Rejects when there is no whole answer. */
export async function call({ base, token }: Target, method: string, path: string, json?: unknown, key?: string) {
  const response = await fetch(`${base}${path}`, {
    method,
    headers: {
      authorization: `Bearer ${token}`,
      ...(json === undefined ? {} : { 'content-type': 'application/json' }),
      ...(key === undefined ? {} : { 'idempotency-key': key }),
    },
    body: json === undefined ? null : JSON.stringify(json),
    signal: AbortSignal.timeout(CALL_MS),
  });
  return { status: response.status, text: await response.text() };
}

/** Repeats the call, whatever becomes of it, until it is answered with a 2xx. */
export async function insist(
  target: () => Target,
  trade: Pick<Trade, 'counts' | 'wrong' | 'explained'>,
  method: string,
  path: string,
  json: unknown,
): Promise<string> {
  const key = randomUUID();
  for (;;) {
    try {
      const { status, text } = await call(target(), method, path, json, key);
      if (status < 300) {
        trade.counts.calls++;
        return text;
      }
      if (!trade.explained.includes(status)) trade.wrong.push(`${method} ${path}: ${status} ${text.slice(0, 300)}`);
    } catch {
      // The service was killed, or is not there yet.
    }
    trade.counts.repeats++;
    await sleep(REPEAT_MS);
  }
}

/** Starts to trade. `target` answers where the service is now. */
export function startTrade(
  target: () => Target,
  { pauseMs = 0, explained = [503, 504] }: { pauseMs?: number; explained?: readonly number[] } = {},
): Trade {
  let trading = true;
  const trade: Omit<Trade, 'stop'> = {
    checks: new Set(),
    reports: new Map(),
    counts: { calls: 0, repeats: 0 },
    wrong: [],
    explained,
  };

  async function write(): Promise<void> {
    while (trading) {
      const length = randomInt(1, MOST_ORDERS + 1);
      const orders = Array.from({ length }, () => ({ guid: randomUUID(), check: randomUUID() }));
      const body = orders.map(({ guid, check }) => plainOrder({ guid }, { guid: check }));
      const text = await insist(target, trade, 'POST', `/restaurants/${RESTAURANT}/orders`, body);
      const { accepted, unchanged } = JSON.parse(text) as { accepted: number; unchanged: number };
      // A load whose answer was lost is sent again, and may have been stored.
      if (accepted + unchanged !== orders.length)
        trade.wrong.push(`${accepted} of ${orders.length} orders were accepted: ${text}`);
      for (const { check } of orders) trade.checks.add(check);
      await sleep(pauseMs);
    }
  }

  async function create(): Promise<void> {
    while (trading) {
      const least = trade.checks.size;
      const guid = JSON.parse(await insist(target, trade, 'POST', '/metrics/day', DATE)) as string;
      if (trade.reports.has(guid)) trade.wrong.push(`two creates were answered with ${guid}`);
      trade.reports.set(guid, least);
      await sleep(100 + pauseMs);
    }
  }

  async function retrieve(): Promise<void> {
    while (trading) {
      const guids = [...trade.reports.keys()];
      const guid = guids[randomInt(0, guids.length || 1)];
      if (guid !== undefined) {
        const answer = await call(target(), 'GET', `/metrics/${guid}`).catch(() => undefined);
        if (answer && ![200, 202, ...explained].includes(answer.status))
          trade.wrong.push(`GET /metrics/${guid}: ${answer.status} ${answer.text.slice(0, 300)}`);
        if (answer) trade.counts.calls++;
      }
      await sleep(20 + pauseMs);
    }
  }

  const work = [...Array.from({ length: WRITERS }, write), create(), retrieve()];
  return {
    ...trade,
    async stop() {
      trading = false;
      await Promise.all(work);
    },
  };
}

export interface Verdict {
  checks: number;
  lost: number;
  doubled: number;
  reports: number;
  /** What is not as it was acknowledged, in words. */
  wrong: string[];
}

/** Compares what the service has with what it acknowledged, once trade has stopped. */
export async function verdictOf(target: Target, trade: Trade): Promise<Verdict> {
  const wrong = [...trade.wrong];
  const seen = new Map<string, number>();
  const request = JSON.parse(await insist(() => target, trade, 'POST', '/check/day', DATE)) as string;
  for (const { checkGuid } of JSON.parse(await read(target, `/check/${request}`)) as { checkGuid: string }[])
    seen.set(checkGuid, (seen.get(checkGuid) ?? 0) + 1);
  const lost = [...trade.checks].filter((guid) => !seen.has(guid)).length;
  const doubled = [...seen].filter(([guid, times]) => times > 1 || !trade.checks.has(guid)).length;

  for (const [guid, least] of trade.reports) {
    const [row] = JSON.parse(await read(target, `/metrics/${guid}`)) as { ordersCount: number }[];
    const count = row?.ordersCount ?? 0;
    if (count < least || count > trade.checks.size)
      wrong.push(`${guid} has ${count} orders, at least ${least} were there`);
  }
  const listed = new Set(await listReports(target));
  listed.delete(request);
  for (const guid of trade.reports.keys()) if (!listed.delete(guid)) wrong.push(`${guid} is not listed`);
  for (const guid of listed) wrong.push(`${guid} is listed, and no create was answered with it`);
  return { checks: trade.checks.size, lost, doubled, reports: trade.reports.size, wrong };
}

/** Retrieves a report, however long it takes. Throws on an answer that repeating does not change. */
export async function read(target: Target, path: string): Promise<string> {
  for (let late = 0; ; ) {
    const { status, text } = await call(target, 'GET', path);
    if (status === 200) return text;
    if (status === 202) continue;
    if (!LATER.includes(status) || ++late === MOST_LATE) throw new Error(`GET ${path}: ${status} ${text}`);
    await sleep(LATE_MS);
  }
}

async function listReports(target: Target): Promise<string[]> {
  const guids: string[] = [];
  let cursor: string | null = '';
  while (cursor !== null) {
    const text = await read(target, `/reports?limit=100${cursor && `&cursor=${cursor}`}`);
    const page = JSON.parse(text) as { reports: { reportRequestGuid: string }[]; nextCursor: string | null };
    guids.push(...page.reports.map(({ reportRequestGuid }) => reportRequestGuid));
    cursor = page.nextCursor;
  }
  return guids;
}
