/**
 * A disk that fills up: loads are refused, nothing acknowledged is lost, and the service continues when there is space
 * again.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { FolderHeld, holdFolder } from '../../packages/service/src/stores.ts';
import { run, serve, stop, tokenOf } from '../commands/process.ts';
import { fillUp, mountSmall } from './small-disk.ts';

const RESTAURANT = 'b1500000-0000-4000-8000-000000000001';

/** Orders that hardly compress. */
const batch = (count: number): string =>
  JSON.stringify(
    Array.from({ length: count }, () => ({
      guid: randomUUID(),
      openedDate: '2026-03-10T12:00:00Z',
      numberOfGuests: 1,
      diningOption: { name: randomUUID() + randomUUID() + randomUUID() },
      checks: [{ guid: randomUUID(), selections: [{ preDiscountPrice: 1, price: 1 }] }],
    })),
  );

type Call = (method: string, path: string, body?: string) => Promise<Response>;

/** The call is refused because the disk is full: at the latest when the rest of the space is used up. */
async function assertRefused(call: Call, folder: string, method: string, path: string, body: string): Promise<void> {
  // The ledger's journal has room in it for some commits more.
  for (let tries = 0; tries < 5000; tries++) {
    fillUp(folder);
    const answer = await call(method, path, body);
    if (answer.ok) continue;
    const { code } = (await answer.json()) as { code: string };
    assert.equal(`${method} ${path} ${answer.status} ${code}`, `${method} ${path} 503 storage_full`);
    return;
  }
  assert.fail(`${method} ${path} was never refused`);
}

/** What is taken away on a full disk: a client each over HTTP and at the command line, a group and a session. */
interface ToTake {
  clients: string[];
  group: string;
  session: string;
}

/** Two clients, another group, and a session. */
async function makeToTake(call: Call, origin: string): Promise<ToTake> {
  const made = [await call('POST', '/clients', '{}'), await call('POST', '/clients', '{}')];
  const clients = await Promise.all(made.map(async (one) => ((await one.json()) as { clientId: string }).clientId));
  const group = 'customer';
  await call('PUT', `/groups/${group}`, '{}');
  await fetch(`${origin}/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' },
    body: '{"clientId":"me","clientSecret":"secret"}',
  });
  const [session] = (await (await call('GET', '/sessions')).json()) as { sessionId: string }[];
  return { clients, group, session: session?.sessionId ?? '' };
}

/** Access can always be taken away, over HTTP and by commands. */
async function assertTaken(call: Call, folder: string, { clients, group, session }: ToTake): Promise<void> {
  const [one, other = ''] = clients;
  const limits = '{"check":"1/day"}';
  await assertRefused(call, folder, 'POST', '/clients', '{}');
  for (const [method, path, status, body] of [
    ['PUT', `/groups/${group}/limits`, 200, limits],
    ['PUT', `/clients/${one}/limits`, 200, limits],
    ['DELETE', `/groups/${group}?confirm=${group}`, 202],
    ['POST', `/clients/${one}/secret`, 200],
    ['DELETE', `/clients/${one}`, 204],
    ['DELETE', `/sessions/${session}`, 204],
  ] as const) {
    fillUp(folder);
    assert.equal((await call(method, path, body)).status, status, `${method} ${path}`);
  }
  for (const what of ['rotate', 'revoke']) {
    fillUp(folder);
    const { code, err } = await run(['clients', what, other, '--data', join(folder, 'data')]);
    assert.deepEqual([code, err], [0, ''], what);
  }
  const listed = (await (await call('GET', '/clients')).json()) as { clientId: string; revokedAt: string | null }[];
  const left = listed.filter(({ clientId, revokedAt }) => clients.includes(clientId) && revokedAt === null);
  assert.deepEqual(left, []);
  assert.deepEqual(await (await call('GET', '/sessions')).json(), []);
}

/** With not a byte left, nothing can be written but the end of what is there. */
async function assertFull(call: Call, folder: string, report: string, toTake: ToTake): Promise<void> {
  await assertRefused(call, folder, 'POST', '/metrics/day', '{"startBusinessDate":20260310}');
  await assertRefused(
    call,
    folder,
    'PUT',
    `/restaurants/${RESTAURANT}`,
    JSON.stringify({ name: 'B', timeZone: 'UTC' }),
  );
  await assertRefused(call, folder, 'PUT', '/webhook', '{"url":"https://example.com/hook"}');

  const { origin } = new URL((await call('GET', '/openapi.json')).url);
  for (let probe = 0; probe < 5; probe++) await (await fetch(`${origin}/readyz`)).text();
  const scratch = readdirSync(join(folder, 'data', 'results', 'scratch'));
  assert.deepEqual(
    scratch.filter((name) => name.startsWith('ping')),
    [],
  );

  await assertTaken(call, folder, toTake);
  fillUp(folder);
  assert.equal((await call('DELETE', `/reports/${report}`)).status, 204);
  assert.equal((await call('GET', `/metrics/${report}`)).status, 404);
  assert.equal(existsSync(join(folder, 'data', 'results', report.slice(0, 2), report)), false);
  rmSync(join(folder, 'filler'));
}

const small = mountSmall(40);
const smaller = mountSmall(24);
const skip = small === undefined && process.env.CI !== 'true' && 'no file system can be mounted here';

it('a full disk refuses what must be stored, discards on request, keeps what was acknowledged, and recovers', {
  skip,
}, async () => {
  const folder = String(small);
  const { child, base } = await serve(['--data', join(folder, 'data')], {
    DAYPART_BOOTSTRAP_CLIENT: 'me:secret:group',
  });
  try {
    const { access_token: token } = (await (await tokenOf(base, 'me', 'secret')).json()) as { access_token: string };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const call: Call = (method, path, body) => fetch(`${base}${path}`, { method, headers, body: body ?? null });
    await call('PUT', `/restaurants/${RESTAURANT}`, JSON.stringify({ name: 'A', timeZone: 'UTC' }));
    const report = String(await (await call('POST', '/metrics/day', '{"startBusinessDate":20260310}')).json());
    await (await fetch(`${base}/metrics/${report}`, { headers: { ...headers, prefer: 'wait=20' } })).json();
    const toTake = await makeToTake(call, new URL(base).origin);
    let acknowledged = 0;
    let refused = 0;
    for (let i = 0; i < 60 && refused < 3; i++) {
      const response = await call('POST', `/restaurants/${RESTAURANT}/orders`, batch(5000));
      const answer = (await response.json()) as { accepted: number; code: string };
      if (response.status === 200) acknowledged += answer.accepted;
      else {
        assert.equal(`${response.status} ${answer.code}`, '503 storage_full');
        refused++;
      }
    }
    assert.equal(refused, 3);
    await assertFull(call, folder, report, toTake);

    execFileSync('mount', ['-o', 'remount,size=400m', folder]);
    let status = 503;
    for (let tries = 0; tries < 50 && status !== 200; tries++) {
      ({ status } = await call('POST', `/restaurants/${RESTAURANT}/orders`, batch(1)));
      if (status !== 200) await sleep(200);
    }

    assert.equal(status, 200);
    const guid = await (await call('POST', '/metrics/day', '{"startBusinessDate":20260310}')).json();
    const rows = await (await fetch(`${base}/metrics/${guid}`, { headers: { ...headers, prefer: 'wait=20' } })).json();
    assert.equal((rows as { ordersCount: number }[])[0]?.ordersCount, acknowledged + 1);
    // It takes as much room as the facts, and is tried every 30 s.
    while ((await call('GET', `/groups/${toTake.group}`)).status !== 404) await sleep(200);
  } finally {
    assert.equal(await stop(child), 0);
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  }
});

/** Calls to the service with the rights of its bootstrap client. */
async function callsTo(base: string): Promise<Call> {
  const { access_token: token } = (await (await tokenOf(base, 'me', 'secret')).json()) as { access_token: string };
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  return (method, path, body) => fetch(`${base}${path}`, { method, headers, body: body ?? null });
}

it('a service whose disk is full starts again, after a stop and after a kill, and then refuses and discards', {
  skip,
}, async () => {
  const folder = String(smaller);
  const data = join(folder, 'data');
  const env = { DAYPART_BOOTSTRAP_CLIENT: 'me:secret:group' };
  const reports: string[] = [];
  let { child, base } = await serve(['--data', data], env);
  try {
    const first = await callsTo(base);
    await first('PUT', `/restaurants/${RESTAURANT}`, JSON.stringify({ name: 'A', timeZone: 'UTC' }));
    for (let i = 0; i < 3; i++)
      reports.push(String(await (await first('POST', '/metrics/day', '{"startBusinessDate":20260310}')).json()));

    for (const [i, signal] of (['SIGTERM', 'SIGKILL', 'SIGTERM'] as const).entries()) {
      await stop(child, signal);
      fillUp(folder);
      ({ child, base } = await serve(['--data', data], env));
      const call = await callsTo(base);
      await assertRefused(call, folder, 'POST', '/metrics/day', '{"startBusinessDate":20260310}');
      assert.equal((await call('DELETE', `/reports/${reports[i]}`)).status, 204);
    }

    await stop(child);
    rmSync(join(data, 'reserve'));
    fillUp(folder);
    for (const args of [
      ['serve', '--port', '0'],
      ['facts', 'verify'],
      ['backup', join(folder, 'to')],
      ['keys', 'list'],
    ]) {
      const { code, err } = await run([...args, '--data', data]);
      assert.deepEqual(
        [code, err],
        [1, `daypart: the disk with the data folder ${data} is full: make space on it, then run the command again\n`],
        args.join(' '),
      );
    }
  } finally {
    await stop(child);
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  }
});

/** A folder that this process may not write; root gives up its rights meanwhile, since it may write everywhere. */
it('a data folder that cannot be written is not said to be held by another service', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'daypart-denied-'));
  const root = process.geteuid?.() === 0;
  try {
    chmodSync(folder, 0o755);
    mkdirSync(join(folder, 'data'));
    chmodSync(join(folder, 'data'), 0o555);
    if (root) process.seteuid?.(65534);

    await assert.rejects(
      holdFolder(join(folder, 'data'), 0),
      (error: Error) =>
        !(error instanceof FolderHeld) &&
        /^the data folder \S+ cannot be written: EACCES: permission denied/.test(error.message) &&
        (!root ||
          /; it belongs to the user with id 0, and this command runs as the user with id 65534$/.test(error.message)),
    );
  } finally {
    if (root) process.seteuid?.(0);
    rmSync(folder, { recursive: true });
  }
});
