/**
 * The client: the same GET many times over bare sockets. It costs less than anything that it measures; autocannon, at a
 * steady rate, showed a 99th percentile of 11 ms when the actual one was 1 ms.
 */
import { connect, type Socket } from 'node:net';

/** As processes of their own: `node bench/closed-loop.ts '{"url":…}'` and `node bench/steady.ts '{"url":…}'`. */
export interface GetOptions {
  url: string;
  headers?: Record<string, string>;
  connections: number;
  seconds: number;
}

function fail(why: string): never {
  console.error(why);
  process.exit(1);
}

/** What is read goes here and is not looked at again: every answer has to be as long as the first. */
const buffer = Buffer.allocUnsafe(1024 * 1024);

/** Length of an answer by its head. Being the first on its connection, it has arrived with nothing before it. */
function lengthOf(count: number): number {
  const text = buffer.toString('latin1', 0, count);
  const head = text.indexOf('\r\n\r\n') + 4;
  const length = Number(/\r\ncontent-length: (\d+)/i.exec(text.slice(0, head))?.[1]);
  if (!text.startsWith('HTTP/1.1 200 ') || head < 4 || !(length > 0)) fail(`unexpected answer ${text.slice(0, 100)}`);
  return head + length;
}

/** Opens a connection; the returned call sends the GET, and `onAnswer` is called when its answer is there. */
export function openConnection({ url, headers = {} }: GetOptions, onAnswer: () => void): () => void {
  const { hostname, host, port, pathname } = new URL(url);
  const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
  const request = `GET ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;
  let length = 0;
  let received = 0;
  const callback = (count: number): boolean => {
    length ||= lengthOf(count);
    received += count;
    if (received > length) fail(`answers of ${url} differ in length`);
    if (received === length) {
      received = 0;
      onAnswer();
    }
    return true;
  };
  const onread = { buffer, callback };
  const socket: Socket = connect({ host: hostname, port: Number(port), noDelay: true, onread });
  socket.on('error', (error) => fail(error.message));
  socket.on('close', () => fail(`${url} closed a connection`));
  return () => socket.write(request);
}

/** The options of the command line. */
export const readOptions = <T extends GetOptions>(): T => JSON.parse(process.argv[2] ?? '{}') as T;

/** Prints the result and ends, connections and all. */
export function finish(result: unknown): never {
  console.log(JSON.stringify(result));
  process.exit(0);
}
