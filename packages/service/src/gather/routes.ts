/** Creating report requests: CONTRACT 2.2. */
import { randomUUID } from 'node:crypto';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Access } from '../access/access.ts';
import { requireScope } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import { answerOf, findAnswer, fingerprintOf, REPLAYED, readKey, useOf } from '../access/idempotency.ts';
import type { Limits } from '../access/limits.ts';
import type { Cause } from '../contract/trace.ts';
import { SCOPE_READ, type Span } from '../contract/words.ts';
import { type ReportFamily, timeRangesOf } from '../families/family.ts';
import type { Families } from '../families/index.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { Problem } from '../problems.ts';
import { planReport, readAsk } from './ask.ts';
import { costOf, laneOf } from './cost.ts';
import { createCustom, createInRange } from './operations.ts';
import type { Worker } from './worker.ts';

export interface CreateDeps {
  ledger: Ledger;
  access: Access;
  limits: Limits;
  worker: Worker;
  families: Families;
  clock: () => number;
  config: { reportDays: number };
  /** The base that was called, e.g. `http://127.0.0.1:8080/v1`. */
  baseOf: (request: FastifyRequest) => string;
  /** What the gather will remember of the call. */
  causeOf: (request: FastifyRequest) => Cause;
}

const DAY_MS = 86_400_000;

/** For every family POST {path}/{timeRange}, and POST {path} where it takes custom spans, under the base. */
export async function createRoutes(app: FastifyInstance, deps: CreateDeps): Promise<void> {
  async function create(
    family: ReportFamily,
    span: Span,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const caller = callerOf(request);
    const query = request.query as Record<string, unknown>;
    const key = readKey(request.headers['idempotency-key']);
    const ask = readAsk(family, span, request.body, query);
    const now = deps.clock();
    const send = (guid: unknown, headers: Record<string, string> = {}): FastifyReply =>
      reply
        .headers(headers)
        .header('location', `${deps.baseOf(request)}${family.path}/${guid}`)
        .type('application/json; charset=utf-8')
        .send(JSON.stringify(guid));
    const keyed =
      key === undefined
        ? undefined
        : {
            ...{ group: caller.group, clientId: caller.clientId, path: pathOf(family, span, {}), key },
            fingerprint: fingerprintOf([query, request.body]),
          };
    // Asked before the plan is made: what was answered once is answered again, whatever became of the restaurants.
    const answered = keyed && (await findAnswer(deps.ledger, keyed, now));
    if (answered) return send(answered, REPLAYED);

    const plan = planReport(family, ask, await deps.ledger.restaurantsOf(caller.group), now);
    const guid = randomUUID();
    const cost = costOf(family, plan);
    const stands = await deps.ledger.addReport(
      {
        guid,
        group: caller.group,
        clientId: caller.clientId,
        kind: family.kind,
        plan,
        asked: { path: pathOf(family, span, query), body: request.body },
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

  for (const family of deps.families.all) {
    const onRequest = [
      requireScope(deps.access, SCOPE_READ),
      deps.limits.limited((request) => {
        const span = spanOf(family, request);
        return span && family.limitOf(span);
      }),
    ];
    if (family.spans.includes('custom')) {
      const options = { onRequest, config: { operation: createCustom(family) } };
      app.post(family.path, options, (request, reply) => create(family, 'custom', request, reply));
    }
    const options = { onRequest, config: { operation: createInRange(family) } };
    app.post(`${family.path}/:timeRange`, options, (request, reply) => {
      const span = spanOf(family, request);
      if (!span) {
        const ranges = timeRangesOf(family).join(', ');
        throw new Problem('route_not_found', `the time range of POST ${family.path}/{timeRange} is one of ${ranges}`);
      }
      return create(family, span, request, reply);
    });
  }
}

/** The span that the path names; undefined for a time range that the family does not have: that path does not exist. */
function spanOf(family: ReportFamily, { params }: FastifyRequest): Span | undefined {
  const { timeRange } = params as { timeRange?: string };
  return timeRange === undefined ? 'custom' : timeRangesOf(family).find((known) => known === timeRange);
}

/** The path of the POST that asks again, without the base. */
function pathOf({ path }: ReportFamily, span: Span, query: Record<string, unknown>): string {
  const parameters = new URLSearchParams(query as Record<string, string>).toString();
  return `${path}${span === 'custom' ? '' : `/${span}`}${parameters ? `?${parameters}` : ''}`;
}
