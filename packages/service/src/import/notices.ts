/** Notices about files of a day that do not add up or lack what orders require: these are reported, never guessed. */
import type { Draft } from './join.ts';

/** The kinds of notices about orders that were loaded. */
const NOTICES = {
  charges:
    'Amount differs from the sum of the items: the rest is on no line of the export (service charges other than gratuities), and in no sales figure',
  items: 'a price before discounts less its discounts is not its net price',
  unsold:
    'there are no items: sales are 0 whatever the Amount, and refunds are left out so that net sales are not below 0',
  noChecks: 'no file names a check of it: it has no check record, and counts as closed',
  totals: 'the sum of the checks differs from the Amount and Tax of the order: the rest is on no check',
  noTotals: 'how the Amount is split over several checks is not known: checkTotalAmount has none of it in it',
  gratuity: 'the Gratuity of the order is not that of its payments: the rest is on no check',
  tip: 'how the Tip is split over several checks is not known: checkTipAmount is 0',
  earlier: 'an earlier folder of this import has it too: it is replaced, and counts on the date of this folder only',
} as const;

type NoticeKind = keyof typeof NOTICES;

export interface Notice {
  message: string;
  /** How many orders and time entries it is about, and the places of the first ones: `OrderDetails.csv:12`. */
  orders: number;
  timeEntries: number;
  first: string[];
  /** The sum of the differences, in currency units. */
  amount: number;
}

const MOST_PLACES = 5;

/** Where an order is in the files. */
export function placeOfDraft({ id, rows: [at] }: Draft): string {
  return at ? `${at.tally.file}.csv:${at.line}` : id;
}

export interface Notices {
  /** `cents`: the difference. */
  add(kind: NoticeKind, draft: Draft, cents: number): void;
  list(): Notice[];
}

/** Collects the notices about the orders of a day. */
export function createNotices(): Notices {
  const kept = new Map<NoticeKind, { drafts: Map<string, string>; cents: number }>();
  return {
    add(kind, draft, cents) {
      const notice = kept.get(kind) ?? { drafts: new Map<string, string>(), cents: 0 };
      notice.drafts.set(draft.id, placeOfDraft(draft));
      notice.cents += cents;
      kept.set(kind, notice);
    },
    list: () =>
      [...kept].map(([kind, { drafts, cents }]) => ({
        message: NOTICES[kind],
        orders: drafts.size,
        timeEntries: 0,
        first: [...drafts.values()].slice(0, MOST_PLACES),
        amount: cents / 100,
      })),
  };
}
