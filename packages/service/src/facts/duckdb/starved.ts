/** Detects a process in the kernel's idle class that has work but gets almost no processor time. Linux only. */
import { readdirSync, readFileSync } from 'node:fs';

/** The unit in which the kernel reports processor time: `USER_HZ`, 100 per second on every system that Node runs on. */
const KERNEL_TICK_MS = 10;
/** Less than this share of one core counts as almost none: in the idle class a thread gets 0.3 % of a busy core. */
const LEAST_SHARE = 0.05;
/** After this many such samples in a row, the process is not just waiting for a short burst of others to end. */
const SAMPLES = 2;

/** The state of a process at one time. */
interface ProcessSample {
  /** Time of the sample, in milliseconds. */
  at: number;
  /** Total processor time of its threads so far, in milliseconds. */
  cpuMs: number;
  /** Whether one of its threads runs or waits for a core. */
  runnable: boolean;
}

/** The fields of proc(5)'s stat after the name, which may contain blanks: state, …, utime [11], stime [12]. */
function readStat(path: string): string[] {
  const stat = readFileSync(path, 'latin1');
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ');
}

/** Samples a process: some 20 reads of 10 µs. Throws if it has ended. */
export function sampleProcess(pid: number): ProcessSample {
  const fields = readStat(`/proc/${pid}/stat`);
  const cpuMs = (Number(fields[11]) + Number(fields[12])) * KERNEL_TICK_MS;
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
 * Evaluates consecutive samples of a process: true once it was runnable in each of three in a row and got less
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
