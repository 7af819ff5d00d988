/** One process of the engine, from start to end. */
import { fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { environmentOf } from '../../config/config.ts';
import type { Priority } from '../../nice.ts';
import { connectPeer, type PeerConnection } from '../../threads/calls.ts';
import { processPeer, sibling } from '../../threads/peers.ts';
import { EngineGone } from '../errors.ts';
import { giveWay } from './priority.ts';
import { type EngineCalls, type EngineFailure, LANES } from './protocol.ts';

export interface EngineOptions {
  folder: string;
  memoryMb: number;
  /** `auto` by default. */
  priority?: Priority | undefined;
  readable: string[];
  log?: Logger | undefined;
}

export interface EngineChild extends PeerConnection<EngineCalls> {
  /** Resolves when it can be called; rejects with EngineRefused if it cannot open the facts. */
  ready: Promise<void>;
  /** Resolves when the process has ended. */
  ended: Promise<void>;
  pid(): number;
  isConnected(): boolean;
  hasEnded(): boolean;
  /** Kills it. It counts as gone immediately. */
  kill(): void;
}

/** The engine could not open the facts. */
export class EngineRefused extends Error {
  override readonly name = 'EngineRefused';
  /** Whether the reason is a full disk. */
  readonly full: boolean;
  constructor(message: string, full: boolean) {
    super(message);
    this.full = full;
  }
}

/** Events of the process once it is ready. */
interface ChildEvents {
  /** Called once: pending calls are rejected with EngineGone. */
  onGone(): void;
  onExit(code: number | null, signal: string | null): void;
}

/** A query occupies a thread of libuv's pool while it runs: one for each lane, and some for the engine's reads. */
const THREADS = LANES.length + 3;

export function spawnChild(options: EngineOptions, events: ChildEvents): EngineChild {
  const { folder, memoryMb, readable, priority = 'auto', log } = options;
  const child = fork(fileURLToPath(sibling('engine', import.meta.url)), [folder, String(memoryMb), ...readable], {
    serialization: 'advanced',
    execArgv: ['--disable-warning=ExperimentalWarning'],
    env: environmentOf({ UV_THREADPOOL_SIZE: String(THREADS) }),
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const peer = processPeer(child, 'the reporting engine');
  const calls = connectPeer<EngineCalls>(peer, { errorOfEnd: () => new EngineGone('the reporting engine ended') });
  const kill = (): void => void peer.end();
  let isReady = false;
  let isGone = false;
  peer.onEnd(() => {
    if (isReady && !isGone) events.onGone();
    isGone = true;
  });
  child.on('exit', (code, signal) => {
    if (isReady) events.onExit(code, signal);
  });

  async function open(): Promise<void> {
    try {
      await calls.call('open', null);
    } catch (error) {
      await peer.end();
      const { fromEngine, full = false, message } = error as Error & Partial<EngineFailure>;
      throw new EngineRefused(fromEngine ? message : 'the engine ended before it was ready', full);
    }
    isReady = true;
    if (child.pid) child.once('exit', giveWay(child.pid, priority, () => calls.pending() > 0, log).stop);
  }

  /** A failed engine would refuse all further calls: they wait for the next one. */
  function failed(error: unknown): unknown {
    const { fatal, full, message } = error as Error & Partial<EngineFailure>;
    if (!fatal) return error;
    log?.error({ err: message }, 'the reporting engine failed and is started again');
    kill();
    return new EngineGone('the reporting engine failed', full);
  }

  return {
    ...calls,
    call: (name, input, onNote) =>
      calls.call(name, input, onNote).catch((error) => {
        throw failed(error);
      }),
    ready: open(),
    ended: peer.ended,
    kill,
    pid: () => child.pid ?? 0,
    isConnected: () => child.connected,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
  };
}
