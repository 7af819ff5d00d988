/** What keeps the facts on ClickHouse whole: verifying, rebuilding, identity. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { type Bounds, EngineGone } from '../bounds.ts';
import type { Step } from '../duckdb/protocol.ts';
import { part, SHEET_TABLES, SHEETS, type SheetTable, step } from '../duckdb/steps.ts';
import { faultOf } from '../duckdb/stored-facts.ts';
import type { FactsStore, SheetFault } from '../facts.ts';
import { nodeText } from './fetched.ts';
import { holding, type LoadedParts } from './loaded-facts.ts';
import type { Seen } from './protocol.ts';
import { runLoads } from './protocol.ts';
import { ofDates, visible } from './reads.ts';
import { serverText } from './server.ts';
import { textOfSnapshot } from './snapshot.ts';
import { columnsOf, dateOf, FACT_TABLES, sheetColumns } from './tables.ts';

const IDENTITY_MS = 30_000;
const HIGHEST_MS = 5 * 60_000;
/** Faults that are named. */
const MOST_NAMED = 20;
/** Nobody loads all of the facts anew: restaurants have ids from 1. */
const ALL = 0;

interface Month {
  from: number;
  to: number;
}

/** `scratch` is a folder that the engine writes. */
export function storedFacts(parts: LoadedParts & { scratch: string; close(): Promise<void> }): FactsStore {
  const { server, log, merger, reports, coverage, scratch } = parts;

  /** The months that have anything: they are looked at one after the other. */
  async function months(deadlineMs: number): Promise<Month[]> {
    const tables = [...FACT_TABLES.filter((table) => dateOf(table) === 'business_date'), ...SHEET_TABLES];
    const texts = tables.map((table) => `select business_date from ${table} group by business_date`);
    const sql = serverText('months', { tables: texts.join(' union all ') });
    const rows = await server.rows(sql, { deadlineMs });
    return rows.map(({ month }) => ({ from: Number(month) * 100, to: Number(month) * 100 + 99 }));
  }

  /** Compares the sheets of a month with the facts; the rows of each kind's faults. */
  async function compareMonth(month: Month, bounds: Bounds, seen: Seen): Promise<SheetFault[]> {
    const steps = SHEETS.flatMap(({ table, kept }) => [
      step('compare', undefined, { computed: part(table), kept: part(kept, { from: `all_${table}` }) }),
      step('faults'),
    ]);
    const answers = await reports.over(
      { steps, restaurants: undefined, ...month },
      { ...bounds, lanes: ['long'] },
      seen,
    );
    const places = serverText('missingPlaces', {
      dates: ofDates(month, 'business_date'),
      visible: visible(seen.snapshot),
    });
    const missing = (await server.rows(places, bounds)).map((row) => ({ ...row, days: 0 }));
    return [
      ...SHEETS.flatMap(({ sheet }, i) => faultOf(sheet, answers[2 * i + 1] ?? [])),
      ...faultOf(
        'order dates',
        missing.map((row) => ({ ...row, days: missing.length })),
      ),
    ];
  }

  /** Writes what the sheets of a month lack, as moves of a load; the files that are not empty. */
  async function differences(month: Month, load: number, folder: string, bounds: Bounds, seen: Seen) {
    const steps = SHEETS.map(({ table, kept }): Step => {
      const words = differenceWords(table, part(table), part(kept, { from: `all_${table}` }));
      return { sql: nodeText('differences', words), values: { load, file: join(folder, `${table}.parquet`) } };
    });
    const answers = await reports.over(
      { steps, restaurants: undefined, ...month },
      { ...bounds, lanes: ['long'] },
      seen,
    );
    return SHEETS.flatMap(({ table }, place) =>
      Number(answers[place]?.[0]?.Count) > 0 ? [[table, join(folder, `${table}.parquet`)] as const] : [],
    );
  }

  return {
    async verify(bounds) {
      const seen = await log.seen();
      const faults = new Map<SheetFault['sheet'], SheetFault>();
      for (const month of await months(bounds.deadlineMs)) {
        for (const { sheet, days, first } of await compareMonth(month, bounds, seen)) {
          const known = faults.get(sheet) ?? { sheet, days: 0, first: [] };
          const named = [...known.first, ...first].slice(0, MOST_NAMED);
          faults.set(sheet, { sheet, days: known.days + days, first: named });
        }
      }
      return [...faults.values()];
    },
    async rebuild(bounds) {
      for (const month of await months(bounds.deadlineMs)) {
        const folder = join(scratch, randomUUID());
        await mkdir(folder, { mode: 0o700 });
        try {
          await holding(parts, (holder) =>
            runLoads(log, { ...merger, find: async (seen: Seen) => seen }, holder, {
              entries: [{ restaurant: ALL, kind: 'rebuild' }],
              wanted: () => log.seen(),
              async merge(seen, { loads: [begun] }) {
                if (!begun) return undefined;
                const files = await differences(month, begun.load, folder, bounds, seen);
                return files.length === 0 ? undefined : { folder, files };
              },
            }),
          );
        } finally {
          await rm(folder, { recursive: true, force: true });
        }
      }
      coverage.forget();
    },
    async identity() {
      const [row] = await server.rows(serverText('identity'), { deadlineMs: IDENTITY_MS });
      return row && { id: String(row.id), epoch: String(row.epoch) };
    },
    identify: ({ id, epoch }) => server.run(serverText('identify'), { id, epoch }),
    async highest() {
      const { snapshot } = await log.seen();
      const sql = serverText('highest', { visible: visible(snapshot) });
      const [row] = await server.rows(sql, { deadlineMs: HIGHEST_MS });
      return { restaurantId: Number(row?.restaurant_id), snapshot: textOfSnapshot(snapshot) };
    },
    async backup() {
      throw new Error('facts on ClickHouse are backed up with the tools of PostgreSQL and ClickHouse');
    },
    async ping(deadlineMs) {
      await Promise.all([server.rows(serverText('ping'), { deadlineMs }), log.ping(deadlineMs)]).catch((error) => {
        throw error instanceof Error ? error : new EngineGone('the facts servers did not answer');
      });
    },
    close: parts.close,
  };
}

/** The words of what a sheet lacks: computed from the facts, less what is kept. */
function differenceWords(table: SheetTable, computed: string, kept: string): Record<string, string> {
  const { by, sums } = sheetColumns(table);
  const compared = Object.keys(sums).filter((name) => !(table === 'loaded_days' && /^load/.test(name)));
  const left = columnsOf(table).filter(({ name }) => name in sums && !compared.includes(name));
  return {
    by: by.join(', '),
    sums: [
      ...compared.map((name) => `sum(${name})::bigint as ${name}`),
      // When a day was loaded is not in the facts: it stays what it is.
      ...left.map(({ name }) => `0 as ${name}`),
    ].join(', '),
    negated: compared.map((name) => `-${name} as ${name}`).join(', '),
    some: compared.map((name) => `sum(${name}) <> 0`).join(' or '),
    computed,
    kept,
  };
}
