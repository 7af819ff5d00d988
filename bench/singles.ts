/**
 * `node bench/singles.ts '{"file":…}'` sends the messages of a file, each once, over so many connections that each wait
 * for an answer before they send the next. Prints how many were answered a second, the median, the 99th percentile and
 * the most of milliseconds from when a message was due to its answer, and how many were refused.
 */
import { readFileSync } from 'node:fs';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';

export interface SinglesOptions {
  /** One message a line, as a JSON string. */
  file: string;
  connections: number;
  /**
   * Messages are begun at this rate, whether or not earlier ones are answered; without it as fast as they are answered.
   */
  perSecond?: number;
  to: { kind: 'http'; port: number } | { kind: 'postgres'; socket: string };
}

export interface Singles {
  perSecond: number;
  median: number;
  p99: number;
  longest: number;
  failed: number;
}

/** Sends a message; `answered` is called with whether it was accepted. */
interface Connection {
  ready: Promise<void>;
  send(message: string, answered: (taken: boolean) => void): void;
}

function fail(why: string): never {
  console.error(why);
  process.exit(1);
}

function watch(socket: Socket): void {
  socket.on('error', (error) => fail(error.message));
  socket.on('close', () => fail('a connection was closed'));
}

/** A message is a whole request; it was taken when the answer counts one accepted record. */
function openHttp(port: number): Connection {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true });
  let text = '';
  let answered = (_: boolean): void => undefined;
  watch(socket);
  socket.on('data', (bytes) => {
    text += bytes.toString('latin1');
    const head = text.indexOf('\r\n\r\n') + 4;
    const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, Math.max(head, 0)))?.[1] ?? Number.NaN);
    if (head < 4 || text.length < head + length) return;
    if (Number.isNaN(length)) fail(`unexpected answer ${text.slice(0, 100)}`);
    const taken = text.startsWith('HTTP/1.1 200 ') && text.includes('"accepted":1,');
    text = '';
    answered(taken);
  });
  return {
    ready: new Promise((resolve) => socket.once('connect', resolve)),
    send(message, done) {
      answered = done;
      socket.write(message);
    },
  };
}

const READY = 0x5a;
const ERROR = 0x45;

/** PostgreSQL's protocol 3: a message is the text of one simple query, which is one transaction. */
function openPostgres(path: string): Connection {
  const socket = connect({ path });
  let bytes = Buffer.alloc(0);
  let failed = false;
  let answered = (_: boolean): void => undefined;
  watch(socket);
  const ready = new Promise<void>((resolve) => {
    answered = () => resolve();
  });
  socket.on('data', (some) => {
    bytes = bytes.length === 0 ? some : Buffer.concat([bytes, some]);
    while (bytes.length >= 5 && bytes.length >= 1 + bytes.readInt32BE(1)) {
      const kind = bytes[0];
      bytes = bytes.subarray(1 + bytes.readInt32BE(1));
      if (kind === ERROR) failed = true;
      if (kind !== READY) continue;
      const taken = !failed;
      failed = false;
      answered(taken);
    }
  });
  socket.once('connect', () => {
    const words = Buffer.from('user\0bench\0database\0postgres\0\0');
    const start = Buffer.alloc(8);
    start.writeInt32BE(8 + words.length, 0);
    start.writeInt32BE(3 << 16, 4);
    socket.write(Buffer.concat([start, words]));
  });
  return {
    ready,
    send(message, done) {
      answered = done;
      const text = Buffer.from(`${message}\0`);
      const head = Buffer.alloc(5);
      head[0] = 0x51;
      head.writeInt32BE(4 + text.length, 1);
      socket.write(Buffer.concat([head, text]));
    },
  };
}

const { file, connections, perSecond, to } = JSON.parse(process.argv[2] ?? '{}') as SinglesOptions;
const messages = readFileSync(file, 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line) as string);
const open = (): Connection => (to.kind === 'http' ? openHttp(to.port) : openPostgres(to.socket));
const clients = Array.from({ length: connections }, open);
await Promise.all(clients.map((client) => client.ready));

const waits: number[] = [];
let failed = 0;
const queue = messages.entries();
const began = performance.now();
await Promise.all(
  clients.map(async (client) => {
    for (const [index, message] of queue) {
      const due = perSecond === undefined ? performance.now() : began + (index / perSecond) * 1000;
      if (performance.now() < due) await sleep(due - performance.now());
      const taken = await new Promise<boolean>((resolve) => client.send(message, resolve));
      waits.push(performance.now() - due);
      if (!taken) failed++;
    }
  }),
);
const took = performance.now() - began;
waits.sort((a, b) => a - b);
const at = (part: number): number => waits[Math.floor((waits.length - 1) * part)] ?? Number.NaN;
console.log(
  JSON.stringify({ perSecond: (waits.length / took) * 1000, median: at(0.5), p99: at(0.99), longest: at(1), failed }),
);
process.exit(0);
