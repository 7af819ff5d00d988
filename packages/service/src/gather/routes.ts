/** Creating report requests: CONTRACT 2.2. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import { requireScope } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import { answerOf, findAnswer, fingerprintOf, REPLAYED, readKey, useOf } from '../access/idempotency.ts';
import type { Limits } from '../access/limits.ts';
import type { Limit } from '../contract/limits.ts';
import type { Cause } from '../contract/trace.ts';
import { type ReportKind, SCOPE_READ, type Span, TIME_RANGES } from '../contract/words.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { Problem } from '../problems.ts';
import { planReport, readAsk } from './ask.ts';
import { costOf, laneOf } from './cost.ts';
import { createInRange, createMetrics } from './operations.ts';
import type { Worker } from './worker.ts';

export interface CreateDeps {
  ledger: Ledger;
  access: Access;
  limits: Limits;
  worker: Worker;
  clock: () => number;
  config: { reportDays: number };
  /** The base that was called, e.g. `http://127.0.0.1:8080/v1`. */
  baseOf: (request: FastifyRequest) => string;
  /** What the gather will remember of the call. */
  causeOf: (request: FastifyRequest) => Cause;
}

const DAY_MS = 86_400_000;

/** POST /metrics, /metrics/{timeRange} and /check/{timeRange}, under the base. */
export async function createRoutes(app: FastifyInstance, deps: CreateDeps): Promise<void> {
  const onRequest = [requireScope(deps.access, SCOPE_READ), deps.limits.limited(limitOf)];

  async function create(
    kind: ReportKind,
    span: Span,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const caller = callerOf(request);
    const query = request.query as Record<string, unknown>;
    const key = readKey(request.headers['idempotency-key']);
    const ask = readAsk(kind, span, request.body, query);
    const now = deps.clock();
    const send = (guid: unknown, headers: Record<string, string> = {}): FastifyReply =>
      reply
        .headers(headers)
        .header('location', `${deps.baseOf(request)}/${kind}/${guid}`)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(guid));
    const keyed =
      key === undefined
        ? undefined
        : {
            ...{ group: caller.group, clientId: caller.clientId, path: pathOf(kind, span, {}), key },
            fingerprint: fingerprintOf([query, request.body]),
          };
    // Asked before the plan is made: what was answered once is answered again, whatever became of the restaurants.
    const answered = keyed && (await findAnswer(deps.ledger, keyed, now));
    if (answered) return send(answered, REPLAYED);

    const plan = planReport(ask, await deps.ledger.restaurantsOf(caller.group), now);
    const guid = randomUUID();
    const cost = costOf(kind, plan);
    const stands = await deps.ledger.addReport(
      {
        guid,
        group: caller.group,
        clientId: caller.clientId,
        kind,
        plan,
        asked: { path: pathOf(kind, span, query), body: request.body },
        dialect: caller.dialect,
        cost,
        lane: laneOf(cost),
        createdAt: now,
        expiresAt: now + deps.config.reportDays * DAY_MS,
        cause: deps.causeOf(request),
      },
      keyed ? useOf(keyed, guid, now) : undefined,
    );
    if (keyed && stands) return send(answerOf(stands, keyed), REPLAYED);
    deps.worker.wake();
    return send(guid);
  }

  const custom = { onRequest, config: { operation: createMetrics } };
  app.post('/metrics', custom, (request, reply) => create('metrics', 'custom', request, reply));
  for (const kind of ['metrics', 'check'] as const) {
    const options = { onRequest, config: { operation: createInRange[kind] } };
    app.post<{ Params: { timeRange: string } }>(`/${kind}/:timeRange`, options, (request, reply) => {
      const timeRange = TIME_RANGES.find((known) => known === request.params.timeRange);
      if (!timeRange) {
        throw new Problem(
          'route_not_found',
          `the time range of POST /${kind}/{timeRange} is one of ${TIME_RANGES.join(', ')}`,
        );
      }
      return create(kind, timeRange, request, reply);
    });
  }
}

/** None for a time range that is none: that is a path which does not exist. */
function limitOf({ params, routeOptions }: FastifyRequest): Limit | undefined {
  const { timeRange = 'custom' } = params as { timeRange?: string };
  const kind = routeOptions.url?.includes('/check/') ? 'check' : 'metrics';
  if (timeRange !== 'custom' && !TIME_RANGES.some((known) => known === timeRange)) return undefined;
  if (kind === 'check') return kind;
  return timeRange === 'day' || timeRange === 'week' ? kind : 'longMetrics';
}

/** The path of the POST that asks again, without the base. */
function pathOf(kind: ReportKind, span: Span, query: Record<string, unknown>): string {
  const parameters = new URLSearchParams(query as Record<string, string>).toString();
  return `/${kind}${span === 'custom' ? '' : `/${span}`}${parameters ? `?${parameters}` : ''}`;
}
