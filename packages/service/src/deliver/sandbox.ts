/** Reserved GUIDs with fixed answers (docs/contract.md#sandbox), for testing a client's error handling. */
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type Access, scopeMissing, tokenRefused } from '../access/access.ts';
import type { Caller } from '../access/caller.ts';
import type { Limits } from '../access/limits.ts';
import { invalidToken } from '../access/verified.ts';
import { addDays, dateIn } from '../contract/dates.ts';
import { Problem } from '../contract/problems.ts';
import type { Cause } from '../contract/trace.ts';
import { SCOPE_READ } from '../contract/words.ts';
import type { ReportFamily } from '../families/family.ts';
import type { Signals } from '../gather/signals.ts';
import { keepMost } from '../kept.ts';
import { type AddDeps, addReport } from '../requests/add.ts';
import type { Wanted } from '../requests/find.ts';
import { readReportQuery } from '../requests/query.ts';
import { awaitReport, goneOf } from '../requests/wait.ts';
import { successorOf } from './sunset.ts';

const RESERVED = /^00000000-0000-4000-8000-(\d{12})$/;
const STATUSES = [202, 401, 403, 404, 409, 410, 412, 429, 500, 503, 504] as const;
/** 202 twice, then 200: the three statuses in a row. */
const SECOND_THOUGHT = '000202202200';
const WAITS_FIRST = 2;
/** `0000000NN200`: 200 after NN seconds, at most as many as `Prefer: wait` allows. */
const SLOW = /^0{7}(\d\d)200$/;
const MOST_SECONDS = 30;
/** A caller that has not called for this long gets the 202s again. */
const FORGET_MS = 60_000;
const REMEMBER = 10_000;

/** The meaning of a reserved GUID: one status, or a report that is ready after some seconds or some 202s. */
type Reserved = { status: (typeof STATUSES)[number] } | { seconds: number } | { waits: number };

/** What a reserved GUID, in lower case, answers; undefined for any other GUID. */
export function readReserved(guid: string): Reserved | undefined {
  const digits = RESERVED.exec(guid)?.[1];
  if (digits === undefined) return undefined;
  if (digits === SECOND_THOUGHT) return { waits: WAITS_FIRST };
  const seconds = SLOW.exec(digits)?.[1];
  if (seconds !== undefined) return Number(seconds) <= MOST_SECONDS ? { seconds: Number(seconds) } : undefined;
  const status = STATUSES.find((known) => known === Number(digits));
  return status && { status };
}

interface SandboxDeps extends AddDeps {
  causeOf: (request: FastifyRequest) => Cause;
  access: Access;
  limits: Pick<Limits, 'refuse'>;
  signals: Signals;
  config: { reportDays: number; sunset: Date };
  /** Marks the answer as one of a deprecated path, with its successor. */
  announceSunset: (reply: FastifyReply, successor: string) => void;
}

interface SandboxCall {
  request: FastifyRequest;
  reply: FastifyReply;
  caller: Caller;
  wanted: Wanted & { family: ReportFamily };
  /** The base URL that was called, e.g. `http://127.0.0.1:8080/v1`. */
  base: string;
}

export interface Sandbox {
  /** The GUID of a real report to answer with; undefined for a 202. Throws the Problem of the reserved GUID. */
  answer(reserved: Reserved, call: SandboxCall): Promise<string | undefined>;
}

/** Yesterday, YYYYMMDD. */
const lastDate = (now: number): string => String(addDays(dateIn('UTC', now), -1));

/**
 * A create body for one date, which is valid for every time range because their lengths are maximums. It has both lists
 * because live restrictions require them.
 */
const bodyFor = ({ dates }: ReportFamily, date: string): object => ({
  [dates.start]: date,
  [dates.end]: date,
  restaurantIds: [],
  excludedRestaurantIds: [],
});

/** The real reports that the sandbox answers with. */
function openReports(deps: SandboxDeps) {
  const reports = keepMost<Promise<string>>(REMEMBER);

  /** An ordinary report of yesterday: the same for the whole group, until it is deleted or the date changes. */
  async function realReport({ request, caller, wanted }: SandboxCall): Promise<string> {
    const { family, timeRange = 'day' } = wanted;
    const date = lastDate(deps.clock());
    const key = JSON.stringify([caller.group, family.kind, timeRange, date]);
    const known = await reports.get(key);
    const state = known && (await deps.ledger.report(known))?.state;
    if (known && (state === 'queued' || state === 'gathering' || state === 'completed')) return known;
    const body = bodyFor(family, date);
    const reportQuery = readReportQuery({ family, span: timeRange, dialect: caller.dialect }, body, {});
    const made = addReport(deps, {
      family,
      span: timeRange,
      reportQuery,
      body,
      query: {},
      caller,
      cause: deps.causeOf(request),
    }).then(({ guid }) => guid);
    reports.set(key, made);
    made.catch(() => reports.delete(key));
    return await made;
  }

  /**
   * Waits for the real report and until the seconds have passed; ends earlier if the client disconnects or the service
   * stops.
   */
  async function readyReport(call: SandboxCall, seconds: number): Promise<string> {
    const gone = goneOf(deps.access, call.request);
    const until = performance.now() + seconds * 1000;
    const guid = await realReport(call);
    const report = await deps.ledger.report(guid);
    if (report) await awaitReport(deps, report, MOST_SECONDS * 1000, gone);
    for (
      let left = seconds * 1000;
      left > 0 && !(await gone()) && !deps.signals.stopped();
      left = until - performance.now()
    )
      await deps.signals.wait(guid, Math.min(left, 1000)).notified;
    return guid;
  }
  return { realReport, readyReport };
}

/** The problem of a reserved GUID with a status. */
function problemOf(deps: SandboxDeps, status: Exclude<(typeof STATUSES)[number], 202>, call: SandboxCall): Problem {
  const { request, reply, wanted, base } = call;
  switch (status) {
    case 401:
      return tokenRefused(deps.access, request, invalidToken('requested from the sandbox'));
    case 403:
      return scopeMissing(deps.access, request, [SCOPE_READ]);
    case 404:
      return new Problem('report_not_found', 'Sandbox: this GUID always answers as an unknown one.');
    case 409: {
      const path = `${new URL(base).pathname}${wanted.family.path}/${wanted.timeRange ?? 'day'}`;
      return new Problem('report_failed', 'Sandbox: this GUID always answers as a failed report; see replacement.', {
        replacement: { method: 'POST', path, body: bodyFor(wanted.family, lastDate(deps.clock())) },
      });
    }
    case 410:
      // The successor answers with records, so that a client that follows the link gets them.
      deps.announceSunset(
        reply,
        successorOf(request, `${base}${wanted.family.path}`, '00000000-0000-4000-8000-000000000200'),
      );
      return new Problem('sunset_passed', 'Sandbox: this GUID always answers as a removed path; see Link.');
    case 412:
      return new Problem('precondition_failed', 'Sandbox: this GUID always answers as if If-Match did not match.');
    case 429:
      return deps.limits.refuse('retrieval', request, reply);
    case 500:
      return new Problem('internal_error', 'Sandbox: this GUID always answers as an unexpected internal error.');
    case 503:
      return new Problem('unavailable', 'Sandbox: this GUID always answers as if the service were restarting.');
    case 504:
      return new Problem('engine_timeout', 'Sandbox: this GUID always answers as if internal services took too long.');
  }
}

/** Opens the sandbox of an app: it remembers which callers got a 202, and which reports its 200s are. */
export function openSandbox(deps: SandboxDeps): Sandbox {
  const waited = keepMost<number>(REMEMBER, FORGET_MS);
  const { realReport, readyReport } = openReports(deps);
  return {
    async answer(reserved, call) {
      if ('seconds' in reserved) return await readyReport(call, reserved.seconds);
      if ('waits' in reserved) {
        const { caller, wanted } = call;
        const key = JSON.stringify([caller.group, caller.clientId, wanted.family.kind, wanted.timeRange]);
        const times = waited.get(key) ?? 0;
        waited.set(key, times + 1);
        if (times >= reserved.waits) return await readyReport(call, 0);
        await realReport(call);
        return undefined;
      }
      if (reserved.status === 202) return undefined;
      throw problemOf(deps, reserved.status, call);
    },
  };
}
