/** One process of the engine, from start to end. */
import { type ChildProcess, fork } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import type { Logger } from 'pino';
import { environmentOf } from '../../config/config.ts';
import type { Priority } from '../../nice.ts';
import { sibling } from '../../sibling.ts';
import { giveWay } from './priority.ts';
import { type EngineAnswer, type FromEngine, LANES, type Lane, type ToEngine } from './protocol.ts';

export interface EngineOptions {
  folder: string;
  memoryMb: number;
  /** `auto` by default. */
  priority?: Priority | undefined;
  readable: string[];
  log?: Logger | undefined;
}

export interface EngineChild {
  /** Resolves when it can be called; rejects with EngineRefused if it cannot open the facts. */
  ready: Promise<void>;
  /** Resolves when the process has ended. */
  ended: Promise<void>;
  pid(): number;
  isConnected(): boolean;
  hasEnded(): boolean;
  /** Calls back with an error if the message could not be sent: the engine counts as gone from then on. */
  send(message: ToEngine, sent?: (error: Error | null) => void): void;
  interrupt(lane: Lane): void;
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
export interface ChildEvents {
  onAnswer(answer: EngineAnswer): void;
  /** Called once: pending calls will not be answered. */
  onGone(): void;
  onExit(code: number | null, signal: string | null): void;
  /** Whether it has work, so that `auto` notices when it gets no processor time. */
  isBusy(): boolean;
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
  const ready = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  let refused = new EngineRefused('the engine ended before it was ready', false);
  let isReady = false;
  let isGone = false;
  // The channel may close shortly before or after the process is known to have ended; the first of the two counts.
  const onGone = (): void => {
    if (isGone || !isReady) return;
    isGone = true;
    events.onGone();
  };
  child.on('message', (message: FromEngine) => {
    if (message.kind === 'ready') {
      isReady = true;
      if (child.pid) child.once('exit', giveWay(child.pid, priority, events.isBusy, log).stop);
      ready.resolve();
    } else if (message.kind === 'refused') refused = new EngineRefused(message.message, message.full);
    else events.onAnswer(message);
  });
  child.on('exit', (code, signal) => {
    if (isReady) events.onExit(code, signal);
    else ready.reject(refused);
    ended.resolve();
  });
  child.on('disconnect', onGone);
  child.on('exit', onGone);
  return { ready: ready.promise, ended: ended.promise, ...handleOf(child, onGone) };
}

function handleOf(child: ChildProcess, onGone: () => void): Omit<EngineChild, 'ready' | 'ended'> {
  const kill = (): void => {
    onGone();
    child.kill('SIGKILL');
  };
  // The events of a process that ended come later: until then every call would be refused, also those that could wait for the next engine.
  const send: EngineChild['send'] = (message, sent = () => undefined) =>
    void child.send(message, (error) => {
      if (error) kill();
      sent(error);
    });
  return {
    send,
    kill,
    pid: () => child.pid ?? 0,
    isConnected: () => child.connected,
    hasEnded: () => child.exitCode !== null || child.signalCode !== null,
    interrupt: (lane) => send({ kind: 'interrupt', lane }),
  };
}
