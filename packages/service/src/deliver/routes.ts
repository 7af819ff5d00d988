/** Retrieving reports: docs/contract.md#operations, docs/contract.md#deprecated-path, docs/contract.md#waiting. */
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { Problem } from '../contract/problems.ts';
import { readGuid } from '../contract/words.ts';
import { type ReportFamily, scopesOf, timeRangesOf } from '../families/family.ts';
import { datasetRoutes } from './dataset-routes.ts';
import { type DeliverDeps, openDelivery, openRetrieval } from './retrieval.ts';
import { retrieve, retrieveInRange } from './retrieval-operations.ts';
import { announceSunset, successorOf } from './sunset.ts';

/**
 * Mounts datasets and, for each family, GET {path}/{guid}, and GET {path}/{timeRange}/{guid} if it has the deprecated
 * path.
 */
export async function deliverRoutes(app: FastifyInstance, deps: DeliverDeps): Promise<void> {
  const deliver = openDelivery(deps);
  const answer = openRetrieval(deps, deliver);
  // Set on every answer, 202 and 4xx too, so before the token is verified.
  app.addHook('onRequest', (_request, reply, done) => {
    const origin = reply.getHeader('vary');
    reply.header('vary', `${origin ? `${origin}, ` : ''}Accept, Accept-Encoding, Authorization`);
    done();
  });

  datasetRoutes(app, deps, deliver);
  const paths = new Set<string>(deps.families.all.map(({ path }) => path));
  for (const family of deps.families.all) {
    const scopes = scopesOf(family, deps.config);
    app.get<{ Params: { guid: string } }>(
      `${family.path}/:guid`,
      { config: { operation: retrieve(family, scopes) } },
      (request, reply) => {
        const { guid } = request.params;
        // The path of another family, such as /payout/payments, without a GUID.
        if (paths.has(`${family.path}/${guid}`))
          throw new Problem('route_not_found', `Retrieve with GET ${family.path}/${guid}/{reportRequestGuid}.`);
        return answer({ family }, guid, request, reply);
      },
    );
    if (!family.deprecatedPath) continue;
    await app.register(async (deprecated) => {
      deprecated.addHook('onRequest', async (request, reply) => replaced(family, request, reply, deps));
      deprecated.get<{ Params: { timeRange: string; guid: string } }>(
        `${family.path}/:timeRange/:guid`,
        { config: { operation: retrieveInRange(family, scopes) } },
        (request, reply) => {
          const ranges = timeRangesOf(family);
          const timeRange = ranges.find((known) => known === request.params.timeRange);
          if (!timeRange) throw new Problem('report_not_found', `The time range is one of ${ranges.join(', ')}.`);
          return answer({ family, timeRange }, request.params.guid, request, reply);
        },
      );
    });
  }
}

/** Marks every answer of the deprecated path; after the sunset the path is 410 (docs/contract.md#deprecated-path). */
function replaced({ path }: ReportFamily, request: FastifyRequest, reply: FastifyReply, deps: DeliverDeps): void {
  const { guid } = request.params as { guid: string };
  const successor = successorOf(request, `${deps.baseOf(request)}${path}`, readGuid(guid) ?? guid);
  announceSunset(reply, successor, deps.config);
  if (deps.clock() >= deps.config.sunset.getTime()) {
    throw new Problem('sunset_passed', `This path has been removed; retrieve with GET ${path}/{reportRequestGuid}.`);
  }
}
