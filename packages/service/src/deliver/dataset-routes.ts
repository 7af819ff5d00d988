/** Datasets: a GET that names dates and answers with the report of them (docs/contract.md#datasets). */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { bearerOf } from '../access/access.ts';
import { type Caller, callerKey, callerOf } from '../access/caller.ts';
import { requestFingerprint } from '../access/idempotency.ts';
import { Problem } from '../contract/problems.ts';
import { DAY_MS } from '../contract/time.ts';
import type { Span } from '../contract/words.ts';
import { countedAs, type ReportFamily } from '../families/family.ts';
import { queryOf } from '../http/query-parameters.ts';
import { keepMost } from '../kept.ts';
import type { ReportRequest } from '../ledger/report.ts';
import { addReport } from '../requests/add.ts';
import { failed } from '../requests/answers.ts';
import { awaitReport, goneOf, isUnfinished } from '../requests/wait.ts';
import { readRestaurantList } from '../restaurants/loaded.ts';
import { VERSION } from '../version.ts';
import { readDataset, readWait } from './dataset-operations.ts';
import { type DatasetQuestion, inWordsOfQuery, readQuestion } from './dataset-question.ts';
import type { Deliver, DeliverDeps } from './retrieval.ts';
import { readDatasetWishes } from './wishes.ts';

/** Who creates the reports of datasets: nobody's webhook is called for them. */
const CLIENT_ID = 'datasets';
/**
 * How long a client that reads parts keeps reading the same report, although newer data was loaded: DuckDB reads the
 * end of a file first, and then what it needs, without `If-Range`.
 */
const PARTS_MS = 5 * 60_000;
const MOST_READERS = 10_000;

/** Mounts GET /datasets/{dataset} for each family that has one. */
export function datasetRoutes(app: FastifyInstance, deps: DeliverDeps, deliver: Deliver): void {
  const find = openDatasets(deps);
  for (const family of deps.families.all) {
    if (family.dataset === undefined) continue;
    app.get(`/datasets/${family.dataset}`, { config: { operation: readDataset(family) } }, async (request, reply) => {
      const query = queryOf(request);
      const wishes = readDatasetWishes(request, family);
      const seconds = readWait(query);
      const found = await find(family, request, reply).catch((error: unknown) => {
        throw error instanceof Problem ? inWordsOfQuery(family, error) : error;
      });
      const report = await awaitReport(deps, found, seconds * 1000, isGone(deps, request));
      const base = deps.baseOf(request);
      const link = `<${base}/reports/${report.guid}>; rel="describedby"`;
      if (report.state === 'failed') throw failed(report, base);
      if (report.state !== 'completed') throw await notReady(deps, report, link);
      reply.header('link', link);
      const caller: Caller = { ...callerOf(request), dialect: 'reference' };
      return await deliver(report, wishes, { request, reply, caller, wanted: { family } }).catch(async (error) => {
        // Its files are lost, so that the next call must not find it.
        if (error instanceof Problem && error.code === 'report_failed') await deps.ledger.cancelReport(report.guid);
        throw error;
      });
    });
  }
}

async function notReady({ estimates }: DeliverDeps, report: ReportRequest, link: string): Promise<Problem> {
  const seconds = isUnfinished(report) ? await estimates.retryAfter(report) : 1;
  const message = `The report ${report.guid} is still being gathered. Repeat the call in ${seconds} s.`;
  return new Problem('dataset_not_ready', message, { headers: { 'retry-after': String(seconds), link } });
}

/** As `goneOf`, also for a caller by id and secret, whose client may be revoked meanwhile. */
function isGone({ access, ledger }: DeliverDeps, request: FastifyRequest): () => Promise<boolean> {
  if (bearerOf(request.headers.authorization) !== undefined) return goneOf(access, request);
  const { clientId } = callerOf(request);
  return async () => request.raw.socket.destroyed || (await ledger.client(clientId))?.revokedAt !== null;
}

/** Returns a function that finds the report of a call, or adds it. It throws the 400 of a query, and a 429. */
function openDatasets(deps: DeliverDeps) {
  const { ledger } = deps;
  const reading = keepMost<string>(MOST_READERS, PARTS_MS);

  async function current(guid: unknown, now: number): Promise<ReportRequest | undefined> {
    const report = typeof guid === 'string' ? await ledger.currentReport(guid) : undefined;
    const usable = report && (isUnfinished(report) || report.state === 'completed') && report.expiresAt > now;
    return usable ? report : undefined;
  }

  /**
   * The report of the question under the state of the data, which is the same for all callers of the group and all
   * nodes; added if there is none.
   */
  async function findOrAdd(
    family: ReportFamily,
    question: DatasetQuestion,
    state: string,
    count: () => Promise<void>,
    request: FastifyRequest,
  ): Promise<ReportRequest> {
    const { group } = callerOf(request);
    const caller: Caller = { group, clientId: CLIENT_ID, dialect: 'reference', scopes: [] };
    const path = `/datasets/${family.dataset}`;
    let key = requestFingerprint([VERSION, state, question.body, question.query]);
    for (;;) {
      const now = await ledger.now();
      const use = { group, clientId: CLIENT_ID, path, key, fingerprint: '' };
      const known = await ledger.keyUse(use, now);
      const found = await current(known?.answer, now);
      if (found) return found;
      if (!known) {
        await count();
        const create = { family, caller, cause: deps.causeOf(request), span: spanOf(family), forms: 'later' as const };
        const endsAt = now + deps.config.reportDays * DAY_MS;
        const { guid, used } = await addReport(deps, { ...create, ...question }, (answer) => ({
          ...use,
          answer,
          endsAt,
        }));
        const added = used ? undefined : await ledger.currentReport(guid);
        if (added) return added;
      }
      // What has failed, was discarded or has expired is followed by another.
      if (known) key = requestFingerprint([key, known.answer]);
    }
  }

  return async (family: ReportFamily, request: FastifyRequest, reply: FastifyReply): Promise<ReportRequest> => {
    const caller = callerOf(request);
    const now = await ledger.now();
    const restaurants = await ledger.restaurantsOf(caller.group);
    const question = readQuestion(family, spanOf(family), queryOf(request), { restaurants, now });
    const reader = JSON.stringify([callerKey(caller), family.kind, question.body, question.query]);
    const { range, 'if-range': ifRange } = request.headers;
    const begun = range !== undefined && ifRange === undefined ? await current(reading.get(reader), now) : undefined;
    const count = () => countCreate(deps, family, request, reply);
    const stateOf = async () => (await readRestaurantList(deps, caller.group, restaurants, now)).etag;
    const found = begun ?? (await findOrAdd(family, question, await stateOf(), count, request));
    reading.set(reader, found.guid);
    return found;
  };
}

const spanOf = ({ spans }: ReportFamily): Span => {
  const longest = spans.at(-1);
  if (longest === undefined) throw new Error('a family has spans');
  return longest;
};

/** Counts a create call of the caller. Rejects with Problem rate_limited. */
const countCreate = ({ limits }: DeliverDeps, family: ReportFamily, request: FastifyRequest, reply: FastifyReply) =>
  new Promise<void>((resolve, reject) =>
    limits.limited(countedAs(family, spanOf(family)))(request, reply, (error) => (error ? reject(error) : resolve())),
  );
