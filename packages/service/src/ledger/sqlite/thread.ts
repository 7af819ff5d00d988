/**
 * The ledger of a service: reads run on the caller's thread, changes on a separate one. A durable commit takes 2 to 3
 * ms, and several times that while the engine syncs its own file; on the event loop it delayed every answer.
 */
import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { openCalls } from '../../threads/calls.ts';
import { sibling, threadPeer } from '../../threads/peers.ts';
import type { Ledger } from '../ledger.ts';
import { ledgerFile } from './place.ts';
import { type Reserve, withPieces } from './reserve.ts';
import { isReserved } from './reserved.ts';
import { type ChangeName, openLedgerIn, UNSHARED, withChanges } from './sqlite.ts';
import type { WriterBack, Writing } from './writer.ts';

/** The least time between two attempts to fill the reserve, for a disk that stays full. */
const REFILL_MS = 5000;

type Write = (method: ChangeName, args: unknown[]) => Promise<unknown>;

/** Makes a change with the reserve, which it fills again from time to time. */
function writeWithReserve(write: Write, reserve: Reserve): Write {
  let refilledAt = performance.now();
  return async (method, args) => {
    const value = await withPieces(reserve.release, () => write(method, args));
    const now = performance.now();
    if (now - refilledAt > REFILL_MS) {
      refilledAt = now;
      await reserve.refill();
    }
    return value;
  };
}

interface LedgerGuards {
  /** Called after each change; throws if it is in a file that no start would find. */
  isKept?: () => void;
  /** Called once if the file is found to be damaged; from then on the ledger answers no ping. */
  onDamage?: (error: Error) => void;
}

/**
 * Opens the ledger of a data folder like openLedgerIn, throwing the same errors. Changes are made in the order of the
 * calls. The caller closes the reserve after the ledger.
 */
export async function openThreadedLedger(
  data: string,
  reserve: Reserve,
  { isKept, onDamage }: LedgerGuards = {},
): Promise<Ledger> {
  const reading = await openLedgerIn(data);
  reading.onlyRead();
  let ending: Promise<void> | undefined;
  const workerData = { data, fd: openSync(ledgerFile(data), 'r') };
  let damage: Error | undefined;
  const handlers: WriterBack = {
    damaged(message) {
      damage = new Error(message);
      onDamage?.(damage);
    },
  };
  const calls = openCalls<Writing>(
    () =>
      threadPeer(
        new Worker(sibling('writer', import.meta.url), { workerData }),
        'the thread that writes to the ledger',
      ),
    { handlers },
  );
  calls.start();
  const write: Write = async (method, args) => {
    try {
      return await calls.call('change', { method, args });
    } finally {
      // A caller that knows of a change must read its result, even in a turn of the event loop in which an older row
      // was cached.
      reading.forget();
    }
  };
  const free = writeWithReserve(write, reserve);

  const change = async (name: ChangeName, args: unknown[]): Promise<unknown> => {
    // A late call must not start a thread that nothing would end.
    if (ending) throw new Error('the ledger is closed');
    const value = await (isReserved(name, args) ? free : write)(name, args);
    isKept?.();
    return value;
  };
  async function end(): Promise<void> {
    await calls.call('close', null);
    await calls.end();
    await reading.close();
    closeSync(workerData.fd);
  }

  return {
    ...withChanges(reading, change),
    ...UNSHARED,
    backup: reading.backup,
    async ping() {
      if (damage) throw damage;
      await reading.ping();
    },
    close() {
      ending ??= end();
      return ending;
    },
  };
}
