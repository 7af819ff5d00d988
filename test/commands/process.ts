/** The `daypart` command as a process of its own. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { clockEnvironment } from '../clock.ts';

/** The command of this checkout; that of another version is named where it is started. */
const BIN = fileURLToPath(new URL('../../packages/service/bin/daypart.mjs', import.meta.url));

export interface Ended {
  code: number | null;
  out: string;
  err: string;
}

/**
 * The whole environment of a command: tests ask more often than clients may, and nobody else calls their services while
 * they stop.
 */
export const environmentOf = (env: Record<string, string>): NodeJS.ProcessEnv => ({
  ...clockEnvironment(),
  PATH: process.env.PATH,
  DAYPART_LIMITS: 'off',
  DAYPART_DRAIN_SECONDS: '0',
  ...env,
});

export function start(args: string[], env: Record<string, string> = {}, bin = BIN): ChildProcess {
  return spawn(process.execPath, [bin, ...args], {
    env: environmentOf(env),
    stdio: ['ignore', 'pipe', 'pipe'],
  });
}

export async function run(args: string[], env: Record<string, string> = {}, bin = BIN): Promise<Ended> {
  const child = start(args, env, bin);
  let [out, err] = ['', ''];
  child.stdout?.on('data', (chunk) => {
    out += chunk;
  });
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, 'close');
  return { code, out, err };
}

/** Runs it to its end while nobody reads what it prints; its exit code, and what it says of errors. */
export async function runUnread(...args: string[]): Promise<[code: number | null, err: string]> {
  const child = start(args);
  child.stdout?.destroy();
  let err = '';
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  const [code] = await once(child, 'close');
  return [code, err];
}

/** What `daypart serve` begins with in tests. */
export const SERVE = ['serve', '--port', '0', '--metrics-port', 'off', '--engine-memory', '512'];

/** The base URL in what a service prints; undefined until it listens. */
export const baseIn = (text: string): string | undefined => /http:\/\/\S+\/v1/.exec(text)?.[0];

/** Starts `daypart serve` and answers its base URL once it listens. */
export async function serve(
  args: string[],
  env: Record<string, string> = {},
  bin = BIN,
): Promise<{ child: ChildProcess; base: string }> {
  const child = start([...SERVE, ...args], env, bin);
  let err = '';
  child.stderr?.on('data', (chunk) => {
    err += chunk;
  });
  for await (const line of createInterface({ input: child.stdout as NodeJS.ReadableStream })) {
    const base = baseIn(line);
    if (base) return { child, base };
  }
  throw new Error(`it ended: ${err}`);
}

export async function stop(child: ChildProcess, signal: NodeJS.Signals = 'SIGTERM'): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return child.exitCode;
  const closed = once(child, 'exit');
  child.kill(signal);
  const [code] = await closed;
  return code;
}

export async function tokenOf(base: string, id: string, secret: string): Promise<Response> {
  return await fetch(`${new URL(base).origin}/oauth/token`, {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }),
  });
}
