/** A service in its own process with an attacker and a victim, clients of two management groups, and what the attacks of one cost the other. */
import assert from 'node:assert/strict';
import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
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
  method: 'POST' | 'PUT';
  /** Below the attacker's restaurant. */
  path: string;
  headers?: Record<string, string>;
  /** Sent at once. */
  first: Iterable<Buffer | string>;
  /** Sent once there is an answer, or nothing more is to come: by default the body ends after `first`. */
  rest?: 'never';
}

export interface Siege {
  child: ChildProcess;
  /** Calls a path under the base as one of both. */
  call(as: Name, method: string, path: string, json?: unknown): Promise<Answered>;
  /** The answer to a body. With `rest: 'never'` it has to come although the body does not end. */
  attack(body: Body): Promise<Answered>;
  /** Processor time of the event loop since the service began, in ms. */
  loopMs(): Promise<number>;
  /** Memory that is resident now, in MB. */
  residentMb(): Promise<number>;
  close(): Promise<void>;
}

/** Starts it with a restaurant of each, and settings that are not the defaults. */
export async function besiege(env: Record<string, string> = {}): Promise<Siege> {
  const data = await mkdtemp(join(tmpdir(), 'daypart-attacks-'));
  const secrets = new Map<Name, { id: string; secret: string }>();
  for (const group of GROUPS) {
    const { out, err } = await run(['clients', 'create', '--group', group, '--data', data, '--init', '--json']);
    assert.ok(out, err);
    secrets.set(group, JSON.parse(out));
  }
  const { child, base } = await serve(['--data', data], env);
  const tokens = new Map<Name, string>();
  for (const [name, { id, secret }] of secrets) {
    const { access_token: token } = (await (await tokenOf(base, id, secret)).json()) as {
      access_token: string;
    };
    tokens.set(name, token);
  }
  const call: Siege['call'] = async (as, method, path, json) => {
    const headers = {
      authorization: `Bearer ${tokens.get(as)}`,
      'content-type': 'application/json',
      prefer: 'wait=30',
    };
    const body = json === undefined ? null : JSON.stringify(json);
    const response = await fetch(`${base}${path}`, { method, headers, body });
    return { status: response.status, body: JSON.parse((await response.text()) || 'null') };
  };
  for (const name of GROUPS) {
    const made = await call(name, 'PUT', `/restaurants/${RESTAURANTS[name]}`, {
      ...{ name, timeZone: 'America/New_York' },
    });
    assert.equal(made.status, 201);
  }
  const of = async (file: string): Promise<string> => await readFile(`/proc/${child.pid}/${file}`, 'utf8');
  return {
    child,
    call,
    async attack({ method, path, headers = {}, first, rest }) {
      const sending = request(`${base}/restaurants/${RESTAURANTS.attacker}${path}`, {
        method,
        headers: { authorization: `Bearer ${tokens.get('attacker')}`, 'content-type': 'application/json', ...headers },
      });
      const answered = new Promise<Answered>((resolve, reject) => {
        sending.on('error', reject);
        sending.on('response', async (response) => {
          const answer = await text(response);
          resolve({ status: response.statusCode ?? 0, body: JSON.parse(answer || 'null') });
        });
      });
      await write(sending, first);
      if (rest !== 'never') sending.end();
      try {
        return await answered;
      } finally {
        sending.destroy();
      }
    },
    async loopMs() {
      // Of the main thread alone, in ticks of 10 ms; the name in parentheses may have blanks.
      const [, after = ''] = (await of(`task/${child.pid}/stat`)).split(') ');
      const fields = after.split(' ');
      return 10 * (Number(fields[11]) + Number(fields[12]));
    },
    residentMb: async () => Number(/VmRSS:\s+(\d+)/.exec(await of('status'))?.[1]) / 1024,
    async close() {
      await stop(child);
      await rm(data, { recursive: true, force: true });
    },
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

/** What the victim does all the time: loads an order, creates a report and retrieves it. Throws unless each is answered 200. */
export async function victimRound({ call }: Pick<Siege, 'call'>): Promise<void> {
  const loaded = await call('victim', 'POST', `/restaurants/${RESTAURANTS.victim}/orders`, [plainOrder()]);
  assert.deepEqual([loaded.status, loaded.body.accepted], [200, 1], JSON.stringify(loaded.body));
  const created = await call('victim', 'POST', '/metrics/day', { startBusinessDate: '20260310' });
  assert.equal(created.status, 200, JSON.stringify(created.body));
  const retrieved = await call('victim', 'GET', `/metrics/${created.body}`);
  assert.deepEqual([retrieved.status, retrieved.body.length], [200, 1], JSON.stringify(retrieved.body));
}

/** Has the victim at work until the attack is answered; returns its answer and how many rounds of the victim began meanwhile, all of which succeed. */
export async function withVictim(
  siege: Siege,
  attack: () => Promise<Answered>,
): Promise<Answered & { rounds: number }> {
  let isOver = false;
  let rounds = 0;
  const victim = (async () => {
    for (; !isOver; rounds++) await victimRound(siege);
  })();
  try {
    return { ...(await attack()), rounds };
  } finally {
    isOver = true;
    await victim;
  }
}
