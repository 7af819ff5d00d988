/** The embedded facts: DuckDB in a child process. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { NO_DINING_OPTION, NO_REVENUE_CENTER, NO_SOURCE } from '../contract/words.ts';
import { loadStatements } from '../sql.ts';
import { columnsOf } from './columns.ts';
import type { Facts, GatherQuery, MergeCounts, Reference, Spool } from './facts.ts';
import { startEngine } from './process.ts';
import type { Row, Step, Value } from './protocol.ts';

export interface DuckdbFacts extends Facts {
  /** The engine's process, for those who watch it. */
  enginePid(): number;
}

const SQL = {
  ...loadStatements(new URL('./merge.sql', import.meta.url)),
  ...loadStatements(new URL('./reference.sql', import.meta.url)),
  ...loadStatements(new URL('./gather.sql', import.meta.url)),
};

/** A load is as long as its body: this only keeps a stuck one from holding up all others for ever. */
const MERGE_MS = 15 * 60_000;
const REFERENCE_MS = 30_000;

function step(name: string, values?: Record<string, Value>): Step {
  const sql = SQL[name];
  if (sql === undefined) throw new Error(`no statement ${name}`);
  return values ? { sql, values } : { sql };
}

/** Opens the facts of a folder, making it where it is missing. `readable` are folders that the engine may use besides. */
export async function openDuckdbFacts(options: {
  folder: string;
  memoryMb: number;
  readable?: string[];
  log?: Logger;
}): Promise<DuckdbFacts> {
  const { folder, memoryMb, readable = [], log } = options;
  const engine = await startEngine({ folder, memoryMb, readable, log });

  async function merge(restaurant: number, spool: Spool): Promise<MergeCounts> {
    const steps = spool.kind === 'orders' ? orderSteps(restaurant, spool.folder) : shiftSteps(restaurant, spool.folder);
    const rows = await engine.run(['write'], steps, { deadlineMs: MERGE_MS }, true);
    const counts = rows.at(-1)?.[0];
    return { accepted: Number(counts?.accepted), unchanged: Number(counts?.unchanged) };
  }

  async function reference(restaurant: number): Promise<Reference> {
    const [rows = []] = await engine.run(['quick'], [step('names', { restaurant })], { deadlineMs: REFERENCE_MS });
    return referenceOf(rows);
  }

  return {
    merge,
    reference,
    async putReference(restaurant, lists) {
      const steps = Object.entries(namesOf(lists)).flatMap(([kind, rows]) => [
        step('deleteNames', { restaurant, kind }),
        step('insertNames', { restaurant, kind, rows: JSON.stringify(rows) }),
      ]);
      const rows = await engine.run(
        ['write'],
        [...steps, step('names', { restaurant })],
        { deadlineMs: REFERENCE_MS },
        true,
      );
      return referenceOf(rows.at(-1) ?? []);
    },
    async gather(query, parquet, bounds) {
      const steps = [step('now'), step(query.kind, gatherValues(query, parquet))];
      const [now, copied] = await engine.run(['gather-1', 'gather-2'], steps, bounds, true);
      return { rows: Number(copied?.[0]?.Count), asOf: Number(now?.[0]?.as_of) };
    },
    async render(parquet, form, json, bounds) {
      const columns = columnsOf(form).join(', ');
      const sql = `copy (select ${columns} from read_parquet($parquet)) to $json (format json, array true)`;
      const [copied] = await engine.run(['quick'], [{ sql, values: { parquet, json } }], bounds);
      // DuckDB writes an empty array over three lines.
      if (Number(copied?.[0]?.Count) === 0) await writeFile(json, '[]');
    },
    async ping(deadlineMs) {
      await engine.run(['quick'], [step('ping')], { deadlineMs });
    },
    enginePid: () => engine.pid(),
    close: () => engine.close(),
  };
}

function orderSteps(restaurant: number, folder: string): Step[] {
  return [
    step('readOrders', { file: join(folder, 'orders.ndjson') }),
    step('findOrders', { restaurant }),
    step('judgeOrders'),
    step('deleteOrders', { restaurant }),
    step('deleteChecks', { restaurant }),
    step('insertOrders', { restaurant }),
    step('insertChecks', { restaurant, file: join(folder, 'checks.ndjson') }),
    step('counts'),
  ];
}

function shiftSteps(restaurant: number, folder: string): Step[] {
  return [
    step('readShifts', { file: join(folder, 'shifts.ndjson') }),
    step('findShifts', { restaurant }),
    step('judgeShifts'),
    step('deleteShifts', { restaurant }),
    step('insertShifts', { restaurant }),
    step('counts'),
  ];
}

function gatherValues(query: GatherQuery, file: string): Record<string, Value> {
  const shared = {
    restaurants: JSON.stringify(query.restaurants),
    start: query.startDate,
    end: query.endDate,
    noDining: NO_DINING_OPTION,
    noRevenue: NO_REVENUE_CENTER,
    file,
  };
  if (query.kind === 'check') return shared;
  const hour = query.aggregate === 'HOUR';
  return {
    ...shared,
    noSource: NO_SOURCE,
    dining: query.groups.includes('DINING_OPTION'),
    revenue: query.groups.includes('REVENUE_CENTER'),
    source: query.groups.includes('ORDER_SOURCE'),
    hour,
    hourFirst: hour && query.groups.length === 2,
  };
}

interface NameRow {
  guid: string;
  name?: string | null;
  last_name?: string | null;
  wage_frequency?: string | null;
  excluded?: boolean | null;
}

/** GUIDs are matched in lower case, as ingest writes those of orders. */
function namesOf(lists: Partial<Reference>): Record<string, NameRow[]> {
  const named = (list: { guid: string; name: string }[]): NameRow[] =>
    list.map(({ guid, name }) => ({ guid: guid.toLowerCase(), name }));
  return {
    ...(lists.diningOptions ? { dining: named(lists.diningOptions) } : {}),
    ...(lists.revenueCenters ? { revenue: named(lists.revenueCenters) } : {}),
    ...(lists.employees
      ? {
          employee: lists.employees.map(({ guid, firstName, lastName }) => ({
            guid: guid.toLowerCase(),
            name: firstName,
            last_name: lastName,
          })),
        }
      : {}),
    ...(lists.jobs
      ? {
          job: lists.jobs.map(({ guid, title, wageFrequency, excludeFromReporting }) => ({
            guid: guid.toLowerCase(),
            name: title,
            wage_frequency: wageFrequency,
            excluded: excludeFromReporting,
          })),
        }
      : {}),
  };
}

function referenceOf(rows: Row[]): Reference {
  const of = (kind: string): NameRow[] => rows.filter((row) => row.kind === kind) as unknown as NameRow[];
  const named = (kind: string) => of(kind).map(({ guid, name }) => ({ guid, name: name ?? '' }));
  return {
    diningOptions: named('dining'),
    revenueCenters: named('revenue'),
    employees: of('employee').map(({ guid, name, last_name }) => ({
      guid,
      firstName: name ?? '',
      lastName: last_name ?? '',
    })),
    jobs: of('job').map(({ guid, name, wage_frequency, excluded }) => ({
      guid,
      title: name ?? '',
      wageFrequency: wage_frequency ?? null,
      excludeFromReporting: excluded ?? false,
    })),
  };
}
