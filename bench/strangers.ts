/**
 * Strangers: so many connections that send wrong client secrets, each as soon as the one before it was answered. Prints
 * how many answers of each status there were. `node bench/strangers.ts '{"url":…}'`
 */
import { connect } from 'node:net';

export interface StrangersOptions {
  /** The token endpoint. */
  url: string;
  /** Clients to try, in turns. */
  ids: string[];
  connections: number;
  seconds: number;
}

const { url, ids, connections, seconds } = JSON.parse(process.argv[2] ?? '{}') as StrangersOptions;
const { hostname, host, port, pathname } = new URL(url);
const statuses: Record<string, number> = {};
let sent = 0;

function request(): string {
  // With a percent sign, so that there are two readings of it.
  const credentials = Buffer.from(`${ids[sent % ids.length]}:wrong%41${sent++}`).toString('base64');
  const body = 'grant_type=client_credentials';
  return [
    ...[`POST ${pathname} HTTP/1.1`, `Host: ${host}`, `Authorization: Basic ${credentials}`],
    'Content-Type: application/x-www-form-urlencoded',
    ...[`Content-Length: ${body.length}`, '', body],
  ].join('\r\n');
}

for (let i = 0; i < connections; i++) {
  const socket = connect(Number(port), hostname, () => socket.write(request()));
  socket.on('error', () => undefined);
  socket.on('data', (bytes) => {
    const status = /^HTTP\/1\.1 (\d+)/.exec(bytes.toString('latin1', 0, 16))?.[1] ?? 'cut';
    statuses[status] = (statuses[status] ?? 0) + 1;
    socket.write(request());
  });
}
setTimeout(() => {
  console.log(JSON.stringify(statuses));
  process.exit(0);
}, seconds * 1000);
