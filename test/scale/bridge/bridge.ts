/** A ClickHouse to test against: the real engine (chDB) in a child process that speaks ClickHouse's HTTP interface. */
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

export interface Bridge {
  pid: number;
  /** `http://127.0.0.1:port`. */
  url: string;
  port: number;
  /** How many calls there were since the start, by what they asked for. */
  calls(): Promise<{ query: number; insert: number; command: number }>;
  /** The last statements that it was sent, with their settings. */
  kept(): Promise<{ query: string; settings: Record<string, string> }[]>;
  /** The next insert writes a row less than it was sent, or all of them and says that it does not know (error 319). */
  failInsert(fault: 'short' | 'unknown'): Promise<void>;
  /** Stops it as a frozen machine does, and lets it go on. */
  freeze(): void;
  thaw(): void;
  /** SIGKILL; the data stay in the folder. */
  kill(): Promise<void>;
}

const SERVER = fileURLToPath(new URL('./server.ts', import.meta.url));

/**
 * Starts it over a folder, which keeps the data; on the given port, or on a free one. Throws when it ends before it
 * listens.
 */
export async function startBridge(folder: string, port = 0): Promise<Bridge> {
  const child: ChildProcess = fork(SERVER, [folder, String(port)], {
    execArgv: ['--disable-warning=ExperimentalWarning'],
    // A query keeps a thread of the pool as long as it runs.
    env: { ...process.env, UV_THREADPOOL_SIZE: '12' },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const ended = once(child, 'exit');
  const [message] = (await Promise.race([
    once(child, 'message'),
    ended.then(([code]) => Promise.reject(new Error(`the bridge ended with ${code}`))),
  ])) as [{ port: number }];
  const url = `http://127.0.0.1:${message.port}`;
  return {
    url,
    pid: child.pid ?? 0,
    port: message.port,
    calls: async () => (await fetch(`${url}/calls`)).json() as ReturnType<Bridge['calls']>,
    kept: async () => (await fetch(`${url}/kept`)).json() as ReturnType<Bridge['kept']>,
    async failInsert(fault) {
      await fetch(`${url}/fault?insert=${fault}`);
    },
    freeze: () => void child.kill('SIGSTOP'),
    thaw: () => void child.kill('SIGCONT'),
    async kill() {
      child.kill('SIGKILL');
      await ended;
    },
  };
}
