/**
 * The ledger of a service: reads run on the caller's thread, changes on a separate one. A durable commit takes 2 to 3 ms, and several
 * times that while the engine syncs its own file; on the event loop it delayed every answer.
 */
import { closeSync, openSync } from 'node:fs';
import { Worker } from 'node:worker_threads';
import { sibling } from '../../sibling.ts';
import type { Ledger } from '../ledger.ts';
import { ledgerFile } from './place.ts';
import { type Reserve, withPieces } from './reserve.ts';
import { isReserved } from './reserved.ts';
import { type Change, openLedgerIn, UNSHARED, withChanges } from './sqlite.ts';
import type { FoundDamage, FromWriter, ToWriter } from './writer.ts';

/** The least time between two attempts to fill the reserve, for a disk that stays full. */
const REFILL_MS = 5000;

interface Call {
  resolve(value: unknown): void;
  reject(error: Error): void;
}

/** A thread that writes, and the calls that it has not answered. */
interface Writer {
  thread: Worker;
  calls: Map<number, Call>;
}

type Method = ToWriter['method'];
type Write = (method: Method, args: unknown[]) => Promise<unknown>;

/**
 * Starts the thread that writes; if it ends, the next call starts it again. Calls are carried out in their order. `onAnswer` is called
 * before a call resolves.
 */
function startWriter(
  workerData: { data: string; fd: number },
  onAnswer: () => void,
  onDamage: (error: Error) => void,
): Write {
  let lastId = 0;
  let writer: Writer | undefined;

  function start(): Writer {
    const thread = new Worker(sibling('writer', import.meta.url), { workerData });
    // Of this thread alone: when it has ended, its successor may have calls already.
    const calls = new Map<number, Call>();
    const started = { thread, calls };
    thread.on('message', (message: FromWriter | FoundDamage) => {
      if ('damage' in message) return onDamage(new Error(message.damage));
      const { id, value, failure } = message;
      onAnswer();
      const call = calls.get(id);
      calls.delete(id);
      if (failure) call?.reject(Object.assign(new Error(failure.message), failure));
      else call?.resolve(value);
    });
    const rejectAll = (error: Error): void => {
      if (writer === started) writer = undefined;
      for (const call of calls.values()) call.reject(error);
      calls.clear();
    };
    thread.on('error', rejectAll);
    thread.on('exit', () => rejectAll(new Error('the thread that writes to the ledger ended')));
    return started;
  }

  writer = start();
  return async (method, args) => {
    writer ??= start();
    const { thread, calls } = writer;
    const id = ++lastId;
    const done = new Promise((resolve, reject) => calls.set(id, { resolve, reject }));
    thread.postMessage({ id, method, args } satisfies ToWriter);
    return await done;
  };
}

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

export interface LedgerGuards {
  /** Called after each change; throws if it is in a file that no start would find. */
  isKept?: () => void;
  /** Called once if the file is found to be damaged; from then on the ledger answers no ping. */
  onDamage?: (error: Error) => void;
}

/**
 * Opens the ledger of a data folder like openLedgerIn, throwing the same errors. Changes are made in the order of the calls. The caller
 * closes the reserve after the ledger.
 */
export async function openThreadedLedger(
  data: string,
  reserve: Reserve,
  { isKept, onDamage }: LedgerGuards = {},
): Promise<Ledger> {
  const reading = await openLedgerIn(data);
  reading.onlyRead();
  let ending: Promise<void> | undefined;
  // A caller that knows of a change must read its result, even in a turn of the event loop in which an older row was cached.
  const fd = openSync(ledgerFile(data), 'r');
  let damage: Error | undefined;
  const write = startWriter({ data, fd }, reading.forget, (error) => {
    damage = error;
    onDamage?.(error);
  });
  const free = writeWithReserve(write, reserve);

  const change = async (name: Change, args: unknown[]): Promise<unknown> => {
    // A late call must not start a thread that nothing would end.
    if (ending) throw new Error('the ledger is closed');
    const value = await (isReserved(name, args) ? free : write)(name, args);
    isKept?.();
    return value;
  };
  async function end(): Promise<void> {
    await write('close', []);
    await reading.close();
    closeSync(fd);
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
