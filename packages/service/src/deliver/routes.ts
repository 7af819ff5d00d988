/** Retrieving reports: docs/contract.md#operations, docs/contract.md#deprecated-path, docs/contract.md#waiting. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { type Access, requireScope } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import type { Limits } from '../access/limits.ts';
import { type Places, takePlace } from '../access/places.ts';
import { readGuid, SCOPE_READ } from '../contract/words.ts';
import type { Form } from '../facts/facts.ts';
import { asProblem } from '../facts/problem.ts';
import { type ReportFamily, takesNames, timeRangesOf } from '../families/family.ts';
import type { Families } from '../families/index.ts';
import type { Estimates } from '../gather/estimate.ts';
import type { Signals } from '../gather/signals.ts';
import type { ReportRequest } from '../ledger/report.ts';
import { fieldProblem, Problem } from '../problems.ts';
import type { AddDeps } from '../requests/add.ts';
import { failed, inProgress, lost } from '../requests/answers.ts';
import { findReport, type Wanted } from '../requests/find.ts';
import { readBoolean } from '../requests/query.ts';
import { awaitReport, readPrefer } from '../requests/wait.ts';
import { ReportLost } from '../results/sound.ts';
import { type Choice, negotiate } from './negotiate.ts';
import type { Representations } from './representations.ts';
import { retrieve, retrieveInRange } from './retrieval-operations.ts';
import { openSandbox, readReserved } from './sandbox.ts';
import { heldTag, notModified, transfer, wantsDigest } from './transfer.ts';

export interface DeliverDeps extends AddDeps {
  access: Access;
  limits: Limits;
  representations: Representations;
  /** The retrievals of large reports that each client has under way; one for all bases. */
  places: Places;
  signals: Signals;
  estimates: Estimates;
  families: Families;
  log: Logger;
  config: { sandbox: boolean; waitSeconds: number; sunset: Date; reportDays: number };
  /** The base that was called, e.g. `http://127.0.0.1:8080/v1`. */
  baseOf: (request: FastifyRequest) => string;
}

/** Since when GET /metrics/{timeRange}/{guid} is deprecated: 2026-01-01T00:00:00Z. */
const DEPRECATED_AT = 1_767_225_600;

/** For every family GET {path}/{guid}, and the deprecated GET {path}/{timeRange}/{guid} where it has one, under the base. */
export async function deliverRoutes(app: FastifyInstance, deps: DeliverDeps): Promise<void> {
  const { representations, config, clock } = deps;
  const sandbox = openSandbox({
    ...deps,
    announceSunset: (reply, successor) => announceSunset(reply, successor, config),
  });
  const onRequest = [requireScope(deps.access, SCOPE_READ), deps.limits.limited('retrieval')];
  // On every answer, 202 and 4xx too, so before the token is looked at.
  app.addHook('onRequest', (_request, reply, done) => {
    const origin = reply.getHeader('vary');
    reply.header('vary', `${origin ? `${origin}, ` : ''}Accept, Accept-Encoding, Authorization`);
    done();
  });

  async function answer(
    wanted: Wanted & { family: ReportFamily },
    asked: string,
    request: FastifyRequest,
    reply: FastifyReply,
  ): Promise<FastifyReply> {
    const named = readBoolean(request.query as Record<string, unknown>, 'fetchRestaurantNames') ?? false;
    const names = named && takesNames(wanted.family);
    const choice = negotiate((request.query as Record<string, unknown>).format, request.headers);
    const bom = readBoolean(request.query as Record<string, unknown>, 'bom') ?? false;
    if (bom && choice.format !== 'csv')
      throw fieldProblem('invalid_parameter', 'bom', `bom=true is for csv, not for ${choice.format}: add format=csv`);
    const caller = callerOf(request);
    const reserved = config.sandbox ? readReserved(asked) : undefined;
    const call = { request, reply, caller, wanted, base: deps.baseOf(request) };
    const guid = reserved ? await sandbox.answer(reserved, call) : asked;
    if (guid === undefined) return inProgress(reply, asked, 1);

    const found = await findReport(deps, caller, guid, wanted, clock());
    let report = found;
    if (found.state === 'queued' || found.state === 'gathering') {
      const prefer = readPrefer(request.headers.prefer, config.waitSeconds);
      if (prefer.applied) reply.header('preference-applied', prefer.applied);
      report = await awaitReport(deps, found, prefer.seconds * 1000, () => request.raw.socket.destroyed);
    }
    if (report.state === 'failed') throw failed(report, deps.baseOf(request));
    if (report.state !== 'completed') {
      if (report.state !== 'queued' && report.state !== 'gathering')
        await findReport(deps, caller, guid, wanted, clock());
      return inProgress(reply, report.guid, await deps.estimates.retryAfter(report));
    }
    const { groups, aggregate } = report.plan;
    const { kind } = wanted.family;
    const shape = { kind, dialect: caller.dialect, names, groups, aggregate };
    const form: Form = { format: choice.format, ...shape, ...(bom ? { bom } : {}) };
    try {
      return await send(request, reply, report, form, choice);
    } catch (error) {
      // Deleted or expired meanwhile, its files may be gone: then it is not found.
      await findReport(deps, caller, guid, wanted, clock());
      if (!(error instanceof ReportLost)) throw error;
      deps.log.error({ err: error, reportRequestGuid: report.guid }, 'a completed report cannot be read any more');
      throw lost(report, deps.baseOf(request));
    }
  }

  async function send(
    request: FastifyRequest,
    reply: FastifyReply,
    report: ReportRequest,
    form: Form,
    choice: Choice,
  ): Promise<FastifyReply> {
    const key = `${report.guid}/${report.attempt}/${form.dialect}/${form.names}/${form.bom ?? false}/${choice.key}`;
    const { 'if-none-match': ifNoneMatch, 'want-repr-digest': wantDigest } = request.headers;
    const tell = () => deps.limits.tell(request, reply);
    const held = representations.held(key);
    if (held) {
      const tag = heldTag(ifNoneMatch, held.of, choice);
      return tag
        ? await notModified(request, reply, { rendered: held.of, etag: tag }, tell)
        : await transfer(request, reply, held, tell);
    }
    const gone = new AbortController();
    const onClose = (): void => gone.abort();
    reply.raw.once('close', onClose);
    try {
      const rendered = await representations.render(report, form, gone.signal);
      const tag = heldTag(ifNoneMatch, rendered, choice);
      if (tag) return await notModified(request, reply, { rendered, etag: tag }, tell);
      const wants = { digest: wantsDigest(wantDigest), signal: gone.signal };
      const found = await representations.code(rendered, choice, key, wants);
      // From here on a coding that goes on without this client is for those who come after it.
      reply.raw.off('close', onClose);
      if (Buffer.isBuffer(found.content)) return await transfer(request, reply, found, tell);
      const leave = takePlace(deps.places, request, 'retrievals of large reports');
      return await transfer(request, reply, found, tell).finally(leave);
    } catch (error) {
      if (gone.signal.aborted) throw new Problem('unavailable', 'The client went away.', { cause: error });
      throw asProblem(error);
    } finally {
      reply.raw.off('close', onClose);
    }
  }

  for (const family of deps.families.all) {
    app.get<{ Params: { guid: string } }>(
      `${family.path}/:guid`,
      { onRequest, config: { operation: retrieve(family) } },
      (request, reply) => answer({ family }, request.params.guid, request, reply),
    );
    if (!family.deprecatedPath) continue;
    const announced = async (request: FastifyRequest, reply: FastifyReply): Promise<void> =>
      replaced(family, request, reply, deps);
    app.get<{ Params: { timeRange: string; guid: string } }>(
      `${family.path}/:timeRange/:guid`,
      { onRequest: [announced, ...onRequest], config: { operation: retrieveInRange(family) } },
      (request, reply) => {
        const ranges = timeRangesOf(family);
        const timeRange = ranges.find((known) => known === request.params.timeRange);
        if (!timeRange) throw new Problem('report_not_found', `The time range is one of ${ranges.join(', ')}.`);
        return answer({ family, timeRange }, request.params.guid, request, reply);
      },
    );
  }
}

/** Every answer of the deprecated path says so; after the sunset it is 410 (docs/contract.md#deprecated-path). */
function replaced({ path }: ReportFamily, request: FastifyRequest, reply: FastifyReply, deps: DeliverDeps): void {
  const { guid } = request.params as { guid: string };
  const given = request.url.includes('?') ? request.url.slice(request.url.indexOf('?')) : '';
  // What would end the address in a Link header (RFC 8288 3).
  const query = given.replaceAll(/[<>"]/g, encodeURIComponent);
  const successor = `${deps.baseOf(request)}${path}/${encodeURIComponent(readGuid(guid) ?? guid)}${query}`;
  announceSunset(reply, successor, deps.config);
  if (deps.clock() >= deps.config.sunset.getTime()) {
    throw new Problem('sunset_passed', `This path has been removed; retrieve with GET ${path}/{reportRequestGuid}.`);
  }
}

function announceSunset(reply: FastifyReply, successor: string, { sunset }: { sunset: Date }): void {
  reply.header('deprecation', `@${DEPRECATED_AT}`);
  reply.header('sunset', sunset.toUTCString());
  reply.header('link', `<${successor}>; rel="successor-version"`);
}
