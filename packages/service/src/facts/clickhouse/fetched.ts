/** Facts fetched from ClickHouse, as views in the node's engine under the names that its statements use. */

import type { Step } from '../duckdb/protocol.ts';
import type { EngineColumn } from '../duckdb/schema.ts';
import { openSql } from '../duckdb/statements.ts';
import { columnsOf, isList } from './tables.ts';

/** Statements of node.sql, and parts of them, with constants substituted for their {words}. */
export const { statement: nodeText, fragment: nodePart } = openSql(new URL('./node.sql', import.meta.url));

/** A column of a fetched file, cast to the engine's type where ClickHouse's Parquet has another. */
export const fromServer = (column: EngineColumn): string => {
  const { name, type } = column;
  return `${isList(column) ? `${name}::json` : name}::${type} as "${name}"`;
};

/** A column of the engine, cast to the type that ClickHouse stores. */
export const toServer = (column: EngineColumn): string => {
  const { name, type } = column;
  if (isList(column)) return `to_json(${name})::varchar as "${name}"`;
  return type === 'UUID' ? `"${name}"::varchar as "${name}"` : `"${name}"`;
};

const quoted = (file: string): string => `'${file.replaceAll("'", "''")}'`;

/** The rows of some files of a table; no rows without files. */
export const rowsOfFiles = (table: string, files: readonly string[]): string =>
  files.length === 0 ? nodePart('noRows', { table }) : nodePart('rows', { files: files.map(quoted).join(', ') });

/**
 * Replaces a table by rows of a file; `columns` are those in the file, all of them columns of the table `schema`.
 * `where` selects rows by columns that the table may not have.
 */
export function viewStep(
  table: string,
  file: string,
  schema: string,
  columns: readonly string[],
  where?: string,
): Step {
  const known = columnsOf(schema).filter(({ name }) => columns.includes(name));
  const rows = rowsOfFiles(table, [file]);
  const words = { table, columns: known.map(fromServer).join(', '), rows: where ? `${rows} where ${where}` : rows };
  return { sql: nodeText('view', words) };
}
