/**
 * The columns of the tables, read from schema.sql: reading the lines of an order's part, and the tables on ClickHouse,
 * follow from it.
 */
import { readFileSync } from 'node:fs';
import { orderDateOf } from '../order.ts';

export interface EngineColumn {
  name: string;
  /** The engine's type. */
  type: string;
  isNullable: boolean;
}

/** Splits at commas that are not in brackets. */
function splitColumns(text: string): string[] {
  const parts: string[] = [];
  let depth = 0;
  let from = 0;
  for (let at = 0; at <= text.length; at++) {
    const character = text[at] ?? ',';
    if (character === '(') depth++;
    else if (character === ')') depth--;
    else if (character === ',' && depth === 0) {
      parts.push(text.slice(from, at).trim());
      from = at + 1;
    }
  }
  return parts;
}

function readColumns(): Map<string, EngineColumn[]> {
  const schema = readFileSync(new URL('./schema.sql', import.meta.url), 'utf8');
  const tables = schema.matchAll(/^CREATE TABLE "?(\w+)"?\((.*)\);$/gm);
  return new Map(
    [...tables].map(([, table = '', list = '']) => [
      table,
      splitColumns(list).map((column) => {
        const [, name = '', type = ''] = /^"?(\w+)"? (.+?)(?: NOT NULL| DEFAULT\(.*\))?$/.exec(column) ?? [];
        return { name, type, isNullable: !column.endsWith('NOT NULL') };
      }),
    ]),
  );
}

/** By table. */
export const TABLE_COLUMNS: ReadonlyMap<string, readonly EngineColumn[]> = readColumns();

/** Columns of a part whose values come from the load or its order, besides the order's date. */
const GIVEN = new Set(['restaurant_id', 'order_guid', 'opened_at', 'load_id']);

/**
 * The fields of the lines of an order's part and their types, in the format of `columns` of read_json. Throws Error if
 * there is no such table.
 */
export function partFields(table: string): string {
  const columns = TABLE_COLUMNS.get(table);
  if (!columns) throw new Error(`no table ${table} in schema.sql`);
  const fields = columns
    .filter(({ name }) => !GIVEN.has(name) && name !== orderDateOf(table))
    .map(({ name, type }) => `${name}: '${type}'`);
  return `{ seq: 'BIGINT', ${fields.join(', ')} }`;
}
