/** GET /reports/{guid}/events: the progress and states of a report, as server-sent events (WHATWG HTML 9.2). */
import type { ServerResponse } from 'node:http';
import type { FastifyInstance } from 'fastify';
import { type Access, bearerOf } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import { Text } from '../contract/schemas.ts';
import { type Dialect, SCOPE_READ } from '../contract/words.ts';
import type { Families } from '../families/index.ts';
import type { Progress, Signals } from '../gather/signals.ts';
import type { Operation } from '../http/operation.ts';
import type { ReportLedger, ReportRequest } from '../ledger/report.ts';
import { beginEvents, keepOpen } from './event-stream.ts';
import { findReport } from './find.ts';
import { describe, STATUS, stateOf } from './status.ts';
import { guidInPath } from './wait-operations.ts';

interface EventDeps {
  ledger: ReportLedger;
  access: Access;
  signals: Signals;
  families: Families;
  clock: () => number;
}

/**
 * The position of an event in the life of its report: the attempt, then 0 to 100 percent of it, then back in the queue,
 * then the end. The event id is `attempt-place`, so a client that reconnects gets what follows the last event it
 * received. `data` has the shape of GET /reports/{guid} once the report is completed or failed.
 */
interface ReportEvent {
  name: 'queued' | 'gathering' | 'completed' | 'failed' | 'cancelled' | 'expired';
  attempt: number;
  place: number;
  data: object;
}
type EventPlace = Pick<ReportEvent, 'attempt' | 'place'>;
const QUEUED = 101;
const ENDED = 102;

const isAfter = (one: EventPlace, other: EventPlace | undefined): boolean =>
  !other || one.attempt > other.attempt || (one.attempt === other.attempt && one.place > other.place);

/** The event for a report in its current state. */
function eventOf(
  families: Families,
  report: ReportRequest,
  progress: Progress | undefined,
  now: number,
  dialect: Dialect,
): ReportEvent {
  const name = stateOf(report, now);
  const { guid: reportRequestGuid, attempt } = report;
  const dataOf = (done: number | null): object => ({ reportRequestGuid, status: STATUS[name], progress: done });
  if (name === 'queued') return { name, attempt, place: QUEUED, data: dataOf(0) };
  if (name === 'gathering') {
    // The progress of another process may be unknown.
    const percent = progress?.attempt === attempt ? Math.floor(progress.done * 100) : 0;
    return { name, attempt, place: percent, data: dataOf(progress ? percent / 100 : null) };
  }
  const ended = name === 'completed' || name === 'failed';
  return { name, attempt, place: ENDED, data: ended ? describe(families, report, now, dialect) : dataOf(null) };
}

/** A Last-Event-ID that this service did not issue is ignored. */
function readLast(header: string | string[] | undefined): EventPlace | undefined {
  const found = /^(\d{1,6})-(\d{1,3})$/.exec(typeof header === 'string' ? header : '');
  return found ? { attempt: Number(found[1]), place: Number(found[2]) } : undefined;
}

const written = ({ name, attempt, place, data }: ReportEvent): string =>
  `id: ${attempt}-${place}\nevent: ${name}\ndata: ${JSON.stringify(data)}\n\n`;

const EXAMPLE =
  'id: 1-42\nevent: gathering\ndata: {"reportRequestGuid":"…","status":"IN_PROGRESS","progress":0.42}\n\n';

const watchReport: Operation = {
  id: 'watchReport',
  summary: 'Watch a report as server-sent events',
  description:
    'Sends the current state of the report, then every change: `queued`, `gathering` with `progress` from 0 to 1, and one of ' +
    '`completed`, `failed`, `cancelled` and `expired`, after which the stream ends. `data` is JSON.',
  tag: 'Reports',
  scopes: [SCOPE_READ],
  parameters: [
    guidInPath,
    {
      in: 'header',
      name: 'Last-Event-ID',
      description: 'The id of the last event received: the stream resumes after it.',
      schema: Text('1-42'),
    },
  ],
  answers: {
    200: { description: 'The events.', content: { 'text/event-stream': Text(EXAMPLE) } },
    204: { description: '`Last-Event-ID` is the last event of the report: there are no more.' },
  },
  problems: ['report_not_found', 'report_expired'],
};

/** Mounts the route under the base. */
export async function eventRoutes(app: FastifyInstance, deps: EventDeps): Promise<void> {
  const { signals, clock } = deps;
  const route = { config: { operation: watchReport } };

  app.get<{ Params: { guid: string } }>('/reports/:guid/events', route, async (request, reply) => {
    const caller = callerOf(request);
    const report = await findReport(deps, caller, request.params.guid, {}, clock());
    const last = readLast(request.headers['last-event-id']);
    const first = eventOf(deps.families, report, signals.progress(report.guid), clock(), caller.dialect);
    // An EventSource reconnects until a 204 says that there are no more events.
    if (first.place === ENDED && !isAfter(first, last)) return reply.status(204).send();
    const to = beginEvents(request, reply);
    const token = bearerOf(request.headers.authorization) ?? '';
    const isRevoked = (): Promise<boolean> => deps.access.isRevoked(token);
    if (to) stream(deps, report, { dialect: caller.dialect, last, to, isRevoked });
    return reply;
  });
}

interface Stream {
  dialect: Dialect;
  /** What the client has already; undefined for nothing. */
  last: EventPlace | undefined;
  to: ServerResponse;
  isRevoked: () => Promise<boolean>;
}

/**
 * Sends the events of a report after `last`, until the report, the client or the service ends the stream, or its token
 * is revoked.
 */
function stream(deps: EventDeps, report: ReportRequest, { dialect, last, to, isRevoked }: Stream): void {
  const { ledger, signals, clock } = deps;
  const { guid } = report;
  let seen = last;
  const open = keepOpen(to, { isRevoked });

  function write(current: ReportRequest): void {
    const event = eventOf(deps.families, current, signals.progress(guid), clock(), dialect);
    if (open.hasEnded()) return;
    if (isAfter(event, seen)) {
      to.write(written(event));
      seen = event;
    }
    if (event.place === ENDED) open.end();
  }
  /** Two may run at once: the second then finds nothing new to send. */
  async function refresh(): Promise<void> {
    if (signals.stopped()) return open.end();
    const current = await ledger.report(guid).catch(() => undefined);
    if (current) write(current);
    else open.end();
  }

  open.onEnd(signals.watch(guid, () => void refresh()));
  write(report);
  // Sent once more now that changes are watched, so that one made since the report was read is not missed.
  void refresh();
}
