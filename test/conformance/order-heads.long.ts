/** Large loads among many small ones. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { openEngine } from '../laws/engine.ts';
import { mergeLines, orderFact, recordsOf } from './facts.ts';

/** A restaurant, and others whose orders are in the same table. */
const [FIRST, OTHER] = [1, 65];
/** More of them. */
const ROUNDS = Array.from({ length: 8 }, (_, round) => FIRST + 64 * (round + 2));

it('an order of a large load is known to be stored after its commit, though others of its table were merged before that', async (t) => {
  const engine = await openEngine();
  t.after(() => engine.close());
  for (const restaurant of ROUNDS) {
    const orders = Array.from({ length: 1000 }, (_, seq) => orderFact({ seq }));
    let isMerged = false;
    const large = mergeLines({ ...engine, spools: 'large' }, restaurant, { orders }).then(() => {
      isMerged = true;
    });

    // With so many under way, the next merge waits in the engine while the large load is committed.
    const client = async (): Promise<void> => {
      while (!isMerged) await mergeLines({ ...engine, spools: 'lines' }, OTHER, { orders: [orderFact()] });
    };
    await Promise.all([large, ...Array.from({ length: 64 }, client)]);
    const newer = orders.slice(0, 20).map((order) => ({ ...order, modified_at: order.modified_at + 1 }));
    await mergeLines({ ...engine, spools: 'lines' }, restaurant, { orders: newer });

    const records = await recordsOf(engine, restaurant);
    assert.deepEqual(
      records.map(({ ordersCount }) => ordersCount),
      [orders.length],
    );
  }
});
