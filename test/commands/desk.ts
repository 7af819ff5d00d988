/** The commands for reports in a realistic setup: their own folder, a pseudo-terminal, a connection that can be cut. */
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer as createHttp, type Server } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { clockEnvironment } from '../clock.ts';
import { type Call, call } from './in-process.ts';
import type { Ended } from './process.ts';

export const BIN = fileURLToPath(new URL('../../packages/service/bin/daypart.mjs', import.meta.url));

/** Whether there is util-linux's `script`, which gives a command a terminal. */
export const HAS_SCRIPT = spawnSync('script', ['-qec', 'true', '/dev/null']).status === 0;

export interface Desk {
  folder: string;
  /** Runs a command with its output piped, in the process of the test. */
  run(args: string[], options?: Options): Promise<Ended>;
  /** The same in a process of its own. */
  spawn(args: string[], options?: Options): Promise<Ended>;
  /** Runs it on a terminal; answers all that a person would be sent. */
  onTerminal(args: string[], options?: OnTerminal): Promise<{ code: number | null; text: string }>;
  close(): Promise<void>;
}

interface Options extends Pick<Call, 'input' | 'watch'> {
  env?: Record<string, string>;
}

interface OnTerminal {
  env?: Record<string, string>;
  columns?: number;
  /** What is typed: each answer once its question is shown. */
  answers?: [question: string, answer: string][];
}

/** A home of its own, and what environment each command starts with. */
export async function openDesk(env: Record<string, string> = {}): Promise<Desk> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-desk-'));
  const base = {
    ...clockEnvironment(),
    PATH: process.env.PATH,
    HOME: folder,
    TZ: 'UTC',
    LC_ALL: 'C.UTF-8',
    TERM: 'xterm-256color',
    ...env,
  };
  return {
    folder,
    run: (args, { env: more = {}, ...options } = {}) =>
      call(args, { ...options, cwd: folder, env: { ...base, ...more } }),
    async spawn(args, options = {}) {
      const child = spawn(process.execPath, [BIN, ...args], { cwd: folder, env: { ...base, ...options.env } });
      let [out, err] = ['', ''];
      const watch = (): void => options.watch?.(out + err, (name) => void child.kill(name));
      child.stdout.setEncoding('utf8').on('data', (chunk) => {
        out += chunk;
        watch();
      });
      child.stderr.setEncoding('utf8').on('data', (chunk) => {
        err += chunk;
        watch();
      });
      const looking = setInterval(watch, 20);
      child.stdin.end(options.input ?? '');
      const [code] = await once(child, 'close');
      clearInterval(looking);
      return { code, out, err };
    },
    async onTerminal(args, { columns = 100, env: more = {}, answers = [] } = {}) {
      const quoted = [process.execPath, BIN, ...args].map((word) => `'${word.replaceAll("'", "'\\''")}'`).join(' ');
      const child = spawn('script', ['-qec', `stty cols ${columns} rows 40; ${quoted}`, '/dev/null'], {
        cwd: folder,
        env: { ...base, ...more },
      });
      const waiting = [...answers];
      let [text, looked] = ['', 0];
      child.stdout.setEncoding('utf8').on('data', (chunk) => {
        text += chunk;
        const [question, answer] = waiting[0] ?? [];
        const at = question === undefined ? -1 : text.indexOf(question, looked);
        if (at < 0) return;
        looked = at + (question ?? '').length;
        waiting.shift();
        // The command reads only once it has written its question.
        setTimeout(() => child.stdin.write(`${answer}`), 50);
      });
      const [code] = await once(child, 'close');
      return { code, text };
    },
    close: () => rm(folder, { recursive: true, force: true }),
  };
}

/** What is seen of a terminal's text: without colours and movements, lines that were drawn over gone. */
export const seen = (text: string): string =>
  text
    .replace(/\r\n/g, '\n')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what terminals are told with
    .replace(/[^\n]*\r\u001b\[2K/g, '')
    // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what terminals are told with
    .replace(/\u001b\[[0-9;?]*[a-zA-Z]/g, '');

/** A connection to a service that is cut, or stalls, after some bytes. */
export interface Line {
  base: string;
  /** Bytes towards the caller that each connection carries. */
  carries: number;
  /** Whether it stalls after them instead of breaking. */
  stalls: boolean;
  /** The `Range` headers that came along. */
  ranges: string[];
  close(): Promise<void>;
}

export async function openLine(to: string): Promise<Line> {
  const { port, pathname } = new URL(to);
  const open = new Set<Socket>();
  const server = createServer((near) => {
    const far = connect(Number(port), '127.0.0.1');
    let carried = 0;
    for (const socket of [near, far]) {
      open.add(socket);
      socket
        .on('error', () => undefined)
        .on('close', () => {
          open.delete(socket);
          near.destroy();
          far.destroy();
        });
    }
    near.on('data', (chunk) => {
      line.ranges.push(...[...chunk.toString('latin1').matchAll(/^range: (.*)\r$/gim)].map(([, range = '']) => range));
      far.write(chunk);
    });
    far.on('data', (chunk) => {
      const room = line.carries - carried;
      carried += chunk.length;
      if (chunk.length <= room) near.write(chunk);
      else if (line.stalls) {
        if (room > 0) near.write(chunk.subarray(0, room));
      } else near.end(chunk.subarray(0, Math.max(0, room)), () => near.destroy());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const line: Line = {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    carries: Number.POSITIVE_INFINITY,
    stalls: false,
    ranges: [],
    async close() {
      for (const socket of open) socket.destroy();
      server.close();
      await once(server, 'close');
    },
  };
  return line;
}

/** The service as the live system is: JSON alone, checks by day, no status of reports. */
export async function openPlainService(to: string): Promise<{ base: string; calls: string[]; close(): Promise<void> }> {
  const { origin, pathname } = new URL(to);
  const calls: string[] = [];
  const server: Server = createHttp(async (request, response) => {
    const url = new URL(request.url ?? '', origin);
    calls.push(`${request.method} ${url.pathname}`);
    const missing = /\/reports(\/|$)|\/check\/(week|month|year)$/.test(url.pathname);
    if (missing) {
      response.writeHead(404, { 'content-type': 'application/json' }).end('{"message":"no such route"}');
      return;
    }
    url.searchParams.delete('format');
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const { authorization = '', 'content-type': type = 'application/json' } = request.headers;
    const answer = await fetch(url, {
      method: request.method ?? 'GET',
      headers: { ...(authorization ? { authorization } : {}), 'content-type': type },
      body: chunks.length > 0 ? Buffer.concat(chunks) : null,
    });
    response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type') ?? '' });
    response.end(Buffer.from(await answer.arrayBuffer()));
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    base: `http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`,
    calls,
    async close() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
