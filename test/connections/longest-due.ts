/** How long restaurants of a connection wait for their orders to be read. */
import type { LiveRig } from './live-rig.ts';
import { CONNECTION } from './rig.ts';

/** Whether everything of every restaurant was read once. */
export async function isReadOnce({ rig, guids }: LiveRig): Promise<boolean> {
  const rows = await rig.ledger.connectionStreams(CONNECTION);
  return rows.filter(({ stream, lastOkAt }) => stream === 'backfill' && lastOkAt !== null).length === guids.length;
}

/**
 * Lets time pass until `isOver`; returns the longest, in seconds, from when the orders of a restaurant were due to when
 * they were read.
 */
export async function longestDue({ rig, pass }: LiveRig, isOver: () => Promise<boolean>): Promise<number> {
  const { ledger } = rig;
  let longest = 0;
  const rows = await ledger.connectionStreams(CONNECTION);
  const known = new Set(rows.flatMap((row) => (row.stream === 'settings' && row.lastOkAt ? [row.upstreamId] : [])));
  const orders = rows.filter(({ stream, upstreamId }) => stream === 'orders' && known.has(upstreamId));
  const dueAt = new Map(orders.map(({ upstreamId, nextAt }) => [upstreamId, nextAt]));
  const { saveStream } = ledger;
  ledger.saveStream = (lease, row, dates) => {
    const { stream, upstreamId, nextAt, lastAt } = row;
    // Nothing else of a restaurant is due before its settings are known.
    if (stream === 'settings' && !dueAt.has(upstreamId)) dueAt.set(upstreamId, rig.now());
    const due = dueAt.get(upstreamId);
    if (stream === 'orders' && lastAt !== null && due !== undefined && nextAt > due) {
      longest = Math.max(longest, lastAt - due);
      dueAt.set(upstreamId, nextAt);
    }
    return saveStream.call(ledger, lease, row, dates);
  };
  await pass(isOver);
  ledger.saveStream = saveStream;
  return longest / 1000;
}
