/**
 * A service in its own process with an attacker and a victim, clients of two management groups, and what the attacks of
 * one cost the other.
 */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { type Dirent, existsSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { type ClientRequest, request } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setImmediate } from 'node:timers/promises';
import { run, serve, stop, tokenOf } from '../commands/process.ts';
import { plainOrder } from '../journeys/service.ts';

const GROUPS = ['attacker', 'victim'] as const;
type Name = (typeof GROUPS)[number];
export const RESTAURANTS: Record<Name, string> = {
  attacker: 'a7700000-0000-4000-8000-000000000001',
  victim: 'b1500000-0000-4000-8000-000000000001',
};

export interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire, of whatever shape
  body: any;
}

/** What an attack sends. */
export interface Body {
  method: 'GET' | 'POST' | 'PUT';
  base?: '/era/v1';
  /** Below the restaurant of who sends it. */
  path: string;
  headers?: Record<string, string>;
  /** Sent at once. */
  first: Iterable<Buffer | string>;
  /** Sent once there is an answer, or nothing more is to come: by default the body ends after `first`. */
  rest?: 'never';
}

export interface Siege {
  child: ChildProcess;
  origin: string;
  credentials: Record<Name, { id: string; secret: string }>;
  /** Calls a path under the base as one of both, by default with the token of its first client. */
  call(as: Name, method: string, path: string, json?: unknown, token?: string): Promise<Answered>;
  /** The token of a new client of the group. */
  login(as: Name): Promise<string>;
  /**
   * The answer to a body. With `rest: 'never'` it has to come although the body does not end; rejects if the signal has
   * the client leave.
   */
  send(as: Name, body: Body, signal?: AbortSignal): Promise<Answered>;
  /** The bytes of the files in its spool; undefined if that is empty. */
  spooled(): Promise<number | undefined>;
  /** Processor time of the event loop since the service began, in ms. */
  loopMs(): Promise<number>;
  /** Memory that is resident now, in MB. */
  residentMb(): Promise<number>;
  close(): Promise<void>;
}

/** Starts it with a restaurant of each, and settings that are not the defaults. */
export async function besiege(env: Record<string, string> = {}): Promise<Siege> {
  const data = await mkdtemp(join(tmpdir(), 'daypart-attacks-'));
  const create = async (group: Name): Promise<{ id: string; secret: string }> => {
    const named = ['--group', group, '--scopes', 'enterprise-metrics:read,ingest:write,access:admin'];
    const { out, err } = await run(['clients', 'create', ...named, '--data', data, '--init', '--json']);
    assert.ok(out, err);
    return JSON.parse(out);
  };
  const credentials = { attacker: await create('attacker'), victim: await create('victim') };
  const { child, base } = await serve(['--data', data], env);
  const tokenFor = async ({ id, secret }: { id: string; secret: string }): Promise<string> =>
    ((await (await tokenOf(base, id, secret)).json()) as { access_token: string }).access_token;
  const tokens = { attacker: await tokenFor(credentials.attacker), victim: await tokenFor(credentials.victim) };
  const call: Siege['call'] = async (as, method, path, json, token = tokens[as]) => {
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json', prefer: 'wait=30' };
    const body = json === undefined ? null : JSON.stringify(json);
    const response = await fetch(`${base}${path}`, { method, headers, body });
    return { status: response.status, body: JSON.parse((await response.text()) || 'null') };
  };
  for (const name of GROUPS) {
    const made = await call(name, 'PUT', `/restaurants/${RESTAURANTS[name]}`, {
      name,
      timeZone: 'America/New_York',
    });
    assert.equal(made.status, 201);
  }
  const { origin } = new URL(base);
  return {
    child,
    origin,
    credentials,
    call,
    ...usageOf(child),
    async login(as) {
      const { body } = await call(as, 'POST', '/clients', {});
      return await tokenFor({ id: body.clientId, secret: body.clientSecret });
    },
    async send(as, { method, base: from = '/v1', path, headers = {}, first, rest }, signal) {
      const sending = request(`${origin}${from}/restaurants/${RESTAURANTS[as]}${path}`, {
        method,
        ...(signal && { signal }),
        headers: { authorization: `Bearer ${tokens[as]}`, 'content-type': 'application/json', ...headers },
      });
      const answered = new Promise<Answered>((resolve, reject) => {
        sending.on('error', reject);
        sending.on('response', async (response) => {
          const answer = await text(response);
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(answer || 'null') });
        });
      });
      // Awaited only after it is written, so that a client that leaves before has failed by then.
      answered.catch(() => undefined);
      await write(sending, first);
      if (rest !== 'never') sending.end();
      try {
        return await answered;
      } finally {
        sending.destroy();
      }
    },
    async spooled() {
      const entries = await listed(join(data, 'spool'));
      // What is removed meanwhile has none.
      const sizes = entries.map(({ parentPath, name }) => stat(join(parentPath, name)).catch(() => ({ size: 0 })));
      return entries.length === 0 ? undefined : (await Promise.all(sizes)).reduce((sum, { size }) => sum + size, 0);
    },
    async close() {
      await stop(child);
      await rm(data, { recursive: true, force: true });
    },
  };
}

/** What is in a folder, of which folders may be removed while it is listed: then once more. */
async function listed(folder: string): Promise<Dirent[]> {
  for (;;) {
    try {
      return await readdir(folder, { recursive: true, withFileTypes: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT' || !existsSync(folder)) throw error;
    }
  }
}

function usageOf(child: ChildProcess): Pick<Siege, 'loopMs' | 'residentMb'> {
  const of = async (file: string): Promise<string> => await readFile(`/proc/${child.pid}/${file}`, 'utf8');
  return {
    async loopMs() {
      // Of the main thread alone, in ticks of 10 ms; the name in parentheses may have blanks.
      const [, after = ''] = (await of(`task/${child.pid}/stat`)).split(') ');
      const fields = after.split(' ');
      return 10 * (Number(fields[11]) + Number(fields[12]));
    },
    residentMb: async () => Number(/VmRSS:\s+(\d+)/.exec(await of('status'))?.[1]) / 1024,
  };
}

async function write(sending: ClientRequest, pieces: Iterable<Buffer | string>): Promise<void> {
  const closed = once(sending, 'close').catch(() => undefined);
  for (const piece of pieces) {
    if (sending.destroyed) return;
    if (sending.write(piece)) await setImmediate();
    else await Promise.race([once(sending, 'drain'), closed]);
  }
}

/**
 * What the victim does all the time: loads an order, creates a report and retrieves it. Throws unless each is answered
 * 200.
 */
export async function victimRound({ call }: Pick<Siege, 'call'>): Promise<void> {
  const loaded = await call('victim', 'POST', `/restaurants/${RESTAURANTS.victim}/orders`, [plainOrder()]);
  assert.deepEqual([loaded.status, loaded.body.accepted], [200, 1], JSON.stringify(loaded.body));
  const created = await call('victim', 'POST', '/metrics/day', { startBusinessDate: '20260310' });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  const retrieved = await call('victim', 'GET', `/metrics/${created.body}`);
  assert.deepEqual([retrieved.status, retrieved.body.length], [200, 1], JSON.stringify(retrieved.body));
}

/**
 * Has the victim at work until the attack has ended; returns what came of it and how many rounds of the victim began
 * meanwhile, all of which succeed.
 */
export async function withVictim<T>(siege: Siege, attack: () => Promise<T>): Promise<{ outcome: T; rounds: number }> {
  let isOver = false;
  let rounds = 0;
  const victim = (async () => {
    for (; !isOver; rounds++) await victimRound(siege);
  })();
  try {
    return { outcome: await attack(), rounds };
  } finally {
    isOver = true;
    await victim;
  }
}
