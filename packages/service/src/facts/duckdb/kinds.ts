/** How the records of each kind of load are stored: the differences between them in a merge. */
import type { LoadKind } from '../load.ts';
import { ORDER_PARTS, type OrderPart } from '../order.ts';

export interface StoredKind {
  /** The column of a record's GUID. */
  key: string;
  /** The column of its date. */
  date: string;
  parts: readonly OrderPart[];
  /** Statements of merge.sql. */
  read: string;
  find: string;
  /** The rollups to which it is added; none for settlements. */
  sheets: readonly KeptSheets[];
}

/** Rollups that every merge updates. */
export interface KeptSheets {
  table: 'sheets' | 'menu_sheets' | 'labour_sheets';
  /** The records and parts from which they are made. */
  from: readonly (LoadKind | OrderPart)[];
  /** The column that is 0 if a rollup is empty. */
  count: string;
  /** Statement of merge.sql. */
  redo: string;
}

export const STORED_KINDS: Record<LoadKind, StoredKind> = {
  orders: {
    ...{ key: 'order_guid', date: 'business_date', parts: ORDER_PARTS, read: 'readOrders', find: 'findOrders' },
    sheets: [
      { table: 'sheets', from: ['orders', 'refunds'], count: 'kept', redo: 'redoSheets' },
      { table: 'menu_sheets', from: ['lines', 'refunds'], count: 'kept', redo: 'redoMenuSheets' },
    ],
  },
  shifts: {
    ...{ key: 'entry_guid', date: 'business_date', parts: [], read: 'readShifts', find: 'findRecords' },
    sheets: [{ table: 'labour_sheets', from: ['shifts'], count: 'entries', redo: 'redoLabourSheets' }],
  },
  settlements: {
    ...{ key: 'settlement_guid', date: 'settled_date', parts: [], read: 'readSettlements', find: 'findRecords' },
    sheets: [],
  },
};

/** The tables of all records and parts; each has a table of its replaced versions. */
export const FACT_TABLES: readonly string[] = [...Object.keys(STORED_KINDS), ...ORDER_PARTS];
