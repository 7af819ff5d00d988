/**
 * Whose delivery is sent next. Groups take turns, and none takes all places: one more is given to a group only while it
 * has fewer than are free. A group alone thus has half of them, a second one half of the rest, and so on. Receivers
 * that were slow share a part of the places.
 */

/** The most deliveries at once, in total, for one client, and for one whose receiver was slow. */
const AT_ONCE = 64;
const AT_ONCE_EACH = 2;
const AT_ONCE_SLOW_EACH = 1;
/** The most for all slow receivers together. */
const AT_ONCE_SLOW = 16;

export interface Receiver {
  group: string;
  clientId: string;
}

const isSameReceiver = (one: Receiver, other: Receiver): boolean =>
  one.group === other.group && one.clientId === other.clientId;

/**
 * The one of these receivers that may get a delivery now, undefined if none may; of several in equal position the
 * first.
 */
export function nextTurn<R extends Receiver>(
  due: readonly R[],
  running: readonly Receiver[],
  isSlow: (receiver: Receiver) => boolean,
): R | undefined {
  const free = AT_ONCE - running.length;
  const slowPlaces = AT_ONCE_SLOW - running.filter(isSlow).length;
  const ofGroup = new Map<string, number>();
  for (const { group } of running) ofGroup.set(group, (ofGroup.get(group) ?? 0) + 1);
  let best: R | undefined;
  let least = free;
  for (const receiver of due) {
    const taken = ofGroup.get(receiver.group) ?? 0;
    if (taken >= least) continue;
    const slow = isSlow(receiver);
    if (slow && slowPlaces <= 0) continue;
    const own = running.filter((one) => isSameReceiver(one, receiver)).length;
    if (own >= (slow ? AT_ONCE_SLOW_EACH : AT_ONCE_EACH)) continue;
    best = receiver;
    least = taken;
  }
  return best;
}
