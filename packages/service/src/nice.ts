/** How processes that do background work give way to the threads that answer clients. */
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';

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
