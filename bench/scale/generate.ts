/** Bench data as Parquet, of any size: the same shape always gives the same rows in the same order. */
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { type DuckDBConnection, DuckDBInstance } from '@duckdb/node-api';
import { loadStatements } from '../../packages/service/src/storage/sql.ts';
import {
  COMBINATIONS,
  EMPLOYEES,
  FIRST_DATE,
  FIRST_HOUR,
  HOURS,
  nameGuid,
  reference,
  type Shape,
  sourceName,
  TIME_ZONES,
  WEEKDAYS,
} from './shape.ts';

export type Table = 'orders' | 'checks' | 'shifts' | 'lines';
/** Lines come last: what they add to the file is measured. */
export const tablesOf = ({ hasLines }: Shape): readonly Table[] =>
  hasLines ? ['orders', 'checks', 'shifts', 'lines'] : ['orders', 'checks', 'shifts'];

const SQL = loadStatements(new URL('./generate.sql', import.meta.url));
/** Orders that have two checks, in a hundred. */
const SPLIT = 5;
/** Days of one file: some 8 million checks at the largest size. */
const DAYS_PER_FILE = 32;

const textList = (values: readonly string[]): string => `[${values.map((value) => `'${value}'`).join(', ')}]`;

/** Constants for the statements' `$` names. All are of this folder. */
function wordsOf(shape: Shape): Record<string, string> {
  const { jobs } = reference();
  const kinds = COMBINATIONS.flatMap(([percent, dining, revenue, source]) =>
    Array.from(
      { length: percent },
      () =>
        `{dining: '${nameGuid('dining', dining)}', revenue: '${nameGuid('revenue', revenue)}', source: '${sourceName(source)}'}`,
    ),
  );
  // In fifths of a percent, since the last hours have less than one.
  const hours = HOURS.flatMap((percent, i) => Array.from({ length: Math.round(percent * 5) }, () => FIRST_HOUR + i));
  return {
    seed: String(shape.seed),
    first: String(FIRST_DATE),
    days: String(shape.days),
    restaurants: String(shape.restaurants),
    ordersPerDay: String(shape.checksPerDay / (1 + SPLIT / 100)),
    shiftsPerDay: String(shape.shiftsPerDay),
    zones: textList(TIME_ZONES),
    weekdays: `[${WEEKDAYS.join(', ')}]`,
    hours: `[${hours.join(', ')}]`,
    combinations: `[${kinds.join(', ')}]`,
    employees: textList(Array.from({ length: EMPLOYEES }, (_, i) => nameGuid('employee', i + 1))),
    jobs: textList(jobs.map(({ guid }) => guid)),
  };
}

/** Statements with the words in the place of their `$` names; throws where one has others. */
function statement(names: readonly string[], words: Record<string, string>): string {
  return names
    .map((name) => SQL[name] ?? '')
    .join('\n')
    .replaceAll(/\$(\w+)/g, (_, word: string) => {
      const value = words[word];
      if (value === undefined) throw new Error(`${names} needs ${word}`);
      return value;
    });
}

const SELECTS: Record<Table, string[]> = {
  orders: ['orders', 'copyOrders'],
  checks: ['orders', 'copyChecks'],
  shifts: ['copyShifts'],
  lines: ['orders', 'copyLines'],
};

/** Writes the files of one table. */
async function copyTable(connection: DuckDBConnection, shape: Shape, table: Table, folder: string): Promise<void> {
  const words = wordsOf(shape);
  for (const name of ['draw', 'guid', 'plan']) await connection.run(statement([name], words));
  for (let from = 0; from < shape.days; from += DAYS_PER_FILE) {
    const range = { from: String(from), to: String(Math.min(from + DAYS_PER_FILE, shape.days) - 1) };
    const file = join(folder, `${table}-${String(from).padStart(4, '0')}.parquet`);
    const select = statement(SELECTS[table], { ...words, ...range });
    await connection.run(`copy (${select}) to '${file.replaceAll("'", "''")}' (format parquet, compression lz4_raw)`);
  }
}

/**
 * Writes `orders-*.parquet`, `checks-*.parquet`, `shifts-*.parquet` and, where the shape has them, `lines-*.parquet`
 * into a folder, with the columns of the facts.
 */
export async function generateParquet(shape: Shape, folder: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  await Promise.all(
    tablesOf(shape).map(async (table) => {
      // An engine of its own, with one thread, keeps the order of the rows without memory for it.
      const instance = await DuckDBInstance.create(':memory:', { threads: '1' });
      const connection = await instance.connect();
      try {
        await copyTable(connection, shape, table, folder);
      } finally {
        connection.closeSync();
        instance.closeSync();
      }
    }),
  );
}

/** The files of a table as SQL names them, in the order of their rows. */
export const filesOf = (table: Table, folder: string): string =>
  join(folder, `${table}-*.parquet`).replaceAll("'", "''");
