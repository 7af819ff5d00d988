/** How the records of each kind of load are stored: what differs between them in a merge. */
import { type LoadKind, ORDER_PARTS, type OrderPart } from '../facts.ts';

export interface StoredKind {
  /** The column of a record's GUID. */
  key: string;
  /** The column of its date. */
  date: string;
  parts: readonly OrderPart[];
  /** Statements of merge.sql. */
  read: string;
  find: string;
  /** What is added up of it, `count` being the column that is 0 where nothing is left; nothing of settlements. */
  sheets?: { table: 'sheets' | 'labour_sheets'; count: string; redo: string };
}

export const STORED_KINDS: Record<LoadKind, StoredKind> = {
  orders: {
    ...{ key: 'order_guid', date: 'business_date', parts: ORDER_PARTS, read: 'readOrders', find: 'findOrders' },
    sheets: { table: 'sheets', count: 'kept', redo: 'redoSheets' },
  },
  shifts: {
    ...{ key: 'entry_guid', date: 'business_date', parts: [], read: 'readShifts', find: 'findRecords' },
    sheets: { table: 'labour_sheets', count: 'entries', redo: 'redoLabourSheets' },
  },
  settlements: {
    ...{ key: 'settlement_guid', date: 'settled_date', parts: [], read: 'readSettlements', find: 'findRecords' },
  },
};

/** The tables of all records and parts, each of which has one of the versions that were replaced. */
export const FACT_TABLES: readonly string[] = [...Object.keys(STORED_KINDS), ...ORDER_PARTS];
