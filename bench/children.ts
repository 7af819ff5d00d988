/** The other processes of a measurement: limits and clients, so that neither takes time from what is measured. */
import { type ChildProcess, execFile, fork, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { type AddressInfo, connect } from 'node:net';
import { dirname, join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const script = (name: string): string => fileURLToPath(new URL(name, import.meta.url));

export interface Limit {
  pid: number;
  url: string;
  stop(): Promise<void>;
}

async function stopChild(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGTERM');
  await ended;
}

/** Raw node:http that sends a file: `bytes` from memory, `stream` from the disk. */
export async function startLimit(kind: 'bytes' | 'stream', file: string): Promise<Limit> {
  const child = fork(script('limits.ts'), [kind, file], { stdio: ['ignore', 'pipe', 'inherit', 'ipc'] });
  const { stdout, pid } = child;
  if (!stdout || !pid) throw new Error('the limit did not start');
  const [url] = (await once(createInterface(stdout), 'line')) as [string];
  return { pid, url, stop: () => stopChild(child) };
}

const NGINX = '/usr/sbin/nginx';

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, 'close');
  return port;
}

/** nginx sending a file with sendfile; undefined where it is not installed. */
export async function startNginx(file: string): Promise<Limit | undefined> {
  if (!existsSync(NGINX)) return undefined;
  const folder = `${file}-nginx`;
  const port = await freePort();
  await mkdir(folder);
  const temp = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${folder}/${name};`,
  );
  await writeFile(
    join(folder, 'nginx.conf'),
    `daemon off; master_process off; pid ${folder}/pid; error_log stderr;
events {}
http { access_log off; sendfile on; tcp_nopush on; ${temp.join(' ')}
server { listen 127.0.0.1:${port}; root ${dirname(file)}; } }`,
  );
  const child = spawn(NGINX, ['-c', join(folder, 'nginx.conf'), '-p', folder], { stdio: 'ignore' });
  for (let tries = 0; ; tries++) {
    const socket = connect(port, '127.0.0.1');
    const up = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (up) break;
    if (tries === 50) throw new Error('nginx did not start');
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  return {
    pid: child.pid ?? 0,
    url: `http://127.0.0.1:${port}/${file.slice(dirname(file).length + 1)}`,
    async stop() {
      await stopChild(child);
      await rm(folder, { recursive: true, force: true });
    },
  };
}

export interface Shots {
  requestsPerSecond: number;
  /** Milliseconds. */
  p99: number;
}

/** Sends GETs with autocannon from a process of its own; throws when any is not answered 200. */
export async function shoot(options: {
  url: string;
  headers?: Record<string, string>;
  connections: number;
  seconds: number;
  /** Requests a second in all; as many as there can be by default. */
  rate?: number;
}): Promise<Shots> {
  const { stdout } = await promisify(execFile)(process.execPath, [script('cannon.ts'), JSON.stringify(options)]);
  return JSON.parse(stdout) as Shots;
}

/** Reads a URL to its end from a process of its own, several times over; answers bytes per second of each. */
export async function drain(options: {
  url: string;
  headers?: Record<string, string>;
  times: number;
}): Promise<number[]> {
  const { stdout } = await promisify(execFile)(process.execPath, [script('drain.ts'), JSON.stringify(options)]);
  return JSON.parse(stdout) as number[];
}

/** CPU seconds that a process has used, all its threads together. */
export function cpuSeconds(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
