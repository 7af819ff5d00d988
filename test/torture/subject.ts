/** The service that is tortured: a process on a data folder of its own, that can be killed and started again. */
import type { ChildProcess } from 'node:child_process';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { serve, stop, tokenOf } from '../commands/process.ts';
import { freePort } from '../ports.ts';
import { call, RESTAURANT, type Target } from './load.ts';

export interface Subject {
  data: string;
  /** Where it is now. */
  target(): Target;
  /** The processes: the service's own, and its engine's. */
  pids(): Promise<{ service: number; engine: number; all: number[] }>;
  /** Whether its process has ended. */
  hasEnded(): Promise<boolean>;
  /** Starts it again on the same folder and port. */
  start(): Promise<void>;
  stop(signal?: NodeJS.Signals): Promise<number | null>;
  /** Kills it and removes the folder. */
  close(): Promise<void>;
}

const ENV = {
  DAYPART_BOOTSTRAP_CLIENT: 'me:secret:group',
  DAYPART_LOG_LEVEL: 'silent',
  // A report that is cut off by every kill is still to be gathered in the end.
  DAYPART_ATTEMPTS: '100',
};

/** Makes a folder, starts a service on it, and makes a restaurant. */
export async function openSubject(env: Record<string, string> = {}): Promise<Subject> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-torture-'));
  const data = join(folder, 'data');
  // It is started again on its port while clients try to connect.
  const port = String(await freePort());
  let child: ChildProcess;
  let target: Target;
  const subject: Subject = {
    data,
    target: () => target,
    async pids() {
      const children = await readFile(`/proc/${child.pid}/task/${child.pid}/children`, 'utf8');
      const pids = children.trim().split(' ').filter(Boolean).map(Number);
      return { service: Number(child.pid), engine: pids[0] ?? 0, all: [Number(child.pid), ...pids] };
    },
    hasEnded: async () => child.exitCode !== null || child.signalCode !== null,
    async start() {
      const started = await serve(['--data', data, '--port', port], { ...ENV, ...env });
      child = started.child;
      child.stdout?.resume();
      const { access_token: token } = (await (await tokenOf(started.base, 'me', 'secret')).json()) as {
        access_token: string;
      };
      target = { base: started.base, token };
    },
    stop: (signal) => stop(child, signal),
    async close() {
      await stop(child, 'SIGKILL');
      await rm(folder, { recursive: true, force: true });
    },
  };
  await subject.start();
  const { status, text } = await call(subject.target(), 'PUT', `/restaurants/${RESTAURANT}`, {
    name: 'Bistro',
    timeZone: 'America/New_York',
  });
  if (status !== 201) throw new Error(text);
  return subject;
}
