/** The words with which the statements of rollups in rollups.sql and merge.sql become those of one rollup. */
import {
  type Condition,
  conditionText,
  ROLLUPS,
  type Rollup,
  type RollupSource,
  type RollupTable,
  sourcesOf,
} from '../rollups.ts';
import { TABLE_COLUMNS } from './schema.ts';

type Words = Record<string, string>;
type Sum = string | Condition;

const hasColumn = (table: RollupSource, column: string): boolean =>
  TABLE_COLUMNS.get(table)?.some(({ name }) => name === column) === true;
const hasAll = (table: RollupSource, sum: Sum): boolean =>
  (typeof sum === 'string' ? [sum] : Object.keys(sum)).every((column) => hasColumn(table, column));

/** The columns of a list of sums, each computed by an expression. */
const columns = (sums: Rollup['sums'], expressionOf: (sum: Sum, name: string) => string): string =>
  Object.entries(sums)
    .map(([name, sum]) => `${expressionOf(sum, name)} as ${name}`)
    .join(', ');

const isEvery = (condition: Condition): boolean => Object.keys(condition).length === 0;

const whereOf = (condition: Condition): string => (isEvery(condition) ? '' : `where ${conditionText(condition)}`);

/** The words of `rollup`: computed from the facts. {rows} are those of `rollupRows` for each table. */
export function computedWords(rollup: Rollup): { words: Words; rows: Words[] } {
  const tables = sourcesOf(rollup);
  const sumOf = (sum: Sum): string => {
    if (typeof sum !== 'string') return isEvery(sum) ? 'count(*)' : `count(*) filter (${conditionText(sum)})`;
    return tables.every((table) => hasColumn(table, sum)) ? `sum(${sum})::bigint` : `coalesce(sum(${sum}), 0)::bigint`;
  };
  return {
    words: { by: rollup.by.join(', '), sums: columns(rollup.sums, sumOf) },
    rows: tables.map((table) => ({ table, where: whereOf(rollup.from[table] ?? {}) })),
  };
}

/** The words of `keptRollup`: from the stored rollups and what small loads add to them. */
export const keptWords = ({ by, sums, count }: Rollup): Words => ({
  by: by.join(', '),
  sums: columns(sums, (_, name) => `sum(${name})::bigint`),
  count,
});

/** What a row adds to a sum, times its sign; `0` if its table lacks the columns. */
function signed(table: RollupSource, sum: Sum): string {
  if (!hasAll(table, sum)) return '0';
  if (typeof sum === 'string') return `sign * ${sum}`;
  return isEvery(sum) ? 'sign' : `sign * (${conditionText(sum)})::int`;
}

/**
 * The words of `redoRollup`, from the rows that a load adds and replaces, each with a sign: of a record those of
 * `changedRecords`, of a part the table `moved_{table}`. {deltas} are those of `deltaRows` for each table.
 */
export function redoWords(table: RollupTable): { words: Words; deltas: Words[]; changed: Words | undefined } {
  const rollup = ROLLUPS[table];
  // The restaurant is that of the load.
  const by = rollup.by.filter((column) => column !== 'restaurant_id').join(', ');
  const rows = sourcesOf(rollup).map((of) => {
    const counts = rollup.from[of] ?? {};
    const isRecord = of === 'orders' || of === 'shifts' || of === 'settlements';
    return { of, counts, isRecord, from: isRecord ? 'changed' : `moved_${of}` };
  });
  const record = rows.find(({ isRecord }) => isRecord);
  return {
    words: {
      table,
      by,
      sums: columns(rollup.sums, (_, name) => `sum(${name})`),
      dates: rows.map(({ from }) => `select business_date from ${from}`).join(' union all '),
    },
    deltas: rows.map(({ of, from, counts, isRecord }) => ({
      from,
      by,
      sums: columns(rollup.sums, (sum) => signed(of, sum)),
      // Rows of `changed` all count.
      where: isRecord ? '' : whereOf(counts),
    })),
    changed: record && { counted: conditionText(record.counts) },
  };
}
