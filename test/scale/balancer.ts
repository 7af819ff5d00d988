/** The real haproxy with the file that deployments start from, in front of nodes of a test. */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePort } from '../ports.ts';

const HAPROXY = '/usr/sbin/haproxy';
const FOLDER = new URL('../../deploy/scale/', import.meta.url);

/** A minute: until the nodes have answered its checks, each of which may take 2 s on a busy machine. */
const START_TRIES = 600;

/** Why a test is skipped that needs a balancer; false where there is one. */
export const NO_BALANCER = existsSync(HAPROXY) ? false : 'haproxy is not installed';

export interface Balancer {
  origin: string;
  close(): Promise<void>;
}

/**
 * Starts haproxy in front of the ports, on `port` or on a free one. It differs from the deployed file in the address
 * that it listens on, the lines of servers, the folder of its answers, `changes` (settings by what they replace),
 * fewer connections, because it takes two descriptors for each at its start, and no reading of the machine's 140
 * certificates for calls of its own, of which it makes none: that is two thirds of a start.
 */
export async function startBalancer(
  ports: readonly number[],
  port?: number,
  changes: Record<string, string> = {},
): Promise<Balancer> {
  port ??= await freePort();
  const folder = await mkdtemp(join(tmpdir(), 'daypart-balancer-'));
  const all = {
    'bind :8080': `bind 127.0.0.1:${port}`,
    'maxconn 20000': 'maxconn 1500\n    httpclient.ssl.verify none',
    '/usr/local/etc/haproxy/': fileURLToPath(FOLDER),
    ...changes,
  };
  const deployed = await readFile(new URL('haproxy.cfg', FOLDER), 'utf8');
  const lines = Object.entries(all)
    .reduce((text, [from, to]) => text.replaceAll(from, to), deployed)
    .split('\n');
  const ofFirst = lines.filter((line) => /^ {4}server node1\b/.test(line));
  const servers = ports.flatMap((one, place) =>
    ofFirst.map((line) => line.replace('node1', `node${place + 1}`).replace('daypart-1:8080', `127.0.0.1:${one}`)),
  );
  const file = join(folder, 'haproxy.cfg');
  const kept = lines.filter((line) => !line.startsWith('    server '));
  await writeFile(file, `${[...kept, ...servers].join('\n')}\n`);
  const child = spawn(HAPROXY, ['-db', '-f', file], { stdio: ['ignore', 'ignore', 'pipe'] });
  let log = '';
  child.stderr.on('data', (chunk) => {
    log += chunk;
  });
  const origin = `http://127.0.0.1:${port}`;
  const close = async (): Promise<void> => {
    await end(child);
    await rm(folder, { recursive: true, force: true });
  };
  for (let tries = 0; ; tries++) {
    const answer = await fetch(`${origin}/readyz`).catch(() => undefined);
    await answer?.body?.cancel();
    if (answer?.status === 200) return { origin, close };
    if (tries === START_TRIES || child.exitCode !== null) {
      await close();
      throw new Error(`haproxy did not start: ${log}`);
    }
    await sleep(100);
  }
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}
