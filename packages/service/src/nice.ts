/** How processes that do background work give way to the threads that answer clients. */
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

/**
 * How the reporting engine gives way. `low` is a nice value: a thread that wakes still waits for the engine to finish its slice.
 * `idle` is the kernel's idle class as well, which ends a slice at once, and leaves the engine next to nothing beside a
 * program that keeps every core busy. `auto` is `idle`, and `low` for a minute when the engine gets next to nothing; where
 * this process may not take a thread out of the idle class again, it is `low`.
 */
export type Priority = 'auto' | 'low' | 'idle';
export const PRIORITIES = ['auto', 'low', 'idle'] as const satisfies Priority[];

/** Answering clients comes first. */
export const NICE = 15;

/**
 * Lowers the priority of a child process, which needs no rights; where the system refuses, it runs as it is. On Linux a
 * priority is a thread's, not a process's: all threads that are there get it, and those that they begin.
 */
export function lowerPriority(pid: number): void {
  try {
    const threads = process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
    for (const thread of threads) setPriority(thread, NICE);
  } catch {}
}

/** Answering clients comes before reading loads and imports, which come before the engine. */
const READING_NICE = 10;

/** Lowers the priority of the thread that calls, which reads for others; where the system refuses, it runs as it is. */
export function lowerThisThread(): void {
  // On Linux 0 is this thread alone, elsewhere the whole process.
  if (process.platform !== 'linux') return;
  try {
    setPriority(0, READING_NICE);
  } catch {}
}
