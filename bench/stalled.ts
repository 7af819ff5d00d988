/**
 * Readers that do not read: so many connections that ask for a URL, wait for the first bytes and take no more. Prints a
 * line when all of them have stopped, and one with how many were cut, when all were or at the end of the time.
 * `node bench/stalled.ts '{"url":…}'`
 */
import { connect, type Socket } from 'node:net';

export interface StalledOptions {
  url: string;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
}

const { url, headers, connections, seconds } = JSON.parse(process.argv[2] ?? '{}') as StalledOptions;
const { hostname, host, port, pathname } = new URL(url);
const lines = Object.entries({ host, ...headers }).map(([name, value]) => `${name}: ${value}`);
const request = `GET ${pathname} HTTP/1.1\r\n${lines.join('\r\n')}\r\n\r\n`;

/** For what the kernel holds of all of them, some 2.5 GB. */
const READ_MS = 60_000;
const stalled: Socket[] = [];
for (let i = 0; i < connections; i++) {
  const socket = connect(Number(port), hostname, () => socket.write(request));
  socket.on('error', () => undefined);
  socket.once('data', () => {
    socket.pause();
    stalled.push(socket);
    if (stalled.length === connections) console.log(connections);
  });
}

setTimeout(() => {
  // A paused socket does not report its end: it is read until the kernel has no more bytes, and then it has ended or
  // not.
  let cut = 0;
  const finish = (): never => {
    console.log(cut);
    process.exit(0);
  };
  for (const socket of stalled) {
    // A whole answer is followed by no end: the connection is kept.
    socket.once('close', () => {
      if (++cut === stalled.length) finish();
    });
    socket.resume();
  }
  setTimeout(finish, READ_MS);
}, seconds * 1000);
