/** A throw-away PostgreSQL cluster in a temporary folder, with the facts as tables of rows. */
import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readdirSync } from 'node:fs';
import { chmod, chown, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Bare } from './bare.ts';
import { COPIED, DATED, type Elsewhere, INDEXES, reportSql, totalsSql } from './elsewhere.ts';
import { seconds } from './fill.ts';

const HOME = '/usr/lib/postgresql';

/** Debian's folder of the newest PostgreSQL that is installed; undefined without one. */
export function findPostgres(): string | undefined {
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

const TYPES: Record<string, string> = {
  INTEGER: 'integer',
  BIGINT: 'bigint',
  TINYINT: 'smallint',
  UUID: 'uuid',
  VARCHAR: 'text',
  BOOLEAN: 'boolean',
};

/** Shared buffers are what our engine may use; the rest is what a guide to tuning for reports says. */
const settings = (memoryMb: number, folder: string): Record<string, string> => ({
  unix_socket_directories: folder,
  listen_addresses: '',
  shared_buffers: `${memoryMb}MB`,
  effective_cache_size: `${memoryMb * 2}MB`,
  work_mem: '256MB',
  maintenance_work_mem: '1GB',
  max_wal_size: '8GB',
  random_page_cost: '1.1',
  wal_level: 'minimal',
  max_wal_senders: '0',
});

/** Copies the facts of the bare engine's file. Undefined where PostgreSQL is not installed. */
export async function openPostgres(bare: Bare, memoryMb: number): Promise<Elsewhere | undefined> {
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
  const flags = Object.entries(settings(memoryMb, data)).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const server = spawn(join(bin, 'postgres'), ['-D', data, ...flags], { ...options, stdio: 'ignore' });
  const ended = once(server, 'exit');

  /** Runs statements in a session of their own; answers what psql prints. */
  async function run(...statements: string[]): Promise<string> {
    const args = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-h', data, '-U', 'bench', '-d', 'postgres'];
    const commands = statements.flatMap((sql) => ['-c', sql]);
    return (await promisify(execFile)(join(bin ?? '', 'psql'), [...args, ...commands])).stdout;
  }

  async function load(): Promise<void> {
    for (let tries = 0; ; tries++) {
      const up = await run('select 1').catch(() => undefined);
      if (up) break;
      if (tries === 100 || server.exitCode !== null) throw new Error('PostgreSQL did not start');
      await new Promise((resolve) => setTimeout(resolve, 100));
    }
    for (const table of COPIED) {
      const described = await bare.connection.runAndReadAll(`describe ${table}`);
      const columns = described
        .getRowObjectsJS()
        .map((row) => `${row.column_name} ${TYPES[String(row.column_type)] ?? 'text'}`);
      const file = join(folder, `${table}.csv`);
      await bare.connection.run(`copy ${table} to '${file}' (format csv, header false)`);
      await chmod(file, 0o644);
      await run(`create unlogged table ${table} (${columns.join(', ')})`, `copy ${table} from '${file}' (format csv)`);
      await rm(file);
    }
    for (const index of INDEXES) await run(index);
    await run('create index names_by_guid on names (kind, restaurant_id, guid)', 'vacuum analyze');
  }

  async function close(): Promise<void> {
    server.kill('SIGINT');
    await ended;
    await rm(folder, { recursive: true, force: true });
  }

  try {
    const loadSeconds = await seconds(load);
    const sizes = DATED.map((table) => `pg_total_relation_size('${table}')`).join(' + ');
    const out = join(data, 'report.csv');
    return {
      name: 'postgres',
      loadSeconds,
      bytes: Number(await run(`select ${sizes}`)),
      async report(question) {
        // The time that psql takes to start is not the server's.
        const printed = await run('\\timing on', `copy (${reportSql(question, 'false')}) to '${out}' (format csv)`);
        return Number(/Time: ([\d.]+) ms/.exec(printed)?.[1]);
      },
      async totals(question) {
        const [row = ''] = (await run(totalsSql(reportSql(question, 'false')))).split('\n');
        const [rows, netSalesAmount, ordersCount] = row.split('|').map(Number);
        return { rows: rows ?? 0, netSalesAmount: netSalesAmount ?? 0, ordersCount: ordersCount ?? 0 };
      },
      close,
    };
  } catch (error) {
    await close();
    throw error;
  }
}

/** The version, as in "PostgreSQL 15.3"; undefined where it is not installed. */
export async function postgresVersion(): Promise<string | undefined> {
  const bin = findPostgres();
  if (!bin) return undefined;
  const { stdout } = await promisify(execFile)(join(bin, 'postgres'), ['--version']);
  return `PostgreSQL ${/[\d.]+/.exec(stdout)?.[0]}`;
}
