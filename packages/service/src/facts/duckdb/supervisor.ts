/** Keeps an engine running: starts it, and restarts it when it ends. */
import { setTimeout as sleep } from 'node:timers/promises';
import { EngineGone } from '../errors.ts';
import { type EngineChild, type EngineOptions, EngineRefused, spawnChild } from './engine-child.ts';
import type { Lane } from './protocol.ts';

export interface Supervisor {
  /** The engine that runs now, or is being started. */
  current(): EngineChild;
  /** Resolves when there is an engine to call. Throws EngineGone if none could be started within a while. */
  started(): Promise<void>;
  /** How often it was restarted. */
  restarts(): number;
  isClosing(): boolean;
  /** Ends the engine; interrupts what runs in the lanes. */
  close(held: Iterable<Lane>): Promise<void>;
}

/** How long a start waits for a locked file: the engine of a killed service ends a moment after it. */
const HELD_MS = 5000;
const CLOSE_MS = 3000;
/** How long a call waits for an engine that is being started. */
const START_MS = 20_000;

/** Starts the first engine. Throws Error if the facts cannot be opened. */
export async function superviseEngine(options: EngineOptions): Promise<Supervisor> {
  const { log } = options;
  let child: EngineChild;
  let up: Promise<void>;
  let closing = false;
  /** Whether the engine could not be started because the disk is full. */
  let full = false;
  let restarts = 0;

  async function spawn(): Promise<void> {
    full = false;
    const spawned: EngineChild = spawnChild(options, {
      onExit(code, signal) {
        if (!closing) log?.warn({ code, signal }, 'the reporting engine ended; it is started again');
      },
      onGone() {
        if (closing) return;
        restarts++;
        up = spawned.ended.then(startAgain);
        up.catch(() => undefined);
      },
    });
    child = spawned;
    try {
      await spawned.ready;
    } catch (error) {
      full = error instanceof EngineRefused && error.full;
      throw error;
    }
  }

  async function startAgain(): Promise<void> {
    for (let wait = 50; !closing; wait = Math.min(wait * 2, 5000)) {
      try {
        return await spawn();
      } catch (error) {
        log?.error({ err: error }, 'the reporting engine could not be started');
        await sleep(wait);
      }
    }
  }

  async function startFirst(): Promise<void> {
    for (let waited = 0; ; waited += 100) {
      try {
        return await spawn();
      } catch (error) {
        // Not the damaged block of another message.
        if (waited >= HELD_MS || !/\block\b/i.test((error as Error).message)) throw error;
        await sleep(100);
      }
    }
  }

  up = startFirst();
  await up;
  return {
    current: () => child,
    restarts: () => restarts,
    isClosing: () => closing,
    started: () => endsWithin(START_MS, up, () => new EngineGone('the reporting engine cannot be started', full)),
    async close(held) {
      closing = true;
      await up.catch(() => undefined);
      if (child.hasEnded()) return;
      for (const lane of held) child.send('interrupt', lane);
      child.send('close', null);
      const kill = setTimeout(child.kill, CLOSE_MS);
      await child.ended;
      clearTimeout(kill);
    },
  };
}

/** Waits at most this many milliseconds, then throws the error that `late` returns. */
async function endsWithin(ms: number, promise: Promise<void>, late: () => Error): Promise<void> {
  const passed = Promise.withResolvers<never>();
  const timer = setTimeout(() => passed.reject(late()), ms);
  try {
    await Promise.race([promise, passed.promise]);
  } finally {
    clearTimeout(timer);
  }
}
