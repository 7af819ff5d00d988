/** Retrieving reports: CONTRACT 1.1, 1.4, 2.6 and "Retrieval" of section 4. */
import type { OutgoingHttpHeaders } from 'node:http';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { LRUCache } from 'lru-cache';
import { type Access, requireScope } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import type { Limits } from '../access/limits.ts';
import { type ReportKind, readGuid, SCOPE_READ, TIME_RANGES, type TimeRange } from '../contract/words.ts';
import type { Form } from '../facts/facts.ts';
import { asProblem } from '../facts/problem.ts';
import { readBoolean } from '../gather/ask.ts';
import type { Estimates } from '../gather/estimate.ts';
import type { Signals } from '../gather/signals.ts';
import type { Ledger, ReportRequest } from '../ledger/ledger.ts';
import { Problem } from '../problems.ts';
import { type Forms, formName } from '../results/forms.ts';
import type { ResultFile } from '../results/results.ts';
import { failed, inProgress, JSON_TYPE } from './answers.ts';
import { acceptsJson, awaitReport, findReport, readPrefer, type Wanted } from './deliver.ts';
import { sandboxProblem, sandboxStatus } from './sandbox.ts';

export interface DeliverDeps {
  ledger: Ledger;
  access: Access;
  limits: Limits;
  forms: Forms;
  signals: Signals;
  estimates: Estimates;
  clock: () => number;
  config: { sandbox: boolean; waitSeconds: number; answerSeconds: number; sunset: Date };
  /** The base that was called, e.g. `http://127.0.0.1:8080/v1`. */
  baseOf: (request: FastifyRequest) => string;
}

/** Since when GET /metrics/{timeRange}/{guid} is deprecated: 2026-01-01T00:00:00Z. */
const DEPRECATED_AT = 1_767_225_600;
/** Reports up to this size are answered from memory: reading a file costs four trips to the thread pool. */
const SMALL_BYTES = 64 * 1024;
const SMALL_TOTAL_BYTES = 32 * 1024 * 1024;

interface Opened {
  file: ResultFile;
  /** Of a small one. */
  body?: Buffer;
}

/** GET /metrics/{guid}, /metrics/{timeRange}/{guid} and /check/{guid}, under the base. */
export async function deliverRoutes(app: FastifyInstance, deps: DeliverDeps): Promise<void> {
  const { ledger, forms, config, clock } = deps;
  const onRequest = [requireScope(deps.access, SCOPE_READ), deps.limits.limited('retrieval')];
  const small = new LRUCache<string, Buffer>({
    maxSize: SMALL_TOTAL_BYTES,
    sizeCalculation: (body) => body.length + 200,
  });

  const opening = new Map<string, Promise<Opened>>();

  async function retrieve(
    wanted: Wanted & { kind: ReportKind },
    guid: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const names = readBoolean(request.query as Record<string, unknown>, 'fetchRestaurantNames') ?? false;
    if (!acceptsJson(request.headers.accept)) {
      throw new Problem(
        'not_acceptable',
        'A report is answered as application/json, which the Accept header does not take.',
      );
    }
    const reserved = config.sandbox ? sandboxStatus(guid) : undefined;
    if (reserved === 202) return inProgress(reply, guid, 1);
    if (reserved) throw sandboxProblem(reserved, wanted.kind, new URL(deps.baseOf(request)).pathname, clock());

    const caller = callerOf(request);
    const found = await findReport(ledger, caller, guid, wanted, clock());
    let report = found;
    if (found.state === 'queued' || found.state === 'gathering') {
      const prefer = readPrefer(request.headers.prefer, config.waitSeconds);
      if (prefer.applied) reply.header('preference-applied', prefer.applied);
      report = await awaitReport(deps, found, prefer.seconds * 1000, () => request.raw.socket.destroyed);
    }
    if (report.state === 'failed') throw failed(report, deps.baseOf(request));
    if (report.state !== 'completed') {
      if (report.state !== 'queued' && report.state !== 'gathering')
        await findReport(ledger, caller, guid, wanted, clock());
      return inProgress(reply, report.guid, await deps.estimates.retryAfter(report));
    }
    const { kind, plan, attempt } = report;
    const form: Form = { kind, dialect: caller.dialect, names, groups: plan.groups, aggregate: plan.aggregate };
    return await send(reply, report, form, attempt);
  }

  /** A thousand that wake at once open and read a small file once: each for itself, that was most of their time. */
  async function openOnce(key: string, guid: string, form: Form, attempt: number): Promise<Opened> {
    const known = opening.get(key);
    if (known) return await known;
    const work = (async () => {
      const file = await forms.open(guid, attempt, form, config.answerSeconds * 1000);
      if (file.bytes > SMALL_BYTES) return { file };
      const body = await file.read();
      small.set(key, body);
      return { file, body };
    })().finally(() => opening.delete(key));
    opening.set(key, work);
    return await work;
  }

  async function send(reply: FastifyReply, report: ReportRequest, form: Form, attempt: number): Promise<FastifyReply> {
    reply.header('content-type', JSON_TYPE);
    reply.header('x-report-as-of', new Date(report.asOf ?? 0).toISOString());
    reply.header('x-report-rows', report.rows ?? 0);
    const key = `${report.guid}/${attempt}/${formName(form)}`;
    const kept = small.get(key);
    if (kept) return reply.send(kept);
    try {
      const { file, body } = await openOnce(key, report.guid, form, attempt);
      reply.header('content-length', file.bytes);
      if (body) return reply.send(body);
      await deps.limits.tell(reply.request, reply);
      return await stream(file, reply);
    } catch (error) {
      for (const name of ['content-type', 'content-length', 'x-report-as-of', 'x-report-rows'])
        reply.removeHeader(name);
      throw asProblem(error);
    }
  }

  for (const kind of ['metrics', 'check'] as const satisfies ReportKind[]) {
    app.get<{ Params: { guid: string } }>(`/${kind}/:guid`, { onRequest }, (request, reply) =>
      retrieve({ kind }, request.params.guid, request, reply),
    );
  }

  app.get<{ Params: { timeRange: string; guid: string } }>(
    '/metrics/:timeRange/:guid',
    {
      onRequest: [
        async (request, reply) => {
          announceSunset(request, reply, deps);
        },
        ...onRequest,
      ],
    },
    (request, reply) => {
      const timeRange = TIME_RANGES.find((known): known is TimeRange => known === request.params.timeRange);
      if (!timeRange) throw new Problem('report_not_found', `The time range is one of ${TIME_RANGES.join(', ')}.`);
      return retrieve({ kind: 'metrics', timeRange }, request.params.guid, request, reply);
    },
  );
}

/** Past the framework: its streams took a third off the speed. An answer that fails in the middle is cut off. */
async function stream(file: ResultFile, reply: FastifyReply): Promise<FastifyReply> {
  if (reply.request.method === 'HEAD') return reply.send();
  reply.hijack();
  reply.raw.writeHead(200, reply.getHeaders() as OutgoingHttpHeaders);
  try {
    await file.copy(reply.raw);
    reply.raw.end();
  } catch {
    reply.raw.destroy();
  }
  return reply;
}

/** CONTRACT 1.4: every answer of the deprecated path says so; after the sunset it is 410. */
function announceSunset(request: FastifyRequest, reply: FastifyReply, deps: DeliverDeps): void {
  const { guid } = request.params as { guid: string };
  const query = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
  const successor = `${deps.baseOf(request)}/metrics/${encodeURIComponent(readGuid(guid) ?? guid)}${query}`;
  reply.header('deprecation', `@${DEPRECATED_AT}`);
  reply.header('sunset', deps.config.sunset.toUTCString());
  reply.header('link', `<${successor}>; rel="successor-version"`);
  if (deps.clock() >= deps.config.sunset.getTime()) {
    throw new Problem('sunset_passed', 'This path has gone; retrieve with GET /metrics/{reportRequestGuid}.');
  }
}
