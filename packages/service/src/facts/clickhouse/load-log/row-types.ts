/** The columns that the statements of the load log return, by the names of the statements. */
import { list, maybe, row, rowReaders, text, whole } from '../../duckdb/row-readers.ts';

const loads = row({ loads: whole });

export const LOG_ROW_TYPES = {
  // Place and load are null if no lease was taken.
  begin: row({ index: maybe(whole), load: maybe(whole), now: whole }),
  seen: row({
    last_load: whole,
    forgotten: whole,
    not_committed: list(whole),
    promotion: maybe(whole),
    promoted: maybe(text),
    not_published: list(whole),
    now: whole,
  }),
  commit: loads,
  abort: loads,
  committed: loads,
  toSweep: row({ load: whole }),
  renew: row({ loads: whole, now: whole }),
  nextPromotion: row({ promotion: whole, now: whole }),
  toRetire: row({ promotion: whole, snapshot: text }),
  losePromotions: row({ promotion: whole }),
  since: row({ restaurant_id: whole }),
  last: row({ last_load: whole, last_promotion: whole, version: whole }),
  counted: row({
    load: whole,
    restaurant_id: whole,
    group_load: maybe(whole),
    row_count: maybe(whole),
    committed_at: whole,
  }),
  ping: row({ one: whole }),
};
export type LogStatement = keyof typeof LOG_ROW_TYPES;
export type LogRow<Name extends LogStatement> = ReturnType<(typeof LOG_ROW_TYPES)[Name]>;

export const { rowsOf: logRowsOf, rowOf: logRowOf } = rowReaders(LOG_ROW_TYPES);
