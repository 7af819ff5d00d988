/**
 * The limits that figures are compared with, each in its own process: `node bench/limits.ts bytes|stream FILE` is raw
 * node:http that sends a file, from memory or streamed, and does nothing else. Prints its URL.
 */
import { createReadStream, readFileSync, statSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

const [kind = '', file = ''] = process.argv.slice(2);
const type = 'application/json; charset=utf-8';
const { size } = statSync(file);
/** As the service reads: with node's own 64 kB it would be a lower limit. */
const highWaterMark = 1024 * 1024;

function listener() {
  const body = kind === 'bytes' ? readFileSync(file) : undefined;
  return createServer((_request, response) => {
    response.writeHead(200, { 'content-type': type, 'content-length': size });
    if (body) response.end(body);
    else createReadStream(file, { highWaterMark }).pipe(response);
  });
}

const server = listener().listen(0, '127.0.0.1', () => {
  console.log(`http://127.0.0.1:${(server.address() as AddressInfo).port}/`);
});
process.on('disconnect', () => process.exit(0));
