/** Exports a management group into a new folder: facts as Parquet, everything else as JSON, without secrets. */
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { Bounds } from '../facts/bounds.ts';
import type { Facts } from '../facts/facts.ts';
import { sync } from '../files/sync.ts';
import type { AuditEntry, AuditLedger } from '../ledger/audit.ts';
import type { ClientLedger } from '../ledger/client.ts';
import type { ConnectionLedger } from '../ledger/connection.ts';
import type { GroupLedger } from '../ledger/group.ts';
import type { ImportLedger } from '../ledger/import-run.ts';
import type { DaypartLedger, RestaurantLedger } from '../ledger/restaurant.ts';

type ConnectionExportLedger = Pick<ConnectionLedger, 'connections' | 'connectedRestaurants'>;

export interface ExportDeps {
  ledger: GroupLedger &
    ClientLedger &
    ConnectionExportLedger &
    AuditLedger &
    DaypartLedger &
    ImportLedger &
    RestaurantLedger;
  facts: Facts;
  clock: () => number;
}

export interface ExportAnswer {
  group: string;
  to: string;
  restaurants: number;
  /** Names in the folder. */
  files: string[];
}

const PAGE = 200;
const MOST_IMPORTS = 100_000;

async function auditOf(ledger: AuditLedger, group: string): Promise<AuditEntry[]> {
  const entries: AuditEntry[] = [];
  for (;;) {
    const page = await ledger.audit(group, { limit: PAGE, before: entries.at(-1)?.id });
    entries.push(...page);
    if (page.length < PAGE) return entries;
  }
}

/** The connections of a group that were not removed, without what they sign in with. */
async function connectionsOf(ledger: ConnectionExportLedger, group: string): Promise<object[]> {
  const all = await ledger.connections(group);
  return await Promise.all(
    all.map(async ({ id, kind, name, url, settings, state, reason, createdAt, createdBy }) => {
      const restaurants = await ledger.connectedRestaurants(id);
      return { id, kind, name, url, settings, state, reason, createdAt, createdBy, restaurants };
    }),
  );
}

/** What is exported as JSON, by the name of the file. */
async function documentsOf({ ledger, facts, clock }: ExportDeps, name: string): Promise<Record<string, object>> {
  const group = await ledger.group(name);
  if (!group) throw new Error(`there is no management group ${name}`);
  const restaurants = await ledger.restaurantsOf(name);
  const clients = (await ledger.clients()).filter((client) => client.group === name);
  const loaded = await Promise.all(
    restaurants.map(async ({ id, guid }) => ({
      guid,
      reference: await facts.reference(id),
      menus: await facts.menus(id),
    })),
  );
  return {
    'group.json': { ...group, exportedAt: new Date(clock()).toISOString(), dayparts: await ledger.dayparts(name) },
    'restaurants.json': restaurants,
    'reference.json': loaded.map(({ guid, reference }) => ({ guid, ...reference })),
    'menus.json': loaded.map(({ guid, menus }) => ({ guid, menus })),
    'clients.json': clients.map(({ secretHash: _, oldSecret: __, ...client }) => client),
    'connections.json': await connectionsOf(ledger, name),
    'imports.json': await ledger.imports(name, { since: 0, limit: MOST_IMPORTS }),
    'audit.json': await auditOf(ledger, name),
  };
}

/**
 * Writes the export. `to` is an absolute path that does not exist; it exists only if everything was written. Throws
 * Error with a sentence for the person who requested it.
 */
export async function exportGroup(
  deps: ExportDeps,
  { group, to }: { group: string; to: string },
  bounds: Bounds,
): Promise<ExportAnswer> {
  const documents = await documentsOf(deps, group);
  const partial = `${to}.partial`;
  await mkdir(partial, { mode: 0o700 }).catch((error: NodeJS.ErrnoException) => {
    throw new Error(`the export cannot be written to ${dirname(to)}: ${error.message}`, { cause: error });
  });
  try {
    for (const [name, document] of Object.entries(documents))
      await writeFile(join(partial, name), `${JSON.stringify(document, null, 2)}\n`, { mode: 0o600 });
    const restaurants = await deps.ledger.restaurantsOf(group);
    const tables = await deps.facts.exportRestaurants(
      restaurants.map(({ id }) => id),
      partial,
      bounds,
    );
    bounds.signal?.throwIfAborted();
    // Fails if there is something in the folder.
    await rename(partial, to);
    await sync(dirname(to));
    return { group, to, restaurants: restaurants.length, files: [...Object.keys(documents), ...tables] };
  } catch (error) {
    await rm(partial, { recursive: true, force: true });
    throw error;
  }
}
