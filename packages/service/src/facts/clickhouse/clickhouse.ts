/**
 * The facts on servers: rows in ClickHouse, the load log in PostgreSQL, and DuckDB in each node for merging and
 * rendering.
 */
import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { createFamilies, type Families } from '../../families/index.ts';
import type { Priority } from '../../nice.ts';
import type { FamilySql } from '../duckdb/families/family.ts';
import { FAMILY_SQL } from '../duckdb/families/index.ts';
import { SUMMED_METRICS_SQL } from '../duckdb/families/metrics.ts';
import { newestFactsSchema } from '../duckdb/place.ts';
import { startEngine } from '../duckdb/process.ts';
import { recordFacts } from '../duckdb/record-facts.ts';
import { reportFacts } from '../duckdb/report-facts.ts';
import type { Facts } from '../facts.ts';
import { refusingRemoved } from '../removed.ts';
import { openCoverage } from './coverage.ts';
import { openPostgresLog } from './load-log/postgres-log.ts';
import { refuseUnknown } from './load-numbers.ts';
import { loadedFacts } from './loaded-facts.ts';
import { startMaintenance } from './maintenance.ts';
import { openMerger } from './merge.ts';
import { openReports } from './node-reports.ts';
import { referenceFacts } from './reference-facts.ts';
import { openServer, serverAddress } from './server.ts';
import { storedFacts } from './stored-facts.ts';

export { migrateFacts } from './migrate.ts';
export { openIdentity, type StoredIdentity } from './stored-facts.ts';

/** How long a load may be silent before another one may take over its restaurant. */
const LEASE_MS = 15_000;
/** How long a load waits for its restaurant while another load of it is running. */
const WAIT_MS = 20_000;

interface ClickHouseFactsOptions {
  /** In the format of `serverAddress`. */
  url: string;
  /** `postgres://…`: the load log is in the ledger's database. */
  ledgerUrl: string;
  /** A folder of this node alone; its contents may be lost at any time. */
  scratch: string;
  memoryMb: number;
  priority?: Priority | undefined;
  /** Further folders that the node's engine may use: those of spools and reports. */
  readable?: string[];
  leaseMs?: number;
  waitMs?: number;
  families?: Families;
  /** SQL of further families, in addition to those of the service. */
  familySql?: Record<string, FamilySql>;
  log?: Logger | undefined;
}

export interface ClickHouseFacts extends Facts {
  /** How often the node's own engine was restarted. */
  engineRestarts(): number;
  /** The process of the node's own engine. */
  enginePid(): number;
}

/** Opens the facts. Throws Error if a server does not answer, or `daypart migrate` has to run first. */
export async function openClickHouseFacts(options: ClickHouseFactsOptions): Promise<ClickHouseFacts> {
  const { scratch, memoryMb, priority, readable = [], families = createFamilies(), familySql, log: logger } = options;
  const { leaseMs = LEASE_MS, waitMs = WAIT_MS } = options;
  const { url, database, cluster } = serverAddress(options.url);
  const server = openServer(url, database, cluster);
  const log = openPostgresLog(options.ledgerUrl, leaseMs);
  const files = join(scratch, 'fetched');
  const folder = join(scratch, 'engine');
  try {
    const { version } = await server.row('version');
    const newest = newestFactsSchema();
    if (version < newest) throw new Error('the facts are of an older version: run daypart migrate');
    // A rolling upgrade migrates first: additions of the next version do not affect this one.
    if (version > newest + 1)
      throw new Error(`the facts are of a newer daypart (schema ${version}, this one knows ${newest})`);
    await refuseUnknown(server, log);
    for (const path of [files, folder]) {
      rmSync(path, { recursive: true, force: true });
      mkdirSync(path, { recursive: true, mode: 0o700 });
    }
    const engine = await startEngine({ folder, memoryMb, priority, readable: [files, ...readable], log: logger });
    const merger = openMerger(server, engine, files);
    const reports = openReports(server, log, engine, files);
    const coverage = openCoverage(server, log);
    const parts = { server, log, merger, reports, coverage, leaseMs, waitMs, logger };
    const loaded = loadedFacts(parts);
    const maintenance = startMaintenance({ log, server, logger });
    const close = async (): Promise<void> => {
      await maintenance.stop();
      await loaded.groups.close();
      await engine.close();
      await server.close();
      await log.close();
    };
    return refusingRemoved({
      ...loaded.facts,
      ...recordFacts((work, bounds) => reports.over(work, { ...bounds, lanes: ['quick'] })),
      ...referenceFacts(parts, loaded.groups),
      ...reportFacts(reports, families, { ...FAMILY_SQL, metrics: SUMMED_METRICS_SQL, ...familySql }),
      ...storedFacts({ ...parts, scratch: files, close }),
      engineRestarts: () => engine.restarts(),
      enginePid: () => engine.pid(),
    });
  } catch (error) {
    await server.close();
    await log.close();
    throw error;
  }
}
