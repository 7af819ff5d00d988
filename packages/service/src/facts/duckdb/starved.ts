/** Whether a process in the kernel's idle class gets next to no processor time while it has work to do. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

/** The kernel counts processor time in these: `USER_HZ`, 100 a second on every system that Node runs on. */
const TICK_MS = 10;
/** Less of one core than this is next to none: in the idle class a thread gets 0.3 % of a busy core. */
const LEAST_SHARE = 0.05;
/** A process that starves in so many samples in a row is not only waiting for a burst to end. */
const SAMPLES = 2;

/** The state of a process at one time. */
export interface ProcessSample {
  /** When, in milliseconds. */
  at: number;
  /** Processor time of all of its threads so far, in milliseconds. */
  cpuMs: number;
  /** Whether one of its threads has a core or waits for one. */
  runnable: boolean;
}

/** The fields of proc(5)'s stat after the name, which may hold blanks: state, …, utime [11], stime [12]. */
function readStat(path: string): string[] {
  const stat = readFileSync(path, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Samples a process: some 20 reads of 10 µs. Throws when it has ended. */
export function sampleProcess(pid: number): ProcessSample {
  const fields = readStat(`/proc/${pid}/stat`);
  const cpuMs = (Number(fields[11]) + Number(fields[12])) * TICK_MS;
  const threads = readdirSync(`/proc/${pid}/task`);
  const runnable = threads.some((thread) => {
    try {
      return readStat(`/proc/${pid}/task/${thread}/stat`)[0] === 'R';
    } catch {
      return false; // it ended meanwhile
    }
  });
  return { at: performance.now(), cpuMs, runnable };
}

/**
 * Judges samples of a process, one after the other: true once it was runnable in each of three in a row and had less
 * than 5 % of a core between them. (The kernel's own count of waiting grows only when the wait is over.)
 */
export function createStarvation(): (sample: ProcessSample) => boolean {
  let last: ProcessSample | undefined;
  let starving = 0;
  return (sample) => {
    const starved =
      last?.runnable && sample.runnable && sample.cpuMs - last.cpuMs < LEAST_SHARE * (sample.at - last.at);
    last = sample;
    starving = starved ? starving + 1 : 0;
    return starving >= SAMPLES;
  };
}
