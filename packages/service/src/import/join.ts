/** Joins the rows of a day's files by order. An order is taken completely or not at all. */

import { type CsvRow, type CsvTable, FileProblem } from './csv-table.ts';
import type {
  CHECK_COLUMNS,
  Columns,
  FileName,
  ITEM_COLUMNS,
  MODIFIER_COLUMNS,
  ORDER_COLUMNS,
  PAYMENT_COLUMNS,
} from './file-columns.ts';
import type { Tally } from './file-tally.ts';

type OrderRow = CsvRow<typeof ORDER_COLUMNS>;
export type CheckRow = CsvRow<typeof CHECK_COLUMNS>;
export type PaymentRow = CsvRow<typeof PAYMENT_COLUMNS>;
export type ItemRow = CsvRow<typeof ITEM_COLUMNS>;
export type ModifierRow = CsvRow<typeof MODIFIER_COLUMNS>;

/** The tables of the files that exist. */
export interface OrderTables {
  OrderDetails?: CsvTable<typeof ORDER_COLUMNS>;
  CheckDetails?: CsvTable<typeof CHECK_COLUMNS>;
  PaymentDetails?: CsvTable<typeof PAYMENT_COLUMNS>;
  ItemSelectionDetails?: CsvTable<typeof ITEM_COLUMNS>;
  ModifiersSelectionDetails?: CsvTable<typeof MODIFIER_COLUMNS>;
}

export interface CheckDraft {
  /** The Check Id. */
  id: string;
  row: CheckRow | undefined;
  items: ItemRow[];
  modifiers: ModifierRow[];
  payments: PaymentRow[];
}

/** What the files contain about one order. */
export interface Draft {
  /** The Order Id. */
  id: string;
  row: OrderRow | undefined;
  /** By Check Id, in the order in which they occur in the files. */
  checks: Map<string, CheckDraft>;
  /** Every row of the order, readable or not. */
  rows: { tally: Tally; line: number }[];
  /** One of its rows could not be read, so it is not loaded. */
  stopped: boolean;
}

export type Tallies = Record<FileName, Tally>;

/** A row that cannot be read and may belong to any order, so that it is unknown which order is incomplete. */
export class LostRow extends FileProblem {
  readonly file: FileName;
  constructor(file: FileName, row: { line: number; problem: string | undefined }) {
    super(`${row.problem}; the order of this row is unknown`, row.line);
    this.file = file;
  }
}

/** Refuses a row of no order of the day. Throws LostRow if it cannot be read and its order is not known for certain. */
function refuseOther(
  row: { line: number; problem: string | undefined; isWhole: boolean },
  id: string | undefined,
  tally: Tally,
): void {
  if (row.problem !== undefined && (id === undefined || !row.isWhole)) throw new LostRow(tally.file, row);
  tally.refuse(
    row.line,
    `${row.problem === undefined ? '' : `${row.problem}; `}order ${id} is not among the orders of the day`,
  );
}

const TWICE = 'the same row appears twice';
const NOT_LOADED = 'of an order that is not loaded';

/**
 * The orders of a day that can be loaded. Everything else is noted in the tallies, with the reason. Throws LostRow.
 */
export function joinDay(tables: OrderTables, tallies: Tallies): Draft[] {
  const joined: Joined = { drafts: new Map(), owners: new Map() };
  const { drafts, owners } = joined;
  const { OrderDetails: orders, ItemSelectionDetails: items, PaymentDetails: payments, CheckDetails: checks } = tables;
  if (orders) addOrders(orders, tallies.OrderDetails, drafts);
  // Without OrderDetails the orders are derived from the items; without items, from the payments.
  if (items)
    addParts(items, tallies.ItemSelectionDetails, joined, {
      isFirst: !orders,
      keyOf: itemKey,
      add: (check, row) => check.items.push(row),
    });
  const isFirst = !orders && !items;
  if (payments)
    addParts(payments, tallies.PaymentDetails, joined, {
      isFirst,
      keyOf: paymentKey,
      add: (check, row) => check.payments.push(row),
    });
  if (checks) addChecks(checks, tallies.CheckDetails, drafts, owners);
  const { ModifiersSelectionDetails: modifiers } = tables;
  if (modifiers) addModifiers(modifiers, tallies.ModifiersSelectionDetails, drafts);
  for (const draft of drafts.values()) if (draft.stopped) skipRows(draft);
  return [...drafts.values()].filter((draft) => !draft.stopped);
}

/** Notes for every row of an order that it was skipped, unless it has a note already. */
export function skipRows(draft: Draft): void {
  for (const { tally, line } of draft.rows) tally.skip(line, NOT_LOADED);
}

/** Skips a whole order because of one of its rows. */
export function stopOrder(draft: Draft, message: string): void {
  const [first] = draft.rows;
  draft.stopped = true;
  first?.tally.refuse(first.line, message);
  skipRows(draft);
}

function newDraft(id: string): Draft {
  return { id, row: undefined, checks: new Map(), rows: [], stopped: false };
}

/**
 * Whether the key is new. A row with a known key is skipped if it is a repetition; otherwise its order is not loaded.
 */
function isNew<C extends Columns>(
  seen: Map<string, CsvRow<C>>,
  key: string,
  row: CsvRow<C>,
  tally: Tally,
  draft: Draft,
): boolean {
  const before = seen.get(key);
  if (before === undefined) {
    seen.set(key, row);
    return true;
  }
  if (before.text === row.text) {
    tally.skip(row.line, TWICE);
  } else {
    tally.refuse(row.line, `line ${before.line} has the same id and other values`);
    draft.stopped = true;
  }
  return false;
}

function addOrders(table: CsvTable<typeof ORDER_COLUMNS>, tally: Tally, drafts: Map<string, Draft>): void {
  const seen = new Map<string, OrderRow>();
  for (const row of table.rows) {
    const id = row.values.order;
    if (row.problem !== undefined) tally.refuse(row.line, row.problem);
    if (id === undefined) continue;
    const draft = drafts.get(id) ?? newDraft(id);
    drafts.set(id, draft);
    draft.rows.push({ tally, line: row.line });
    if (row.problem !== undefined) draft.stopped = true;
    else if (isNew(seen, id, row, tally, draft)) draft.row = row;
  }
}

const itemKey = ({ values, line }: ItemRow): string => `${values.check}/${values.item ?? `line ${line}`}`;
const paymentKey = ({ values, line }: PaymentRow): string => `${values.check}/${values.payment ?? `line ${line}`}`;

/** The orders of the day by their ids, and the order of each check by the id of the check. */
interface Joined {
  drafts: Map<string, Draft>;
  owners: Map<string, Draft>;
}

interface Parts<Row> {
  /** No file before this one names the orders, so its rows create them. */
  isFirst: boolean;
  /** Rows with the same key are the same part. */
  keyOf(row: Row): string;
  add(check: CheckDraft, row: Row): void;
}

/** Adds items or payments: rows that name their order and their check. */
function addParts<C extends typeof ITEM_COLUMNS | typeof PAYMENT_COLUMNS>(
  table: CsvTable<C>,
  tally: Tally,
  { drafts, owners }: Joined,
  { isFirst, keyOf, add }: Parts<CsvRow<C>>,
): void {
  const seen = new Map<string, CsvRow<C>>();
  for (const row of table.rows) {
    const { order: id, check } = row.values as { order: string | undefined; check: string | undefined };
    if (isFirst && id !== undefined && !drafts.has(id)) drafts.set(id, newDraft(id));
    const draft = id === undefined ? undefined : drafts.get(id);
    if (draft === undefined) {
      refuseOther(row, id, tally);
      continue;
    }
    if (row.problem !== undefined) tally.refuse(row.line, row.problem);
    draft.rows.push({ tally, line: row.line });
    if (row.problem !== undefined) draft.stopped = true;
    if (check === undefined) continue;
    const owner = owners.get(check) ?? draft;
    owners.set(check, owner);
    if (owner !== draft) {
      tally.refuse(row.line, `check ${check} is of order ${owner.id} too`);
      owner.stopped = true;
      draft.stopped = true;
      continue;
    }
    if (row.problem === undefined && isNew(seen, keyOf(row), row, tally, draft)) add(checkOf(draft, check), row);
  }
}

function checkOf(draft: Draft, id: string): CheckDraft {
  let check = draft.checks.get(id);
  if (check === undefined) {
    check = { id, row: undefined, items: [], modifiers: [], payments: [] };
    draft.checks.set(id, check);
  }
  return check;
}

/**
 * CheckDetails does not name orders: a check belongs to the order whose items or payments name it, otherwise to the one
 * that lists its number.
 */
function addChecks(
  table: CsvTable<typeof CHECK_COLUMNS>,
  tally: Tally,
  drafts: Map<string, Draft>,
  owners: Map<string, Draft>,
): void {
  const byNumber = new Map<string, Draft[]>();
  for (const draft of drafts.values()) {
    for (const number of new Set(draft.row?.values.checks)) {
      const numbered = byNumber.get(number);
      if (numbered) numbered.push(draft);
      else byNumber.set(number, [draft]);
    }
  }
  const seen = new Map<string, CheckRow>();
  for (const row of table.rows) {
    const { check: id, number } = row.values;
    const numbered = byNumber.get(number ?? '') ?? [];
    const draft = owners.get(id ?? '') ?? (numbered.length === 1 ? numbered[0] : undefined);
    if (row.problem !== undefined) {
      if (draft === undefined) throw new LostRow(tally.file, row);
      tally.refuse(row.line, row.problem);
    }
    if (draft === undefined) {
      const why =
        numbered.length > 1 ? `number ${number} is of ${numbered.length} orders` : 'no order of the day names it';
      tally.refuse(row.line, `the order of check ${id} is unknown: ${why}`);
      continue;
    }
    draft.rows.push({ tally, line: row.line });
    if (row.problem !== undefined || id === undefined) draft.stopped = true;
    else if (isNew(seen, id, row, tally, draft)) {
      owners.set(id, draft);
      checkOf(draft, id).row = row;
    }
  }
}

/** Modifiers belong to items, or to other modifiers, of the check that they name. Throws LostRow. */
function addModifiers(table: CsvTable<typeof MODIFIER_COLUMNS>, tally: Tally, drafts: Map<string, Draft>): void {
  const seen = new Map<string, ModifierRow>();
  const known = new Set<string>();
  const keyOf = (check: string | undefined, selection: string | undefined): string => `${check}/${selection}`;
  for (const { checks } of drafts.values()) {
    for (const { id, items } of checks.values()) for (const { values } of items) known.add(keyOf(id, values.item));
  }
  for (const { values } of table.rows) known.add(keyOf(values.check, values.selection));
  for (const row of table.rows) {
    const { order, check, parent, selection } = row.values;
    const draft = drafts.get(order ?? '');
    const of = draft?.checks.get(check ?? '');
    const key = keyOf(check, selection ?? `line ${row.line}`);
    if (row.problem !== undefined) {
      if (draft === undefined) refuseOther(row, order, tally);
      else {
        tally.refuse(row.line, row.problem);
        draft.stopped = true;
      }
    } else if (!draft || !of || parent === undefined || !known.has(keyOf(check, parent))) {
      tally.skip(row.line, 'of an item that is not among the items of the day');
    } else {
      draft.rows.push({ tally, line: row.line });
      if (isNew(seen, key, row, tally, draft)) of.modifiers.push(row);
    }
  }
}
