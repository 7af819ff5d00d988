/**
 * Orders (doc.toasttab.com/openapi/orders/operation/ordersBulkGet, doc.toasttab.com/doc/devguide/
 * apiOrdersGetDetailedInfoAboutMultipleOrders.html): pages by number over the set as it is at each call.
 */
import type { OrderDocument } from './documents.ts';
import { hash } from './hash.ts';
import { type Answer, businessDateIn, type Question, spanOf, wholeIn } from './question.ts';
import { Refusal } from './refusal.ts';

/** In which order a list of orders comes; the reference says nothing of it. */
export type Sequence = 'shuffled' | 'modified' | 'opened';

/** Sorts orders as the upstream lists them; equal sets always in the same order. */
export function inSequence(orders: OrderDocument[], sequence: Sequence, seed: string): OrderDocument[] {
  const key = ({ guid, modifiedDate, openedDate }: OrderDocument): string => {
    if (sequence === 'shuffled') return String(hash(`${seed} ${guid}`)).padStart(10, '0');
    return `${sequence === 'modified' ? modifiedDate : openedDate} ${guid}`;
  };
  return orders
    .map((order) => ({ order, key: key(order) }))
    .sort((one, other) => (one.key < other.key ? -1 : 1))
    .map(({ order }) => order);
}

/** The orders that a bulk call asks for, before they are cut into pages. */
export function askedOrders({ query, house, now }: Pick<Question, 'query' | 'house' | 'now'>): OrderDocument[] {
  const byTime = query.has('startDate') && query.has('endDate');
  const some = query.has('startDate') || query.has('endDate');
  if (byTime === query.has('businessDate') || (some && !byTime))
    throw new Refusal(400, 'EITHER (startDate and endDate) OR businessDate is required');
  if (byTime) return house.modified('orders', spanOf(query, ['startDate', 'endDate']), now);
  return house.ofDate('orders', businessDateIn(query), now);
}

/** The address of the page after this one, as the `Link` header has it. */
export const nextLink = (address: string, query: URLSearchParams, page: number): string => {
  const next = new URLSearchParams(query);
  next.set('page', String(page + 1));
  return `<${address}?${next}>; rel="next"`;
};

const PAGE_SIZE = [1, 100, 100] as const;
const PAGES = [1, 1, 999_999_999] as const;

export interface ListOptions {
  /** In which order orders are listed; shuffled without, because the reference names none. */
  sequence?: Sequence | undefined;
  /** Whether a business date has its deleted orders; it has without. The reference does not say. */
  deletedByDate?: boolean | undefined;
}

/** Answers a bulk call. */
export function ordersBulk(question: Question, { sequence = 'shuffled', deletedByDate = true }: ListOptions): Answer {
  const { query, address, world } = question;
  const [page, pageSize] = [wholeIn(query, 'page', PAGES), wholeIn(query, 'pageSize', PAGE_SIZE)];
  const requested = askedOrders(question).filter(
    ({ deleted }) => deletedByDate || !deleted || !query.has('businessDate'),
  );
  const all = inSequence(requested, sequence, world.seed);
  const body = all.slice((page - 1) * pageSize, page * pageSize);
  return { body, headers: page * pageSize < all.length ? { Link: nextLink(address, query, page) } : {} };
}

/** Answers a call for one order. */
export function oneOrder({ house, path, now }: Question): Answer {
  const order = house.find('orders', path.guid ?? '', now);
  if (!order) throw new Refusal(404, 'Order not found');
  return { body: order };
}
