/**
 * POST /session/downloads, and GET of the path that it returns: a report as a file that the browser saves to disk. A
 * link cannot send a token, and a file of 150 MB does not fit into a page.
 */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { scopeMissing } from '../access/access.ts';
import type { Limits } from '../access/limits.ts';
import { newSecret } from '../access/secrets.ts';
import { guardSessionRoutes, type SessionGuardDeps } from '../access/session-guard.ts';
import { hashOf, sessionCaller } from '../access/sessions.ts';
import type { Config } from '../config/config.ts';
import { fieldProblem, Problem } from '../contract/problems.ts';
import { SCOPE_READ } from '../contract/words.ts';
import { chosenLayout, type Only } from '../facts/form.ts';
import { type ReportFamily, scopesOf } from '../families/family.ts';
import type { ReportRequest } from '../ledger/report.ts';
import { findReport } from '../requests/find.ts';
import { openLinks } from './download-links.ts';
import { downloadBody, prepareDownload, readDownload } from './download-operations.ts';
import { type DeliverDeps, openRetrieval } from './retrieval.ts';

/** Long enough, since a browser follows a link immediately. */
const VALID_SECONDS = 60;
const BODY_LIMIT = 16 * 1024;

interface DownloadRequest {
  family: ReportFamily;
  guid: string;
  /** In the form that the retrieval reads. */
  query: Record<string, string>;
  only: Only | undefined;
}

interface DownloadDeps extends DeliverDeps, SessionGuardDeps {
  ledger: DeliverDeps['ledger'] & Parameters<typeof openLinks>[0];
  config: DeliverDeps['config'] & Pick<Config, 'basePath'>;
}

const notFound = (): Problem =>
  new Problem('download_not_found', 'This download was already fetched, has expired, or belongs to another session.');

/** Mounts the routes at the origin. */
export async function downloadRoutes(app: FastifyInstance, deps: DownloadDeps): Promise<void> {
  const { clock } = deps;
  const signedIn = guardSessionRoutes(app, deps);
  const retrieve = openRetrieval({ ...deps, limits: { ...deps.limits, addHeaders: asFile(deps) } });
  const links = openLinks(deps.ledger, clock);

  app.post('/session/downloads', { bodyLimit: BODY_LIMIT, config: { operation: prepareDownload } }, async (request) => {
    const caller = sessionCaller(await signedIn(request));
    if (!caller.scopes.includes(SCOPE_READ)) throw scopeMissing(deps.access, request, [SCOPE_READ]);
    const download = readDownloadRequest(request.body, deps.families.all);
    const missing = scopesOf(download.family, deps.config).filter((scope) => !caller.scopes.includes(scope));
    if (missing.length > 0) throw scopeMissing(deps.access, request, missing);
    // A report that cannot be retrieved is refused here, where the page can show the message.
    const report = await findReport(deps, caller, download.guid, { family: download.family }, clock());
    if (report.state !== 'completed')
      throw new Problem('report_not_ready', `The report is not completed: GET /reports/${report.guid} has its status.`);
    const { guid } = report;
    const { family, query } = download;
    const only = rowsOf(family, report, download.only);
    const key = newSecret();
    const link = { kind: family.kind, guid, query, only, sessionId: caller.sessionId };
    await links.add(caller, hashOf(key), { ...link, endsAt: clock() + VALID_SECONDS * 1000 });
    return { path: `${deps.config.basePath}/session/downloads/${key}`, expiresIn: VALID_SECONDS };
  });

  /** Finds the download of the key for the session of the cookie, and makes the request one of its caller. */
  async function find(request: FastifyRequest) {
    const { key = '' } = request.params as { key?: string };
    const signed = await signedIn(request);
    const [caller, hash] = [sessionCaller(signed), hashOf(key)];
    const link = await links.find(caller, hash);
    const family = deps.families.all.find(({ kind }) => kind === link?.kind);
    if (!link || !family || link.sessionId !== signed.session.id) throw notFound();
    request.caller = caller;
    return { caller, hash, link, family };
  }
  app.get<{ Params: { key: string } }>(
    '/session/downloads/:key',
    {
      onRequest: async (request) => void (await find(request)),
      // The caller is not in a token but in the cookie and the key.
      preHandler: deps.limits.limited('retrieval'),
      config: { operation: readDownload },
    },
    async (request, reply): Promise<FastifyReply> => {
      const { caller, hash, link, family } = await find(request);
      request.query = link.query;
      if (request.method !== 'HEAD' && !(await links.use(caller, hash, link))) throw notFound();
      return await retrieve({ family, only: link.only }, link.guid, request, reply);
    },
  );
}

/** Set last on an answer: it must not be cached, and is saved as a file whatever its format. */
const asFile =
  ({ limits }: DownloadDeps): Limits['addHeaders'] =>
  (request, reply) => {
    const disposition = String(reply.getHeader('content-disposition') ?? 'attachment');
    reply.header('cache-control', 'no-store');
    reply.header('content-disposition', disposition.replace(/^inline/, 'attachment'));
    return limits.addHeaders(request, reply);
  };

/**
 * The rows of the file; undefined for all. Throws Problem invalid_body for a field by which the report is not split.
 */
function rowsOf({ reportTotals }: ReportFamily, { plan }: ReportRequest, only: Only = {}): Only | undefined {
  const chosen = Object.entries(only).filter(([, value]) => value !== undefined);
  for (const [field] of chosen) {
    const needs = reportTotals?.splits?.[field]?.needs;
    if (needs === undefined || !(plan.groups.includes(needs) || plan.aggregate === needs))
      throw fieldProblem('invalid_body', `/only/${field}`, `The report is not split by ${field}.`);
  }
  return chosen.length > 0 ? Object.fromEntries(chosen) : undefined;
}

/** The body of the POST. Throws Problem invalid_body, unknown_field. */
function readDownloadRequest(body: unknown, families: readonly ReportFamily[]): DownloadRequest {
  const read = downloadBody(families.map((family) => family.kind)).read(body);
  const { guid, kind, format, fetchRestaurantNames: names, bom, only } = read;
  const family = families.find((known) => known.kind === kind);
  if (!family) throw new Error(`no family ${kind}`);
  const layout = chosenLayout(format, read.layout, (detail) => fieldProblem('invalid_body', '/layout', detail));
  if (bom && format !== 'csv') throw fieldProblem('invalid_body', '/bom', 'bom is possible with the format csv only.');
  const named = names === undefined ? {} : { fetchRestaurantNames: String(names) };
  return { family, guid, query: { format, layout, ...named, bom: String(bom) }, only };
}
