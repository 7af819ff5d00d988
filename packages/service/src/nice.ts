/** Lowers the priority of background work, so that threads that answer clients come first. */
import { readdirSync, readFileSync } from 'node:fs';
import { getPriority, setPriority } from 'node:os';

/**
 * How the reporting engine yields the processor. `low` is a nice value: a thread that wakes still waits for the
 * engine's time slice.
 * `idle` also uses the kernel's idle class, which ends a slice immediately, and leaves the engine almost nothing beside
 * a program that keeps every core busy. `auto` is `idle`, and `low` for a minute when the engine gets almost nothing;
 * if this process may not take a thread out of the idle class again, `auto` is `low`.
 */
export type Priority = 'auto' | 'low' | 'idle';
export const PRIORITIES = ['auto', 'low', 'idle'] as const satisfies Priority[];

/** The nice value of the engine: answering clients comes first. */
export const NICE = 15;

/**
 * Lowers the priority of a child process, which requires no privileges; if the system refuses, it is unchanged. On
 * Linux a priority belongs to a thread, not a process: all existing threads get it, and so do those that they start.
 */
export function lowerPriority(pid: number): void {
  try {
    const threads = process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
    for (const thread of threads) setPriority(thread, NICE);
  } catch {}
}

/** Answering clients comes before reading loads and imports, which come before the engine. */
const READING_NICE = 10;

/** Lowers the priority of the calling thread, which reads bodies; if the system refuses, it is unchanged. */
export function lowerThisThread(): void {
  // On Linux, 0 is only this thread; elsewhere it is the whole process.
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, READING_NICE);
  } catch {}
}

/**
 * The name of V8's own threads, which compile functions and collect garbage for all JavaScript threads of a process.
 */
const V8_THREAD = 'V8Worker';

/**
 * Lowers the priority of V8's own threads in this process, on Linux; if the system refuses, it is unchanged. While a
 * year was gathered and orders streamed in, the event loop waited for them in 60 % of the time of its slowest answers:
 * each of the four keeps a core for 4 ms, and they took turns. Not lower than the threads that read bodies: garbage
 * collection on the event loop waits for its parts that run in these threads, so they must not starve beside other
 * programs.
 */
export function lowerV8Threads(): void {
  if (process.platform !== 'linux') return;
  try {
    for (const thread of readdirSync('/proc/self/task')) {
      if (readFileSync(`/proc/self/task/${thread}/comm`, 'latin1').trim() !== V8_THREAD) continue;
      const id = Number(thread);
      setPriority(id, Math.max(getPriority(id), READING_NICE));
    }
  } catch {}
}
