/** The embedded facts: DuckDB in a child process. */
import type { Logger } from 'pino';
import { createFamilies, type Families } from '../../families/index.ts';
import type { Priority } from '../../nice.ts';
import { damaged } from '../../storage/folder-fault.ts';
import type { Facts } from '../facts.ts';
import { refusingRemoved } from '../removed.ts';
import { EngineRefused } from './engine-child.ts';
import type { FamilySql } from './families/family.ts';
import { FAMILY_SQL } from './families/index.ts';
import { loadedFacts } from './loaded-facts.ts';
import { factsFile } from './place.ts';
import { type EngineProcess, startEngine } from './process.ts';
import { recordFacts } from './record-facts.ts';
import { referenceFacts } from './reference-facts.ts';
import { ownReports, reportFacts } from './report-facts.ts';
import { openRowGroups } from './row-groups.ts';
import { storedFacts } from './stored-facts.ts';

export interface DuckdbFacts extends Facts {
  /** For the move to servers, which reads whole tables. */
  engine: Pick<EngineProcess, 'run'>;
  /** The engine's process id, for monitoring. */
  enginePid(): number;
  /** How often the engine was restarted. */
  engineRestarts(): number;
}

/** What DuckDB says of a file that is cut or overwritten; its errors have no codes. */
const DAMAGE =
  /not a valid DuckDB database file|corrupt|could not read enough bytes|checksum|deserialize|replaying WAL/i;

/** Opens the facts of a folder, creating it if missing. `readable`: further folders that the engine may use. */
export async function openDuckdbFacts(options: {
  folder: string;
  memoryMb: number;
  priority?: Priority | undefined;
  readable?: string[];
  families?: Families;
  /** SQL of further families, in addition to those of the service. */
  familySql?: Record<string, FamilySql>;
  log?: Logger;
}): Promise<DuckdbFacts> {
  const { folder, memoryMb, priority, readable = [], families = createFamilies(), familySql, log } = options;
  const engine = await startEngine({ folder, memoryMb, priority, readable, log }).catch((error: Error) => {
    throw error instanceof EngineRefused && DAMAGE.test(error.message) ? damaged(factsFile(folder), error) : error;
  });
  const rowGroups = openRowGroups(engine, folder, { log });
  const { facts, coverage } = loadedFacts(engine, rowGroups);
  const stored = storedFacts(engine, folder, coverage);
  return refusingRemoved({
    ...facts,
    ...recordFacts(({ steps }, bounds) => engine.run(['quick'], steps, bounds, true)),
    ...referenceFacts(engine, coverage),
    ...reportFacts(ownReports(engine), families, { ...FAMILY_SQL, ...familySql }),
    ...stored,
    async close() {
      rowGroups.stop();
      await stored.close();
    },
    engine,
    enginePid: () => engine.pid(),
    engineRestarts: () => engine.restarts(),
  });
}
