/** POST /restaurants/{guid}/exports/{yyyyMMdd} and GET /imports: exports that the service itself imports. */
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { callerOf } from '../access/caller.ts';
import { type Places, takePlace } from '../access/places.ts';
import { findRestaurant } from '../access/restaurant.ts';
import type { Config } from '../config/config.ts';
import { Problem } from '../contract/problems.ts';
import { DAY_MS } from '../contract/time.ts';
import { signalOfGone } from '../http/connections.ts';
import { queryOf } from '../http/query-parameters.ts';
import type { LoadDeps } from '../ingest/load.ts';
import type { ImportLedger } from '../ledger/import-run.ts';
import type { Restaurant, RestaurantLedger } from '../ledger/restaurant.ts';
import { storesDestination } from './destination.ts';
import {
  dryRunParameter,
  exportDateInPath,
  forceDateParameter,
  forceLocationParameter,
  importExport,
  listImports,
  restaurantOnly,
} from './import-operations.ts';
import { type ImportThread, openImportThread, sizeOfImport } from './import-thread.ts';
import { createImportTurns, type ImportTurns } from './import-turns.ts';
import { keepReport, shownReport } from './kept-report.ts';
import { receiveExport, removeExport } from './receive.ts';

interface ImportDeps extends LoadDeps {
  ledger: RestaurantLedger & ImportLedger;
  /** Of all bases together. Closed with the app. */
  lanes: ReturnType<typeof openImportLanes>;
  /** The concurrent loads of each client. */
  places: Places;
  clock: () => number;
  /** The first business date (YYYYMMDD) that a connection reads of a restaurant; undefined without one. */
  connectedFrom(restaurant: Restaurant): Promise<number | undefined>;
  config: Pick<Config, 'requestSeconds'>;
}

const KEPT_MS = 30 * DAY_MS;
const LISTED = 200;
/** How many imports of a management group wait while one of the same size is carried out. */
const WAITING = 20;

const forceOf = (query: Parameters<typeof forceDateParameter.read>[0]) => ({
  date: forceDateParameter.read(query) ?? false,
  location: forceLocationParameter.read(query) ?? false,
});

/** The turns and the thread of imports of a size. */
interface Lane {
  inTurn: ImportTurns;
  thread: ImportThread;
}
const openLane = (): Lane => ({ inTurn: createImportTurns(WAITING), thread: openImportThread() });

/**
 * Lanes for the imports of a service. Large ones have their own: on a slow processor one takes a minute, for which a
 * usual day of another group would wait.
 */
export const openImportLanes = (): Record<ReturnType<typeof sizeOfImport>, Lane> => ({
  usual: openLane(),
  large: openLane(),
});

/** Mounts the routes under the base. */
export async function importRoutes(app: FastifyInstance, deps: ImportDeps): Promise<void> {
  const { ledger, clock, lanes } = deps;
  for (const { thread } of Object.values(lanes)) app.addHook('onClose', thread.close);
  // The body is streamed, so no parser may buffer it.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));

  async function importDay(request: FastifyRequest, gone: AbortSignal): Promise<object> {
    const { restaurantGuid, exportDate } = request.params as { restaurantGuid: string; exportDate: string };
    const { group, clientId } = callerOf(request);
    const restaurant = await findRestaurant(ledger, group, restaurantGuid);
    const date = exportDateInPath.read(exportDate);
    const query = queryOf(request);
    const dryRun = dryRunParameter.read(query) ?? false;
    const folder = join(deps.spoolFolder, `export-${randomUUID()}`);
    try {
      const silenceMs = deps.config.requestSeconds * 1000;
      const { day, mapping, bytes } = await receiveExport(request.raw, { folder, date, silenceMs });
      const found = { days: [day], strays: [] };
      const there = Object.assign({}, restaurant, { connectedFrom: await deps.connectedFrom(restaurant) });
      const importRun = { found, restaurant: there, mapping, force: forceOf(query), dryRun, folder };
      const destination = storesDestination(deps, restaurant);
      const { inTurn, thread } = lanes[sizeOfImport(bytes)];
      const work = inTurn(group, gone, () => thread.run(importRun, destination, { gone, bytes }));
      if (!work)
        throw new Problem(
          'too_many_at_once',
          'Too many exports of this management group are being imported. Try again in a minute.',
          {
            headers: { 'retry-after': '60' },
          },
        );
      const report = shownReport(await work, dryRun);
      const of = { group, clientId, restaurantGuid: restaurant.guid, businessDate: date };
      if (!dryRun) await keepReport(deps, report, of);
      return report;
    } finally {
      await removeExport(folder);
    }
  }

  app.post(
    '/restaurants/:restaurantGuid/exports/:exportDate',
    { config: { operation: importExport } },
    async (request, reply): Promise<FastifyReply> => {
      const leave = takePlace(deps.places, request, 'loads');
      try {
        return reply.send(await importDay(request, signalOfGone(reply)));
      } finally {
        leave();
      }
    },
  );

  app.get('/imports', { config: { operation: listImports } }, async (request) => {
    const restaurantGuid = restaurantOnly.read(queryOf(request));
    const since = clock() - KEPT_MS;
    const runs = await ledger.imports(callerOf(request).group, { since, limit: LISTED, restaurantGuid });
    return runs.map(({ id, group: _group, businessDate, at, ...run }) => ({
      importId: id,
      businessDate: String(businessDate),
      at: new Date(at).toISOString(),
      ...run,
    }));
  });
}
