/** The nodes of the histories on real servers, as processes that can be killed and frozen, and their messages. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Body } from '../laws/protocol-bodies.ts';

export interface Counts {
  deaths: number;
  freezes: number;
  late: number;
}
/** What a node is asked to do. */
export type Asked = { seed: number } & (
  | { kind: 'load'; caller: number; bodies: Body[] }
  | { kind: 'sweep' | 'promote' }
);
/** What it tells. */
export type Told =
  | { kind: 'ready' }
  /** The numbers that a caller's bodies have, before any row is sent. */
  | { kind: 'numbers'; caller: number; loads: { index: number; load: number }[] }
  | { kind: 'acknowledged'; caller: number; loads: { load: number; accepted: number }[] }
  /** Nothing of them is kept. */
  | { kind: 'refused'; caller: number; loads: number[] }
  | { kind: 'ended'; caller: number; counts: Counts }
  | { kind: 'maintained'; of: 'sweep' | 'promote'; done: number; counts: Counts };

export interface HistoryNode {
  /** False while it is started again. */
  isUp(): boolean;
  send(asked: Asked): void;
  freeze(ms: number): Promise<void>;
  /** Kills it and its engine, and starts another with an empty disk. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface NodeOptions {
  url: string;
  ledgerUrl: string;
  /** For the folders of the nodes. */
  folder: string;
  leaseMs: number;
  graceMs: number;
  onTold(told: Told): void;
  /** Called when it was killed, with the callers that were under way. */
  onKilled(callers: number[]): void;
}

const NODE = fileURLToPath(new URL('./history-node.ts', import.meta.url));

/** Starts a node; resolves when it is ready. */
export async function startHistoryNode(options: NodeOptions): Promise<HistoryNode> {
  const { url, ledgerUrl, leaseMs, graceMs } = options;
  let child: ChildProcess | undefined;
  let underWay = new Set<number>();

  async function start(): Promise<void> {
    const folder = await mkdtemp(join(options.folder, 'node-'));
    const args = [url, ledgerUrl, folder, String(leaseMs), String(graceMs)];
    const started = fork(NODE, args, { execArgv: ['--disable-warning=ExperimentalWarning'] });
    const ready = Promise.withResolvers<void>();
    const callers = new Set<number>();
    started.on('message', (told: Told) => {
      if (told.kind === 'ready') ready.resolve();
      else {
        if (told.kind === 'ended') callers.delete(told.caller);
        options.onTold(told);
      }
    });
    // Its last messages have come when the channel is closed.
    started.once('disconnect', () => {
      options.onKilled([...callers]);
      void rm(folder, { recursive: true, force: true }).catch(() => undefined);
    });
    started.once('exit', (code) => ready.reject(new Error(`a node ended with ${code}`)));
    await ready.promise;
    [child, underWay] = [started, callers];
  }
  async function kill(): Promise<void> {
    const ending = child;
    child = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'close');
    ending.kill('SIGKILL');
    await ended;
  }

  await start();
  return {
    isUp: () => child !== undefined,
    send(asked) {
      if (!child) throw new Error('the node is started again');
      if (asked.kind === 'load') underWay.add(asked.caller);
      child.send(asked);
    },
    async freeze(ms) {
      const frozen = child;
      frozen?.kill('SIGSTOP');
      await new Promise((resolve) => setTimeout(resolve, ms));
      frozen?.kill('SIGCONT');
    },
    async restart() {
      await kill();
      await start();
    },
    stop: kill,
  };
}
