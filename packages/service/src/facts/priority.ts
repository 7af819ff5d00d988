/** How the engine gives way to the threads that answer clients. */
import { execFile } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { setPriority } from 'node:os';
import type { Logger } from 'pino';

/** Answering clients comes first: the engine gives way to the API's threads. */
const NICE = 15;
/**
 * How the engine gives way. `low` is a nice value: a thread that wakes still waits for the engine to finish its slice.
 * `idle` is the kernel's idle class as well, which ends a slice at once, and leaves the engine next to nothing beside a
 * program that keeps every core busy.
 */
export type Priority = 'low' | 'idle';

/**
 * Lowers the engine's priority, which needs no rights; where the system refuses, it runs as it is. On Linux a priority is a
 * thread's, not a process's: those that run the queries are there by now, and would stay beside the API's.
 */
export function giveWay(pid: number, priority: Priority, log: Logger | undefined): void {
  try {
    const threads = process.platform === 'linux' ? readdirSync(`/proc/${pid}/task`).map(Number) : [pid];
    for (const thread of threads) setPriority(thread, NICE);
  } catch {}
  if (priority === 'low') return;
  execFile('chrt', ['--idle', '--all-tasks', '--pid', '0', String(pid)], (error) => {
    if (error)
      log?.warn({ err: error }, 'the reporting engine stays at low priority: chrt (util-linux) could not lower it');
  });
}
