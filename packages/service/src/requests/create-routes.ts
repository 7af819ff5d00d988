/** Creating report requests: docs/contract.md#creating-report-requests. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { answerOf, findAnswer, REPLAYED, readKey, requestFingerprint, useOf } from '../access/idempotency.ts';
import { Problem } from '../contract/problems.ts';
import type { Cause } from '../contract/trace.ts';
import type { Span } from '../contract/words.ts';
import { type ReportFamily, scopesOf, timeRangesOf } from '../families/family.ts';
import type { Families } from '../families/index.ts';
import { type AddDeps, addReport, pathOf } from './add.ts';
import { createCustom, createInRange, spanOf } from './create-operations.ts';
import { refuseOnLive } from './live-restrictions.ts';
import { readReportQuery } from './query.ts';
import { readPreferences } from './wait.ts';

interface CreateDeps extends AddDeps {
  families: Families;
  causeOf: (request: FastifyRequest) => Cause;
  config: AddDeps['config'] & { liveRestrictions: boolean; guestScope: boolean };
  /** The base URL that was called, e.g. `http://127.0.0.1:8080/v1`. */
  baseOf: (request: FastifyRequest) => string;
}

/** Mounts, for each family, POST {path}/{timeRange}, and POST {path} if it has custom spans. */
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
    const forms = readPreferences(request.headers.prefer).get('forms') === 'later' ? ('later' as const) : undefined;
    const reportQuery = readReportQuery({ family, span, dialect: caller.dialect }, request.body, query);
    if (deps.config.liveRestrictions && caller.dialect === 'live') refuseOnLive(family, reportQuery, request.body);
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
            group: caller.group,
            clientId: caller.clientId,
            path: pathOf(family, span, {}),
            key,
            fingerprint: requestFingerprint([query, request.body]),
          };
    // Checked before planning: a repeated call gets the same answer even if the restaurants have changed since.
    const answered = keyed && (await findAnswer(deps.ledger, keyed, now));
    if (answered) return send(answered, REPLAYED);

    const newReport = {
      family,
      span,
      reportQuery,
      query,
      body: request.body,
      caller,
      cause: deps.causeOf(request),
      forms,
    };
    const { guid, used } = await addReport(deps, newReport, keyed && ((made, at) => useOf(keyed, made, at)));
    if (keyed && used) return send(answerOf(used, keyed), REPLAYED);
    return send(guid, forms && { 'preference-applied': `forms=${forms}` });
  }

  for (const family of deps.families.all) {
    const scopes = scopesOf(family, deps.config);
    if (family.spans.includes('custom')) {
      const options = { config: { operation: createCustom(family, scopes) } };
      app.post(family.path, options, (request, reply) => create(family, 'custom', request, reply));
    }
    // Before the body is read: an error in it would hide that there is no such path.
    const readRange = async (request: FastifyRequest): Promise<void> => {
      if (!spanOf(family, request)) throw noTimeRange(deps.families.all, family, request);
    };
    const options = { onRequest: readRange, config: { operation: createInRange(family, scopes) } };
    app.post(`${family.path}/:timeRange`, options, (request, reply) =>
      create(family, spanOf(family, request) ?? 'custom', request, reply),
    );
  }
}

/**
 * The problem of a path without a time range of the family. `/payout/payments` lacks that of card payments, not one of
 * payouts.
 */
function noTimeRange(all: readonly ReportFamily[], family: ReportFamily, { params }: FastifyRequest): Problem {
  const { timeRange } = params as { timeRange?: string };
  const meant = all.find(({ path }) => path === `${family.path}/${timeRange}`) ?? family;
  const ranges = timeRangesOf(meant).join(', ');
  return new Problem('route_not_found', `The time range of POST ${meant.path}/{timeRange} is one of ${ranges}.`);
}
