/** The thread that writes to the ledger: makes the changes that thread.ts sends, in their order. */
import { parentPort, workerData } from 'node:worker_threads';
import type { Ledger } from './ledger.ts';
import { openLedgerIn } from './sqlite.ts';

export interface ToWriter {
  id: number;
  method: keyof Ledger;
  args: unknown[];
}

export interface Failure {
  message: string;
  code: unknown;
  /** SQLite's own code. */
  errcode: unknown;
  stack: string | undefined;
}

export interface FromWriter {
  id: number;
  value?: unknown;
  /** What was thrown: an Error loses its code on the way between threads. */
  failure?: Failure;
}

const port = parentPort;
if (!port) throw new Error('this is the entry of a thread');
const ledger: Ledger = await openLedgerIn(String(workerData.data));

async function make({ id, method, args }: ToWriter): Promise<FromWriter> {
  try {
    const work = ledger[method] as (...args: unknown[]) => Promise<unknown>;
    return { id, value: await work.apply(ledger, args) };
  } catch (error) {
    const { message, code, stack, errcode } = error as NodeJS.ErrnoException & { errcode?: number };
    return { id, failure: { message, code, errcode, stack } };
  }
}

port.on('message', async (message: ToWriter) => {
  port.postMessage(await make(message));
  if (message.method === 'close') port.close();
});
