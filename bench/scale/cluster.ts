/** A throw-away PostgreSQL cluster in a temporary folder. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';

export interface PostgresCluster {
  /** For the files of a measurement; removed with the cluster. */
  folder: string;
  /** The cluster's own, where the server may write. */
  data: string;
  /** Of the Unix socket; the user is `bench` and the database `postgres`. */
  socket: string;
  /** Runs statements in a session of their own; answers what psql prints. */
  run(...statements: string[]): Promise<string>;
  close(): Promise<void>;
}

const HOME = '/usr/lib/postgresql';

/** Debian's folder of the newest PostgreSQL that is installed; undefined without one. */
function findPostgres(): string | undefined {
  const versions = existsSync(HOME) ? readdirSync(HOME).sort((a, b) => Number(b) - Number(a)) : [];
  return versions.map((version) => join(HOME, version, 'bin')).find((bin) => existsSync(join(bin, 'initdb')));
}

/** PostgreSQL refuses to run as root: there it runs as the user that its package makes. */
async function owner(): Promise<{ uid: number; gid: number } | undefined> {
  if (process.getuid?.() !== 0) return undefined;
  const line = (await readFile('/etc/passwd', 'utf8')).split('\n').find((entry) => entry.startsWith('postgres:'));
  const [, , uid, gid] = line?.split(':') ?? [];
  if (!uid || !gid) throw new Error('there is no user postgres');
  return { uid: Number(uid), gid: Number(gid) };
}

/** Starts a cluster with settings of `postgresql.conf`. Undefined where PostgreSQL is not installed. */
export async function startPostgres(settings: Record<string, string>): Promise<PostgresCluster | undefined> {
  const bin = findPostgres();
  if (!bin) return undefined;
  const user = await owner();
  // A folder of its own: the server's user must not need a way through ours.
  const folder = await mkdtemp(join(tmpdir(), 'daypart-postgres-'));
  const data = join(folder, 'data');
  await mkdir(data, { mode: 0o700 });
  if (user) for (const path of [folder, data]) await chown(path, user.uid, user.gid);
  const options = { ...user, cwd: folder };
  await promisify(execFile)(
    join(bin, 'initdb'),
    ['-D', data, '-A', 'trust', '-U', 'bench', '--locale=C', '--encoding=UTF8', '--no-sync'],
    options,
  );
  const all = { unix_socket_directories: data, listen_addresses: '', ...settings };
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...flags], { ...options, stdio: 'ignore' });
  const ended = once(server, 'exit');

  async function run(...statements: string[]): Promise<string> {
    const args = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-h', data, '-U', 'bench', '-d', 'postgres'];
    const commands = statements.flatMap((sql) => ['-c', sql]);
    return (await promisify(execFile)(join(bin ?? '', 'psql'), [...args, ...commands])).stdout;
  }
  async function close(): Promise<void> {
    server.kill('SIGINT');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }

  try {
    for (let tries = 0; ; tries++) {
      const up = await run('select 1').catch(() => undefined);
      if (up) break;
      if (tries === 100 || server.exitCode !== null) throw new Error('PostgreSQL did not start');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
  } catch (error) {
    await close();
    throw error;
  }
  return { folder, data, socket: join(data, '.s.PGSQL.5432'), run, close };
}

/** The version, as in "PostgreSQL 15.3"; undefined where it is not installed. */
export async function postgresVersion(): Promise<string | undefined> {
  const bin = findPostgres();
  if (!bin) return undefined;
  const { stdout } = await promisify(execFile)(join(bin, 'postgres'), ['--version']);
  return `PostgreSQL ${/[\d.]+/.exec(stdout)?.[0]}`;
}
