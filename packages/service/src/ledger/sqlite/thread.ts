/**
 * The ledger of a service: reads on the caller's thread, changes on one of their own. A durable commit takes 2 to 3 ms,
 * and as many times that while the engine syncs its own file; on the event loop every answer waited for it.
 */
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { isDiskFull } from '../../full.ts';
import { sibling } from '../../sibling.ts';
import type { Ledger } from '../ledger.ts';
import { openReserve } from './reserve.ts';
import { openLedgerIn, type SqliteLedger } from './sqlite.ts';
import type { FromWriter, ToWriter } from './writer.ts';

type Changes = SqliteLedger['changes'];

/** What frees space, and what a start needs: on a full disk these take room from the reserve. */
const FREEING = new Set<keyof Changes>([
  'cancelReport',
  'expireReports',
  'removeWebhook',
  'forgetReports',
  'reclaimOrphans',
  'seeTime',
]);
/** On a disk that stays full, the reserve is not tried to be filled again more often. */
const REFILL_MS = 5000;

interface Call {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** Opens the ledger of a data folder, as openLedgerIn does and with its errors. Changes are made in the order of the calls. */
export async function openThreadedLedger(data: string): Promise<Ledger> {
  const reading = await openLedgerIn(data);
  const reserve = await openReserve(join(data, 'reserve')).catch(async (error: Error) => {
    await reading.close();
    throw error;
  });
  let refilledAt = performance.now();
  const calls = new Map<number, Call>();
  let lastId = 0;
  let writer: Worker | undefined;
  let ending: Promise<void> | undefined;

  function start(): Worker {
    const started = new Worker(sibling('writer', import.meta.url), { workerData: { data } });
    started.on('message', ({ id, value, failure }: FromWriter) => {
      // Whoever has been told of a change reads what it left, also within the turn in which an older row was looked at.
      reading.forget();
      const call = calls.get(id);
      calls.delete(id);
      if (failure) call?.reject(Object.assign(new Error(failure.message), failure));
      else call?.resolve(value);
    });
    const giveUp = (error: Error): void => {
      if (writer === started) writer = undefined;
      for (const call of calls.values()) call.reject(error);
      calls.clear();
    };
    started.on('error', giveUp);
    started.on('exit', () => giveUp(new Error('the thread that writes to the ledger ended')));
    return started;
  }

  async function change(method: ToWriter['method'], args: unknown[]): Promise<unknown> {
    // A call that comes late must not start a thread that nobody ends.
    if (ending && method !== 'close') throw new Error('the ledger is closed');
    writer ??= start();
    const id = ++lastId;
    const done = new Promise((resolve, reject) => calls.set(id, { resolve, reject }));
    writer.postMessage({ id, method, args } satisfies ToWriter);
    return await done;
  }

  /** Does it; on a full disk once more for each piece of the reserve. */
  async function free(method: keyof Changes, args: unknown[]): Promise<unknown> {
    for (;;) {
      try {
        const value = await change(method, args);
        const now = performance.now();
        if (now - refilledAt > REFILL_MS) {
          refilledAt = now;
          await reserve.refill();
        }
        return value;
      } catch (error) {
        if (!isDiskFull(error) || !(await reserve.release())) throw error;
      }
    }
  }

  const changes = Object.fromEntries(
    (Object.keys(reading.changes) as (keyof Changes)[]).map((name) => [
      name,
      (...args: unknown[]) => (FREEING.has(name) ? free : change)(name, args),
    ]),
  ) as Changes;
  async function end(): Promise<void> {
    await change('close', []);
    await Promise.all([reading.close(), reserve.close()]);
  }

  writer = start();
  return {
    ...reading.reads,
    ...changes,
    backup: reading.backup,
    ping: reading.ping,
    close() {
      ending ??= end();
      return ending;
    },
  };
}
