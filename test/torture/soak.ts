/** Restaurants trade for a long time: memory and descriptors of both processes, early and late. */
import { readdir, readFile } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { startTrade, verdictOf } from './load.ts';
import { openSubject, type Subject } from './subject.ts';

interface Sample {
  /** Megabytes that are resident. */
  service: number;
  engine: number;
  /** Open descriptors of both. */
  files: number;
}

const SAMPLES_A_MINUTE = 12;
/** The engine may use so much; what it frees, its allocator may keep. */
const ENGINE_MB = 256;
/** Heaps and caches fill for a while: what is held late may be so much more than early on, and some megabytes. */
const GROWTH = 1.5;
const SLACK_MB = 100;
/** Descriptors that connections and loads under way may have at the instant of a look. */
const SLACK_FILES = 40;
/** A rest between the calls of each who trades: a soak is long, not heavy. */
const PAUSE_MS = 100;

async function look(subject: Subject): Promise<Sample> {
  const { service, engine } = await subject.pids();
  const resident = async (pid: number): Promise<number> =>
    Number(/VmRSS:\s+(\d+)/.exec(await readFile(`/proc/${pid}/status`, 'utf8'))?.[1]) / 1024;
  const files = async (pid: number): Promise<number> => (await readdir(`/proc/${pid}/fd`)).length;
  return {
    service: await resident(service),
    engine: await resident(engine),
    files: (await files(service)) + (await files(engine)),
  };
}

const middle = (values: number[]): number => values.toSorted((one, other) => one - other)[values.length >> 1] ?? 0;

/** Trades for so many minutes. Throws where anything was lost, or what is held grows. */
export async function soak(minutes: number, tell: (line: string) => void): Promise<string> {
  const subject = await openSubject({ DAYPART_ENGINE_MEMORY: String(ENGINE_MB) });
  try {
    const trade = startTrade(subject.target, { pauseMs: PAUSE_MS });
    const samples: Sample[] = [];
    const count = minutes * SAMPLES_A_MINUTE;
    for (let i = 0; i < count; i++) {
      await sleep(60_000 / SAMPLES_A_MINUTE);
      samples.push(await look(subject));
      const { service = 0, engine = 0, files } = samples.at(-1) ?? {};
      if ((i + 1) % SAMPLES_A_MINUTE === 0)
        tell(
          `minute ${(i + 1) / SAMPLES_A_MINUTE}: service ${service.toFixed(0)} MB, engine ${engine.toFixed(0)} MB, ${files} files`,
        );
    }
    await trade.stop();
    const { checks, lost, doubled, reports, wrong } = await verdictOf(subject.target(), trade);
    const quarter = Math.max(1, count >> 2);
    // The second quarter: the first warms up.
    const early = samples.slice(quarter, 2 * quarter);
    const late = samples.slice(-quarter);
    const told: string[] = [];
    for (const [what, slack] of [
      ['service', SLACK_MB],
      ['engine', SLACK_MB],
      ['files', SLACK_FILES],
    ] as const) {
      const [from, to] = [early, late].map((some) => Math.round(middle(some.map((sample) => sample[what]))));
      const unit = what === 'files' ? 'descriptors' : `MB ${what}`;
      told.push(`${unit} ${from} → ${to}`);
      if ((to ?? 0) > (from ?? 0) * GROWTH + slack) wrong.push(`${unit} grew from ${from} to ${to}`);
    }
    if (lost + doubled + wrong.length > 0)
      throw new Error(`${lost} orders lost, ${doubled} doubled or unknown; ${wrong.slice(0, 10).join('; ')}`);
    return `${minutes} minutes: ${checks} orders and ${reports} reports, 0 lost; ${told.join(', ')}`;
  } finally {
    await subject.close();
  }
}
