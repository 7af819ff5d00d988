/**
 * A node of the histories on real servers (histories.scale.ts forks it): it runs loads, sweeps and promotions by the
 * service's own steps. A call to a server fails as the law's network does (protocol-world.ts): it dies before or after
 * it, is refused, comes later than the lease, or lets rows arrive late or in part.
 */
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { createRandom } from '../../packages/service/src/demo/random.ts';
import type { Stored } from '../../packages/service/src/facts/clickhouse/find.ts';
import {
  openPostgresLog,
  type PostgresLog,
} from '../../packages/service/src/facts/clickhouse/load-log/postgres-log.ts';
import { type Added, openMerger } from '../../packages/service/src/facts/clickhouse/merge.ts';
import { LoadAborted, promote, runLoads, sweep } from '../../packages/service/src/facts/clickhouse/protocol.ts';
import { openServer, serverAddress } from '../../packages/service/src/facts/clickhouse/server.ts';
import { startEngine } from '../../packages/service/src/facts/duckdb/process.ts';
import { checkFact, linesOf, orderFact } from '../conformance/facts.ts';
import type { Body } from '../laws/protocol-bodies.ts';
import type { Version } from '../laws/protocol-world.ts';
import type { Asked, Told } from './histories.ts';

const [url = '', ledgerUrl = '', folder = '', lease = '', grace = ''] = process.argv.slice(2);
const [leaseMs, graceMs] = [Number(lease), Number(grace)];
/** A row that arrives late does so within this: far less than the grace. */
const LATE_MS = 2000;
const TURNS = 4;
const PAUSE_MS = 1500;

const { url: address, database } = serverAddress(url);
const server = openServer(address, database);
const log = openPostgresLog(ledgerUrl, leaseMs);
const scratch = join(folder, 'scratch');
for (const path of [scratch, join(folder, 'engine')]) mkdirSync(path, { recursive: true });
const engine = await startEngine({ folder: join(folder, 'engine'), memoryMb: 256, readable: [scratch] });
const merger = openMerger(server, engine, scratch);

/** Resolves when it has left this process: what was told stays told when it is killed. */
const tell = (told: Told): Promise<void> =>
  new Promise((resolve, reject) => {
    process.send?.(told, (error: Error | null) => (error ? reject(error) : resolve()));
  });

/** The servers as one caller has them, until it dies. */
function createActor(random: () => number) {
  const died = Promise.withResolvers<'died'>();
  let isDead = false;
  const never = new Promise<never>(() => undefined);
  const counts = { deaths: 0, freezes: 0, late: 0 };
  function die(): Promise<never> {
    isDead = true;
    counts.deaths++;
    died.resolve('died');
    return never;
  }
  const refused = (): Error => new Error('the server did not answer');

  /** A call to a server, and what becomes of it. */
  async function call<T>(apply: () => Promise<T>): Promise<T> {
    if (isDead) return await never;
    const fate = random();
    if (fate < 0.02) return await die();
    if (fate < 0.04) {
      await apply();
      return await die();
    }
    if (fate < 0.06) throw refused();
    if (fate < 0.08) {
      await apply();
      throw refused();
    }
    if (fate < 0.1) {
      counts.freezes++;
      await sleep(leaseMs * (1 + random()));
    }
    const answer = await apply();
    return isDead ? await never : answer;
  }

  /** Rows that arrive when their sender does not know them: all, or some of the tables. */
  async function insertLate(added: Added, until: number): Promise<never> {
    counts.late++;
    const files = random() < 0.5 ? added.files : added.files.filter(() => random() < 0.5);
    const insert = sleep(random() * LATE_MS).then(() => merger.insert({ ...added, files }, until));
    late.add(insert.catch(() => undefined));
    if (random() < 0.5) return await die();
    throw refused();
  }
  const late = new Set<Promise<unknown>>();

  const wrapped = Object.fromEntries(
    Object.entries(log).map(([name, apply]) => [
      name,
      (...args: unknown[]) => call(() => (apply as (...args: unknown[]) => Promise<unknown>)(...args)),
    ]),
  ) as unknown as PostgresLog;
  const rows: typeof merger = {
    ...merger,
    find: (wanted, snapshot) => call(() => merger.find(wanted, snapshot)),
    insert: (added, until) => call(() => (random() < 0.08 ? insertLate(added, until) : merger.insert(added, until))),
    deleteLoads: (loads) => call(() => merger.deleteLoads(loads)),
    deletePromotions: (promotions) => call(() => merger.deletePromotions(promotions)),
    promote: (...args) => call(() => merger.promote(...args)),
  };
  return { log: wrapped, rows, counts, died: died.promise, late: () => Promise.all(late) };
}

/** An order of the version, with a check that has all of it. */
function linesOfBody({ versions }: Body) {
  const orders = versions.map(({ guid, date, modified, amount }: Version, seq) =>
    orderFact({
      seq,
      order_guid: `0000000${guid}-0000-4000-8000-000000000000`,
      business_date: date,
      modified_at: modified,
      gross_cents: amount,
      discount_cents: 0,
    }),
  );
  return linesOf({
    orders,
    checks: orders.map((order) => checkFact(order, { check_guid: order.order_guid, total_cents: order.gross_cents })),
  });
}

/** Loads some bodies together, and again where nothing was kept, as a caller without keys does. */
async function runCaller(caller: number, bodies: Body[], random: () => number): Promise<void> {
  const actor = createActor(random);
  const loads = bodies.map((body) => ({ restaurant: body.restaurant, spool: linesOfBody(body) }));
  async function turn(): Promise<boolean> {
    let numbers: number[] = [];
    let accepted: number[] = [];
    const kept: { stored?: Stored; added?: Added | undefined } = {};
    const own = (places: readonly { index: number }[]) => places.flatMap(({ index }) => loads[index] ?? []);
    try {
      const begun = await runLoads(actor.log, actor.rows, String(random()), {
        entries: loads.map(({ restaurant }) => ({ restaurant, kind: 'orders' })),
        wanted: (some) => merger.wanted('orders', own(some.loads)),
        async merge(stored, some) {
          numbers = some.loads.map(({ load }) => load);
          await tell({ kind: 'numbers', caller, loads: some.loads });
          kept.stored = stored;
          const { merged, added } = await merger.merge('orders', own(some.loads), stored, some);
          kept.added = added;
          accepted = merged.map((one) => one.accepted);
          return added;
        },
      });
      if (begun.loads.length === 0) return false;
      const done = begun.loads.map(({ load }, index) => ({ load, accepted: accepted[index] ?? 0 }));
      await tell({ kind: 'acknowledged', caller, loads: done });
      return true;
    } catch (error) {
      if (error instanceof LoadAborted) await tell({ kind: 'refused', caller, loads: numbers });
      return false;
    } finally {
      void actor.late().then(() => merger.clean(kept.stored, kept.added));
    }
  }
  async function turns(): Promise<'ended'> {
    for (let left = TURNS; left > 0; left--) {
      if (await turn()) break;
      // Another may hold the restaurant.
      await sleep(PAUSE_MS * random());
    }
    return 'ended';
  }
  await Promise.race([turns(), actor.died]);
  await tell({ kind: 'ended', caller, counts: actor.counts });
}

async function runMaintenance(of: 'sweep' | 'promote', random: () => number): Promise<void> {
  const actor = createActor(random);
  const work = async (): Promise<number> =>
    of === 'sweep' ? await sweep(actor.log, actor.rows, graceMs) : Number(await promote(actor.log, actor.rows));
  const done = await Promise.race([work().catch(() => 0), actor.died]);
  await tell({ kind: 'maintained', of, done: Number(done) || 0, counts: actor.counts });
}

process.on('message', (asked: Asked) => {
  const random = createRandom(String(asked.seed)).next;
  const work =
    asked.kind === 'load' ? runCaller(asked.caller, asked.bodies, random) : runMaintenance(asked.kind, random);
  // Only told when the histories are over, and nobody listens.
  work.catch(() => undefined);
});
process.on('disconnect', () => process.exit());
await tell({ kind: 'ready' });
