/** POST /restaurants/{guid}/exports/{yyyyMMdd} and GET /imports: exports that the service itself imports. */
import { randomUUID } from 'node:crypto';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Access, requireScope } from '../access/access.ts';
import { callerOf } from '../access/caller.ts';
import { createGate } from '../access/gate.ts';
import { type Places, takePlace } from '../access/places.ts';
import { DAY_MS } from '../contract/time.ts';
import { SCOPE_INGEST, SCOPE_READ } from '../contract/words.ts';
import { Problem } from '../http/problems.ts';
import { queryOf } from '../http/query-parameters.ts';
import type { LoadDeps } from '../ingest/load.ts';
import { findRestaurant } from '../ledger/find.ts';
import type { ImportLedger, ImportRun } from '../ledger/import-run.ts';
import type { RestaurantLedger } from '../ledger/restaurant.ts';
import { storesDestination } from './destination.ts';
import type { FileReport } from './file-tally.ts';
import type { ImportReport } from './import-days.ts';
import {
  dryRunParameter,
  exportDateInPath,
  forceDateParameter,
  forceLocationParameter,
  importExport,
  listImports,
  restaurantOnly,
} from './import-operations.ts';
import { openImportThread } from './import-thread.ts';
import { receiveExport } from './receive.ts';

export interface ImportDeps extends LoadDeps {
  ledger: RestaurantLedger & ImportLedger;
  access: Access;
  /** The concurrent loads of each client. */
  places: Places;
  clock: () => number;
}

const KEPT_MS = 30 * DAY_MS;
const LISTED = 200;
/** Rows of each file that the list of imports stores; the answer of the import has all. */
const KEPT_ROWS = 50;
/** One import at a time, because its tables are in memory while they are joined. */
const TURNS = { atOnce: 1, waiting: 20 };

/** Does not reveal paths of this machine: a day is named by its date. */
const shown = (report: ImportReport) => ({
  ...report,
  days: report.days.map((day) => ({ ...day, folder: String(day.date) })),
});

const shortened = (file: FileReport): FileReport => ({
  ...file,
  skipped: file.skipped.slice(0, KEPT_ROWS),
  notRead: file.notRead.slice(0, KEPT_ROWS),
});

/** Mounts the routes under the base. */
export async function importRoutes(app: FastifyInstance, deps: ImportDeps): Promise<void> {
  const { ledger, access, clock } = deps;
  const inTurn = createGate(TURNS);
  const thread = openImportThread();
  app.addHook('onClose', thread.close);
  // The body is streamed, so no parser may buffer it.
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('*', (_request, body, done) => done(null, body));

  async function importDay(request: FastifyRequest): Promise<object> {
    const { restaurantGuid, exportDate } = request.params as { restaurantGuid: string; exportDate: string };
    const { group, clientId } = callerOf(request);
    const restaurant = await findRestaurant(ledger, group, restaurantGuid);
    const date = exportDateInPath.read(exportDate);
    const query = queryOf(request);
    const dryRun = dryRunParameter.read(query) ?? false;
    const force = {
      date: forceDateParameter.read(query) ?? false,
      location: forceLocationParameter.read(query) ?? false,
    };
    const folder = join(deps.spoolFolder, `export-${randomUUID()}`);
    try {
      const { day, mapping } = await receiveExport(request.raw, folder, date);
      const found = { days: [day], strays: [] };
      const asked = { found, restaurant, mapping, force, dryRun, folder };
      const work = inTurn(() => thread.run(asked, storesDestination(deps, restaurant)));
      if (!work)
        throw new Problem('too_many_at_once', 'Too many exports are being imported. Try again in a minute.', {
          headers: { 'retry-after': '60' },
        });
      const report = { dryRun, ...shown(await work) };
      if (!dryRun) await keep(report, { group, clientId, restaurantGuid: restaurant.guid, businessDate: date });
      return report;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }

  async function keep(
    report: ReturnType<typeof shown>,
    run: Pick<ImportRun, 'group' | 'clientId' | 'restaurantGuid' | 'businessDate'>,
  ): Promise<void> {
    const days = report.days.map((day) => ({ ...day, files: day.files.map(shortened) }));
    await ledger.addImport({ id: randomUUID(), ...run, at: clock(), report: { ...report, days } });
  }

  app.post(
    '/restaurants/:restaurantGuid/exports/:exportDate',
    { onRequest: requireScope(access, SCOPE_INGEST), config: { operation: importExport } },
    async (request, reply): Promise<FastifyReply> => {
      const leave = takePlace(deps.places, request, 'loads');
      try {
        return reply.send(await importDay(request));
      } finally {
        leave();
      }
    },
  );

  app.get(
    '/imports',
    { onRequest: requireScope(access, SCOPE_READ, SCOPE_INGEST), config: { operation: listImports } },
    async (request) => {
      const restaurantGuid = restaurantOnly.read(queryOf(request));
      const since = clock() - KEPT_MS;
      const runs = await ledger.imports(callerOf(request).group, { since, limit: LISTED, restaurantGuid });
      return runs.map(({ id, group: _group, businessDate, at, ...run }) => ({
        importId: id,
        businessDate: String(businessDate),
        at: new Date(at).toISOString(),
        ...run,
      }));
    },
  );
}
