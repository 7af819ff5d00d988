/**
 * What the statements of ClickHouse answer, and those of the node's engine over what was fetched: their columns, by the
 * names of the statements.
 */
import type { EngineRow } from '../duckdb/protocol.ts';
import { copied, row, rowReaders, text, whole, wholeRow } from '../duckdb/row-readers.ts';
import { LAST_DATE, LOADED, STORED_ORDER } from '../duckdb/row-types.ts';

/** Of server.sql. */
export const SERVER_ROW_TYPES = {
  shards: row({ shards: whole }),
  version: row({ version: whole }),
  identity: row({ id: text, epoch: text }),
  ping: row({ one: whole }),
  // These answer columns that the caller chooses of a table, most of them in a Parquet file.
  records: wholeRow,
  parts: wholeRow,
  sums: wholeRow,
  rollups: wholeRow,
  lists: wholeRow,
  changedRecords: wholeRow,
  // As an order is read; what loads may replace goes into a file as well.
  versions: row({ ...STORED_ORDER, load_id: whole }),
  found: row({ guid: text, restaurant_id: whole, business_date: whole, born: whole }),
  loaded: row(LOADED),
  lastDates: row(LAST_DATE),
  listsVersion: row({ restaurant_id: whole, lists_version: text }),
  highest: row({ restaurant_id: whole }),
  highestNumber: row({ number: whole }),
  rowsOfLoads: row({ load: whole, rows: whole }),
  slices: row({ month: whole, slice: whole }),
  missingPlaces: row({ restaurant_id: whole, business_date: whole }),
  deltas: row({ deltas: whole }),
  restaurantRows: row({ rows: whole }),
  filled: row({ name: text }),
  // move.ts reads them by the table that they are of.
  totals: wholeRow,
  placesByKind: row({ kind: text, rows: whole }),
};
export type ServerStatement = keyof typeof SERVER_ROW_TYPES;
export type ServerRow<Name extends ServerStatement> = ReturnType<(typeof SERVER_ROW_TYPES)[Name]>;

export const { rowsOf: serverRowsOf, rowOf: serverRowOf } = rowReaders(SERVER_ROW_TYPES);

/** Of node.sql and folder.sql. */
export const NODE_ROW_TYPES = {
  readGuids: row({ guid: text }),
  recordsOut: copied,
  partsOut: copied,
  placesOut: copied,
  rollupsOut: copied,
  listsOut: copied,
  differences: copied,
  lastLoad: row({ load_id: whole }),
  days: row({ day: whole, rows: whole }),
  totals: wholeRow,
};
type NodeRow<Name extends keyof typeof NODE_ROW_TYPES> = ReturnType<(typeof NODE_ROW_TYPES)[Name]>;
export type FolderDay = NodeRow<'days'>;

export const { rowsOf: nodeRowsOf, rowOf: nodeRowOf } = rowReaders(NODE_ROW_TYPES);

/** How many rows a statement wrote into a file; none where it was not run. */
export const copiedRows = ([answered]: readonly EngineRow[] = []): number => (answered ? copied(answered).Count : 0);
