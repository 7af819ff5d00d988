/** Deletes an order: it counts as deleted until a newer version of it is loaded. */

import { Problem } from '../contract/problems.ts';
import type { Facts } from '../facts/facts.ts';
import { DELETED_DETAILS, type OrderFact, type StoredOrder } from '../facts/order.ts';
import type { VersionDate } from '../facts/version-date.ts';
import type { Restaurant } from '../ledger/restaurant.ts';
import { announceMerged, type LoadDeps } from './load.ts';

/** The last nanosecond of a millisecond. */
const LAST_NANO = 999_999;

/**
 * The date of a deletion: a nanosecond more than the deleted version keeps a repeated load from restoring it. A date in
 * the future is forgotten, because nothing could be newer.
 */
function deletedAt({ modified_at, modified_nanos }: StoredOrder, isFinal: boolean, now: number): Required<VersionDate> {
  if (modified_at === 0 || modified_at > now) return { modified_at: 0, modified_nanos: 0 };
  const nanos = modified_nanos ?? 0;
  if (!isFinal) return { modified_at, modified_nanos: nanos };
  return nanos < LAST_NANO
    ? { modified_at, modified_nanos: nanos + 1 }
    : { modified_at: modified_at + 1, modified_nanos: 0 };
}

/**
 * Deletes a stored order; durable when resolved. Changes nothing if it was deleted before. Loading the order again
 * restores it if its `modifiedDate` is newer than that of the deleted version, which itself cannot be restored; without
 * a
 * `modifiedDate`, or with one in the future, any load restores it. Throws Problem `order_not_found` for an order that
 * was never loaded. With `isFinal` false, as where somebody else says that the order is gone, a load of the same
 * version restores it.
 */
export async function removeOrder(
  deps: Pick<LoadDeps, 'onMerged'> & { facts: Pick<Facts, 'order' | 'merge'>; clock: () => number },
  restaurant: Restaurant,
  orderGuid: string,
  isFinal = true,
): Promise<void> {
  const { facts } = deps;
  const { id, group } = restaurant;
  const stored = await facts.order(id, orderGuid);
  if (!stored) throw new Problem('order_not_found', 'No order with this GUID was loaded for this restaurant.');
  if (stored.details === DELETED_DETAILS) return;
  const fact: OrderFact = {
    ...stored,
    seq: 0,
    order_guid: orderGuid,
    ...deletedAt(stored, isFinal, deps.clock()),
    status: 'excluded',
    details: DELETED_DETAILS,
    dining_guid: null,
    dining_name: null,
    revenue_guid: null,
    revenue_name: null,
    source: null,
    guests: 0,
    open: false,
    has_void: false,
    has_discount: false,
    void_cents: 0,
    gross_cents: 0,
    discount_cents: 0,
    refund_cents: 0,
  };
  // A newer version that is merged in between remains current, as if the order had been deleted before it arrived.
  const deletion = {
    kind: 'orders',
    records: `${JSON.stringify(fact)}\n`,
    parts: {},
    replaces: stored.modified_at + 1,
  } as const;
  const merged = await facts.merge(id, deletion, group);
  announceMerged(deps, restaurant, 'orders', merged);
}
