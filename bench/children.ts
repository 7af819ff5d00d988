/**
 * The other processes of a measurement, for limits and clients, so that they do not take processor time from the
 * measured one.
 */
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
import type { GetOptions } from './get.ts';

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

/** Starts a script of this folder that works until it is stopped. */
export function startEndless(name: string): { pid: number; stop(): Promise<void> } {
  const child = fork(script(name), { stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
  if (!child.pid) throw new Error(`${name} did not start`);
  return { pid: child.pid, stop: () => stopChild(child) };
}

/** Runs a script of this folder with its options as JSON; answers the JSON that it prints. */
export async function answerOf<T>(name: string, options: object): Promise<T> {
  const { stdout } = await promisify(execFile)(process.execPath, [script(name), JSON.stringify(options)]);
  return JSON.parse(stdout) as T;
}

/**
 * GETs over so many connections, as fast as they are answered; answers requests a second. Throws unless all are 200.
 */
export const closedLoop = (options: GetOptions): Promise<number> => answerOf('closed-loop.ts', options);

/**
 * GETs at a steady rate (requests a second); answers the 99th percentile in milliseconds. Throws unless all are 200.
 */
export const steadyP99 = (options: GetOptions & { rate: number }): Promise<number> => answerOf('steady.ts', options);

/** Reads a URL to its end, several times; answers bytes per second. */
export const drain = (options: { url: string; headers?: Record<string, string> }): Promise<number> =>
  answerOf('drain.ts', options);

/** The most that a process has ever had in memory, in bytes. */
export function peakBytes(pid: number): number {
  return Number(/VmHWM:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}

/** A file of /proc; empty where its process has ended meanwhile, as those that PostgreSQL starts now and then do. */
function readProcess(path: string): string {
  try {
    return readFileSync(`/proc/${path}`, 'utf8');
  } catch (error) {
    if (['ENOENT', 'ESRCH'].includes((error as NodeJS.ErrnoException).code ?? '')) return '';
    throw error;
  }
}

/** The processes that a process started. */
export function childrenOf(pid: number): number[] {
  return readProcess(`${pid}/task/${pid}/children`).trim().split(' ').filter(Boolean).map(Number);
}

/** Clock ticks of /proc in a second, as Linux has had them on every machine of the last 20 years. */
const TICKS = 100;

/**
 * The sum of two fields of `/proc/PID/stat` that follow each other, in seconds; counted from the state of the process.
 */
function statSeconds(pid: number, field: number): number {
  const [, fields = ''] = readProcess(`${pid}/stat`).split(') ');
  const [user = '0', system = '0'] = fields.split(' ').slice(field, field + 2);
  return (Number(user) + Number(system)) / TICKS;
}

/** Seconds of a processor that a process has had, all of its threads. */
export const processorSeconds = (pid: number): number => statSeconds(pid, 11);

/** Seconds of a processor that those processes have had which it started and which have ended. */
export const reapedSeconds = (pid: number): number => statSeconds(pid, 13);

/** A process and all that it started, and they. */
export const treeOf = (pid: number): number[] => [pid, ...childrenOf(pid).flatMap(treeOf)];

/** Processor seconds of a process and of those that it started and that are running. */
export const treeSeconds = (pid: number): number => treeOf(pid).reduce((sum, one) => sum + processorSeconds(one), 0);

/** Resident memory of a process in bytes. */
export function residentBytes(pid: number): number {
  return Number(/VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024;
}
