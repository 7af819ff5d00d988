/** Reads and appends rows of the engine's tables, without a statement for each row. */
import {
  type DuckDBConnection,
  DuckDBDataChunk,
  DuckDBListType,
  DuckDBStructType,
  type DuckDBType,
  DuckDBTypeId,
  DuckDBUUIDValue,
  type DuckDBValue,
  listValue,
  structValue,
} from '@duckdb/node-api';
import { checkedGuid, checkedInteger } from './checked.ts';

/** A row by column name, with values as the engine or JSON represents them. */
export type TableRow = Readonly<Record<string, unknown>>;

interface Columns {
  names: string[];
  types: DuckDBType[];
}

/** The most rows that an appended chunk may have. */
const CHUNK_ROWS = 2048;
const WHOLE: Partial<Record<DuckDBTypeId, [number, number]>> = {
  [DuckDBTypeId.TINYINT]: [-128, 127],
  [DuckDBTypeId.INTEGER]: [-(2 ** 31), 2 ** 31 - 1],
  [DuckDBTypeId.UINTEGER]: [0, 2 ** 32 - 1],
};

/** Converts a JSON value to the engine's; a value of the engine is unchanged. Throws TypeError if the type has no such value. */
function engineValue(value: unknown, type: DuckDBType): DuckDBValue {
  if (value === null || value === undefined) return null;
  const range = WHOLE[type.typeId];
  if (range) {
    const number = checkedInteger(value);
    if (number >= range[0] && number <= range[1]) return number;
  } else if (type.typeId === DuckDBTypeId.BIGINT) {
    const number = typeof value === 'bigint' ? value : BigInt(checkedInteger(value));
    if (BigInt.asIntN(64, number) === number) return number;
  } else if (type.typeId === DuckDBTypeId.VARCHAR && typeof value === 'string') return value;
  else if (type.typeId === DuckDBTypeId.BOOLEAN && typeof value === 'boolean') return value;
  else if (type.typeId === DuckDBTypeId.UUID) {
    if (value instanceof DuckDBUUIDValue) return value;
    return DuckDBUUIDValue.fromUint128(BigInt(`0x${checkedGuid(value).replaceAll('-', '')}`));
  } else if (type instanceof DuckDBListType) {
    if (!Array.isArray(value)) return value as DuckDBValue;
    return listValue(value.map((item) => engineValue(item, type.valueType)));
  } else if (type instanceof DuckDBStructType && typeof value === 'object') {
    const fields = value as Record<string, unknown>;
    const entries = type.entryNames.map((name, i) => [
      name,
      engineValue(fields[name], type.entryTypes[i] as DuckDBType),
    ]);
    return structValue(Object.fromEntries(entries));
  }
  throw new TypeError(`${JSON.stringify(value)} is no ${type}`);
}

export interface TableRows {
  /** Runs statements; returns nothing. */
  run(sql: string): Promise<void>;
  /** The rows of the last statement. */
  read(sql: string): Promise<TableRow[]>;
  /** Missing columns are null. Throws if a value does not fit; the transaction must then be rolled back. */
  append(table: string, rows: readonly TableRow[]): Promise<void>;
}

/** Works on one connection, in its current transaction. The columns of a table are read once. */
export function openRows(connection: DuckDBConnection): TableRows {
  const known = new Map<string, Columns>();

  async function columnsOf(table: string): Promise<Columns> {
    const columns = known.get(table);
    if (columns) return columns;
    const result = await connection.run(`select * from ${table} limit 0`);
    const read = { names: result.columnNames(), types: [...result.columnTypes()] };
    known.set(table, read);
    return read;
  }

  return {
    async run(sql) {
      await connection.run(sql);
    },
    async read(sql) {
      return (await connection.runAndReadAll(sql)).getRowObjects();
    },
    async append(table, rows) {
      if (rows.length === 0) return;
      const { names, types } = await columnsOf(table);
      const appender = await connection.createAppender(table);
      try {
        for (let from = 0; from < rows.length; from += CHUNK_ROWS) {
          const some = rows.slice(from, from + CHUNK_ROWS);
          const chunk = DuckDBDataChunk.create(types, some.length);
          for (const [i, type] of types.entries()) {
            const name = names[i] ?? '';
            chunk.setColumnValues(
              i,
              some.map((row) => engineValue(row[name], type)),
            );
          }
          appender.appendDataChunk(chunk);
        }
        appender.flushSync();
      } finally {
        appender.closeSync();
      }
    },
  };
}
