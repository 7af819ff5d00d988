/** How the records of each kind of load are stored: the differences between them in a merge. */
import type { LoadKind } from '../load.ts';
import { ORDER_PARTS, type OrderPart } from '../order.ts';
import { COUNTING_ORDER, type Condition, type RollupTable } from '../rollups.ts';

interface StoredKind {
  /** The column of a record's GUID. */
  key: string;
  /** The column of its date. */
  date: string;
  parts: readonly OrderPart[];
  /** Which records count as loaded on their day. */
  included: Condition;
  /** Statements of merge.sql. */
  read: string;
  find: string;
  /** The rollups to which it is added, which every merge updates; none for settlements. */
  rollups: readonly RollupTable[];
}

export const STORED_KINDS: Record<LoadKind, StoredKind> = {
  orders: {
    key: 'order_guid',
    date: 'business_date',
    parts: ORDER_PARTS,
    read: 'readOrders',
    find: 'findOrders',
    included: COUNTING_ORDER,
    rollups: ['sheets', 'menu_sheets'],
  },
  shifts: {
    key: 'entry_guid',
    date: 'business_date',
    parts: [],
    read: 'readShifts',
    find: 'findRecords',
    included: { deleted: false },
    rollups: ['labour_sheets'],
  },
  settlements: {
    key: 'settlement_guid',
    date: 'settled_date',
    parts: [],
    read: 'readSettlements',
    find: 'findRecords',
    included: { deleted: false },
    rollups: [],
  },
};

/** The tables of all records and parts; each has a table of its replaced versions. */
export const FACT_TABLES: readonly string[] = [...Object.keys(STORED_KINDS), ...ORDER_PARTS];
