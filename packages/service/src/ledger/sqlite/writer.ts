/** The thread that writes to the ledger: makes the changes that thread.ts sends, in their order. */
import { parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads';
import { type Change, openLedgerIn } from './sqlite.ts';

export interface ToWriter {
  id: number;
  method: Change | 'close';
  args: unknown[];
}

export interface Failure {
  message: string;
  code: unknown;
  /** SQLite's own error code. */
  errcode: unknown;
  stack: string | undefined;
}

export interface FromWriter {
  id: number;
  value?: unknown;
  /** What was thrown, as data: an Error loses its code when it is posted between threads. */
  failure?: Failure;
}

/** The file is damaged. */
export interface FoundDamage {
  damage: string;
}

const port = parentPort;
if (!port) throw new Error('this is the entry of a thread');
const ledger = await openLedgerIn(String(workerData.data));
const sums = ledger.sumPages(Number(workerData.fd), ({ message }) =>
  port.postMessage({ damage: message } satisfies FoundDamage),
);

async function make({ id, method, args }: ToWriter, on = ledger.methods): Promise<FromWriter> {
  try {
    const work = (method === 'close' ? ledger.close : on[method]) as (...args: unknown[]) => Promise<unknown>;
    return { id, value: await work(...args) };
  } catch (error) {
    const { message, code, stack, errcode } = error as NodeJS.ErrnoException & { errcode?: number };
    return { id, failure: { message, code, errcode, stack } };
  }
}

/** The most changes in one commit: a commit waits for the disk, and those that arrive meanwhile share the next one. */
const MOST_TOGETHER = 64;

/** Calls that are made by themselves: neither belongs in a transaction. */
const ALONE: readonly ToWriter['method'][] = ['close', 'compact'];

/** The message and those that wait behind it, up to one that is made by itself. */
function takeWaiting(first: ToWriter): ToWriter[] {
  const taken = [first];
  for (let last = first; taken.length < MOST_TOGETHER && !ALONE.includes(last.method); ) {
    const next = port && receiveMessageOnPort(port);
    if (!next) break;
    last = next.message as ToWriter;
    taken.push(last);
  }
  return taken;
}

/** Makes changes in one commit; one by one if that fails, so that each gets its own error. */
async function makeTogether(messages: ToWriter[]): Promise<FromWriter[]> {
  if (messages.length > 1) {
    try {
      return await ledger.together(messages.map((message) => (within) => make(message, within)));
    } catch {} // nothing was committed
  }
  const answers: FromWriter[] = [];
  for (const message of messages) answers.push(await make(message));
  return answers;
}

// One after the other: two transactions at once on one connection would become one.
let made = Promise.resolve();
port.on('message', (message: ToWriter) => {
  const taken = takeWaiting(message);
  made = made.then(async () => {
    const alone = taken.filter(({ method }) => ALONE.includes(method));
    taken.splice(taken.length - alone.length);
    for (const answer of await makeTogether(taken)) port.postMessage(answer);
    sums.committed();
    for (const message of alone) {
      if (message.method === 'close') sums.close();
      else sums.forget();
      port.postMessage(await make(message));
    }
    if (alone.some(({ method }) => method === 'close')) port.close();
  });
});
