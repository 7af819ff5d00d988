/** Lowers the priority of the engine, so that threads that answer clients come first. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { lowerPriority, NICE, type Priority } from '../../nice.ts';
import { createStarvation, sampleProcess } from './starved.ts';

const run = promisify(execFile);

/** How often `auto` checks whether the engine gets processor time, while it has work. */
const LOOK_MS = 400;
/** How long `auto` leaves an engine that got no processor time at `low` before it tries `idle` again. */
const LOW_MS = 60_000;

interface GivenWay {
  /** Stops managing the engine's priority. */
  stop(): void;
}

/** Puts all threads of a process, and those that they start, into a scheduling class; requires util-linux. */
const setClass = (pid: number, name: 'idle' | 'other'): Promise<unknown> =>
  run('chrt', [`--${name}`, '--all-tasks', '--pid', '0', String(pid)]);

/**
 * Throws unless this process may take threads of the engine out of the idle class again: Linux allows that with
 * CAP_SYS_NICE, or a limit of nice values (RLIMIT_NICE) that includes theirs.
 */
async function tryReturn(): Promise<void> {
  await run('nice', ['-n', String(NICE), 'chrt', '--idle', '0', 'chrt', '--other', '0', 'true']);
}

/**
 * Lowers the engine's priority, which requires no privileges; if the system refuses, it is unchanged. On Linux a
 * priority belongs to a thread, not a process: the threads that run queries already exist, and would otherwise keep the
 * priority of the API's. `busy` returns whether the engine has work.
 */
export function giveWay(pid: number, priority: Priority, busy: () => boolean, log: Logger | undefined): GivenWay {
  lowerPriority(pid);
  if (priority === 'low' || (priority === 'auto' && process.platform !== 'linux')) return { stop: () => undefined };
  let stopped = false;
  let watching: NodeJS.Timeout | undefined;

  async function idle(): Promise<void> {
    try {
      if (priority === 'auto') await tryReturn();
    } catch (error) {
      log?.debug({ err: error }, 'the reporting engine stays at low priority: it could not leave the idle class again');
      return;
    }
    try {
      if (!stopped) await setClass(pid, 'idle');
      if (priority === 'auto' && !stopped) watch();
    } catch (error) {
      if (!stopped)
        log?.warn(
          { err: error },
          'the reporting engine stays at low priority: chrt (util-linux) could not lower it further',
        );
    }
  }

  function watch(): void {
    const starves = createStarvation();
    watching = setInterval(() => {
      if (!busy()) return;
      try {
        if (starves(sampleProcess(pid))) void low();
      } catch {} // it has ended
    }, LOOK_MS).unref();
  }

  async function low(): Promise<void> {
    clearInterval(watching);
    try {
      await setClass(pid, 'other');
      log?.info(
        'the reporting engine got next to no processor time beside other programs: it is at low priority for a minute',
      );
    } catch (error) {
      if (!stopped) log?.warn({ err: error }, 'the reporting engine could not leave the idle class');
    }
    if (!stopped) watching = setTimeout(() => void idle(), LOW_MS).unref();
  }

  void idle();
  return {
    stop() {
      stopped = true;
      clearTimeout(watching);
    },
  };
}
