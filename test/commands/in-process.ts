/**
 * The `daypart` command in the process of its test, at a tenth of the cost of one of its own. Processes of their own
 * (process.ts) are for signals, pipes, terminals and kills; for a command on a data folder that a service of the same
 * process holds, because closing a file releases the locks that the process has on it; and for commands that write the
 * same file at once.
 */
import { Readable, Writable } from 'node:stream';
import { type Effects, type Environment, PROCESS } from '@daypart/cli';
import { main } from '../../packages/service/src/main.ts';
import { baseIn, type Ended, environmentOf, SERVE } from './process.ts';

// The runner sets it at a terminal. Colours are decided by the process, not by the command.
delete process.env.FORCE_COLOR;

export interface Begun {
  /** The exit code. */
  ended: Promise<number>;
  /** The command hears the signal; the process does not. */
  signal(name: NodeJS.Signals): void;
}

/** Begins the command that the words name. */
export function begin(
  args: string[],
  { env, ...streams }: Pick<Effects, 'env' | 'stdin' | 'stdout' | 'stderr'>,
): Begun {
  const listeners = new Set<{ to: string; listener: () => void }>();
  const ended = Promise.withResolvers<number>();
  let code = 0;
  const effects: Effects = {
    ...streams,
    env,
    now: Date.now,
    zone: () => env.TZ ?? PROCESS.zone(),
    onSignal(to, listener) {
      const entry = { to, listener };
      listeners.add(entry);
      return () => void listeners.delete(entry);
    },
    end(given) {
      code = given;
    },
    exit: ended.resolve,
  };
  main(args, effects).then(() => ended.resolve(code), ended.reject);
  return {
    ended: ended.promise,
    signal(name) {
      for (const { to, listener } of [...listeners]) if (to === name) listener();
    },
  };
}

/** The same, with what it prints kept. `onPrint` is called whenever it has printed something. */
function beginKept(args: string[], env: Environment, input = '', onPrint: () => void = () => undefined) {
  const keep = (chunks: Buffer[]): Writable =>
    new Writable({
      write(chunk: Buffer, _encoding, done) {
        chunks.push(chunk);
        onPrint();
        done();
      },
    });
  const [out, err]: [Buffer[], Buffer[]] = [[], []];
  const stdin = Readable.from(input === '' ? [] : [input]);
  const begun = begin(args, { env, stdin, stdout: keep(out), stderr: keep(err) });
  const printed = () => ({ out: Buffer.concat(out).toString(), err: Buffer.concat(err).toString() });
  const ended = begun.ended.then((code): Ended => ({ code, ...printed() }));
  return { signal: begun.signal, printed, ended };
}

const OUTSIDE = process.cwd();
/** The working directory of the commands that run now, and how many they are. */
let [place, count] = [OUTSIDE, 0];

/** A process has one working directory: commands that run at once have the same, or this throws. */
export async function within<T>(folder: string, work: () => Promise<T>): Promise<T> {
  if (count > 0 && folder !== place) throw new Error(`a command is running in ${place}, so none can run in ${folder}`);
  process.chdir(folder);
  place = folder;
  count++;
  try {
    return await work();
  } finally {
    if (--count === 0) process.chdir(OUTSIDE);
  }
}

export interface Call {
  /** The whole environment of the command. */
  env: Environment;
  /** The working directory; by default that of the test. */
  cwd?: string;
  /** What is piped in. */
  input?: string;
  /** Called with all that came so far on both streams; to interrupt it. */
  watch?: (text: string, signal: (name: NodeJS.Signals) => void) => void;
}

/** Runs a command to its end. */
export async function call(args: string[], { env, cwd = OUTSIDE, input, watch }: Call): Promise<Ended> {
  return await within(cwd, async () => {
    const begun = beginKept(args, env, input);
    const look = (): void => {
      const { out, err } = begun.printed();
      watch?.(out + err, begun.signal);
    };
    const looking = watch && setInterval(look, 20);
    try {
      return await begun.ended;
    } finally {
      clearInterval(looking);
    }
  });
}

/** The same as `run` of process.ts. */
export const run = (args: string[], env: Record<string, string> = {}): Promise<Ended> =>
  call(args, { env: environmentOf(env) });

/** Runs `daypart serve` in this process. `stop` is what SIGTERM does; it resolves with the exit code. */
export async function serveHere(
  args: string[],
  env: Record<string, string> = {},
): Promise<{ base: string; stop(): Promise<number | null> }> {
  const listening = Promise.withResolvers<string>();
  const begun = beginKept([...SERVE, ...args], environmentOf(env), '', () => {
    const base = baseIn(begun.printed().out);
    if (base) listening.resolve(base);
  });
  begun.ended.then(({ err }) => listening.reject(new Error(`it ended: ${err}`)), listening.reject);
  return {
    base: await listening.promise,
    async stop() {
      begun.signal('SIGTERM');
      return (await begun.ended).code;
    },
  };
}
