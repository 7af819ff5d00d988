/**
 * Reads a URL to its end, again and again: `node bench/drain.ts '{"url":…}'` prints bytes per second. It works on the
 * bare socket into one buffer, so that it costs less than anything that it measures.
 */
import { connect } from 'node:net';

const { url, headers = {} } = JSON.parse(process.argv[2] ?? '{}') as {
  url: string;
  headers?: Record<string, string>;
};
const { hostname, port, pathname } = new URL(url);
const buffer = Buffer.allocUnsafe(1024 * 1024);

/** Bytes of one answer, its head included. Throws unless it is a 200 of the length that it says. */
function read(): Promise<number> {
  return new Promise((resolve, reject) => {
    let bytes = 0;
    let expected = Number.NaN;
    const socket = connect({
      host: hostname,
      port: Number(port),
      onread: {
        buffer,
        callback(count) {
          if (bytes === 0) {
            const head = buffer.toString('latin1', 0, Math.min(count, 4096));
            const end = head.indexOf('\r\n\r\n') + 4;
            if (!head.startsWith('HTTP/1.1 200')) reject(new Error(`not a 200 from ${url}`));
            expected = end + Number(/content-length: (\d+)/i.exec(head)?.[1]);
          }
          bytes += count;
          return true;
        },
      },
    });
    socket.on('error', reject);
    socket.on('close', () => {
      if (bytes === expected) resolve(bytes);
      else reject(new Error(`${bytes} bytes of ${expected} from ${url}`));
    });
    const lines = Object.entries({ host: hostname, connection: 'close', ...headers }).map(([k, v]) => `${k}: ${v}`);
    socket.write(`GET ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`);
  });
}

// Several times over: one takes less than a tenth of a second.
const TIMES = 8;
const began = performance.now();
let total = 0;
for (let i = 0; i < TIMES; i++) total += await read();
console.log(JSON.stringify((total / (performance.now() - began)) * 1000));
