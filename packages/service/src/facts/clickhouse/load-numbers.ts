/**
 * Detects when the rows in ClickHouse and the load log in PostgreSQL are from different times. Backups of the two are
 * made one after the other, so after a restore either of them may know loads that the other does not.
 */
import type { Bounds } from '../bounds.ts';
import { DERIVED_TABLES } from '../duckdb/derived.ts';
import type { LostLoads } from '../facts.ts';
import { ORDER_PARTS } from '../order.ts';
import type { CountedLoad, Highest, PostgresLog } from './load-log/postgres-log.ts';
import type { Added } from './merge.ts';
import { integers } from './reads.ts';
import { type Server, serverPart } from './server.ts';
import { FACT_TABLES, LIST_TABLES, promotedOf } from './tables.ts';

/** The column with the number of the load that wrote a row. */
const loadColumn = (table: string): string => ((ORDER_PARTS as readonly string[]).includes(table) ? 'born' : 'load');
/** Tables whose rows are counted in the load log. */
const COUNTED: readonly string[] = [...FACT_TABLES, 'places', ...LIST_TABLES];

async function highestIn(
  server: Server,
  tables: readonly (readonly [table: string, column: string])[],
): Promise<number> {
  const texts = tables.map(([table, column]) => serverPart('highestIn', { table, column }));
  const { number } = await server.row('highestNumber', { tables: texts.join(' union all ') });
  return number;
}

/** How many of the rows that a load adds are counted in the load log. */
export const countedRows = ({ files }: Pick<Added, 'files'>): number =>
  files.reduce((sum, [table, { rows }]) => sum + (COUNTED.includes(table) ? rows : 0), 0);

/** The highest load and promotion of any row, committed or not. Reads a column of every table. */
export async function highestNumbers(server: Server): Promise<Highest> {
  const loads = [...COUNTED, ...DERIVED_TABLES].map((table) => [table, loadColumn(table)] as const);
  const promotions = DERIVED_TABLES.map((table) => [promotedOf(table), 'promotion'] as const);
  return { load: await highestIn(server, loads), promotion: await highestIn(server, promotions) };
}

/**
 * Throws Error if ClickHouse has loads that the load log does not know. Almost every load writes rollups, which are
 * partitioned by load: the highest one is known without reading them.
 */
export async function refuseUnknown(server: Server, log: Pick<PostgresLog, 'last'>): Promise<void> {
  // First the rows, then the log, because a load has its number before it has rows.
  const highest = await highestIn(
    server,
    [...DERIVED_TABLES, ...LIST_TABLES].map((table) => [table, 'load'] as const),
  );
  const { load } = await log.last();
  if (highest <= load) return;
  throw new Error(
    `ClickHouse has rows of load ${highest}, and the last load that PostgreSQL knows is ${load}: PostgreSQL was restored from an older copy. Stop all nodes and run daypart migrate, which excludes such rows`,
  );
}

/** Committed loads that have fewer rows than they wrote, a few thousand at a time. */
export async function* lostLoads(
  server: Server,
  log: Pick<PostgresLog, 'counted'>,
  bounds: Bounds,
): AsyncGenerator<CountedLoad[]> {
  for (let after = 0; ; ) {
    const read = await log.counted(after);
    const last = read.at(-1);
    if (!last) return;
    // The last group may continue in the next batch, unless this is the last.
    const isEnd = (await log.counted(last.load)).length === 0;
    const loads = isEnd ? read : read.filter(({ group }) => group !== last.group);
    const to = loads.at(-1)?.load ?? last.load;
    yield await lostOf(server, loads, bounds);
    after = to;
  }
}

async function lostOf(server: Server, loads: readonly CountedLoad[], bounds: Bounds): Promise<CountedLoad[]> {
  const span = { from: integers([loads[0]?.load ?? 0]), to: integers([loads.at(-1)?.load ?? 0]) };
  const texts = COUNTED.map((table) => serverPart('rowsIn', { ...span, table, column: loadColumn(table) }));
  const found = await server.rows('rowsOfLoads', { tables: texts.join(' union all ') }, bounds);
  const rowsOf = new Map(found.map(({ load, rows }) => [load, rows]));
  return [...Map.groupBy(loads, ({ group }) => group).values()].flatMap((group) => {
    if (group.some(({ rows }) => rows === undefined)) return [];
    const wrote = group.reduce((sum, { rows = 0 }) => sum + rows, 0);
    const there = group.reduce((sum, { load }) => sum + (rowsOf.get(load) ?? 0), 0);
    return there < wrote ? group : [];
  });
}

/** A summary of what was lost; undefined if nothing was. */
export async function sumLost(all: AsyncIterable<CountedLoad[]>): Promise<LostLoads | undefined> {
  const restaurants = new Set<number>();
  let [loads, first, last] = [0, Number.POSITIVE_INFINITY, 0];
  for await (const some of all)
    for (const { restaurant, committedAt } of some) {
      loads++;
      restaurants.add(restaurant);
      [first, last] = [Math.min(first, committedAt), Math.max(last, committedAt)];
    }
  return loads === 0 ? undefined : { loads, restaurantIds: [...restaurants], first, last };
}
