/** The `daypart` command when it is killed, and when nobody reads what it prints. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { openLedgerIn } from '../../packages/service/src/ledger/sqlite/sqlite.ts';
import { run } from './in-process.ts';
import { runUnread, serve, stop, tokenOf } from './process.ts';

describe('the daypart command', () => {
  let data: string;
  before(async () => {
    data = await mkdtemp(join(tmpdir(), 'daypart-command-'));
  });
  after(() => rm(data, { recursive: true, force: true }));

  it('does what it was asked to, with its own exit code, when nobody reads its output', async () => {
    const folder = join(data, 'unread');
    await run(['clients', 'create', '--group', 'g', '--data', folder, '--init']);
    const copy = join(data, 'unread-backup');
    const ended = [
      await runUnread('--version'),
      await runUnread('help'),
      await runUnread('clients', 'list', '--data', folder),
      await runUnread('keys', 'list', '--data', folder),
      await runUnread('backup', copy, '--data', folder),
    ];
    assert.deepEqual(ended, Array(5).fill([0, '']));
    assert.ok((await stat(copy)).isDirectory());
    const [code, err] = await runUnread('clients', 'revoke', 'nobody', '--data', folder);
    assert.deepEqual([code, err.split('\n').length], [1, 2], err);
  });

  it('keeps the folder free again after a kill, and everything that was acknowledged', async () => {
    const env = { DAYPART_BOOTSTRAP_CLIENT: 'me:my:secret:group' };
    const killed = await serve(['--data', data], env);
    const { access_token: token } = (await (await tokenOf(killed.base, 'me', 'my:secret')).json()) as {
      access_token: string;
    };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const guid = '5f0c1c1e-7a3b-4c55-9d4f-0a1b2c3d4e5f';
    const put = await fetch(`${killed.base}/restaurants/${guid}`, {
      method: 'PUT',
      headers,
      body: JSON.stringify({ name: 'R', timeZone: 'Asia/Tokyo' }),
    });
    assert.equal(put.status, 201);
    const order = {
      guid: '0b6f0a52-6f2e-4a39-8a3f-0d8a3f1c2b01',
      openedDate: '2026-03-10T05:00:00.000Z',
      numberOfGuests: 3,
    };
    const loaded = await fetch(`${killed.base}/restaurants/${guid}/orders`, {
      method: 'POST',
      headers,
      body: JSON.stringify([order]),
    });
    assert.equal(((await loaded.json()) as { accepted: number }).accepted, 1);
    await stop(killed.child, 'SIGKILL');

    const { child, base } = await serve(['--data', data], env);
    try {
      // The token outlives the restart, on another port.
      const body = JSON.stringify({ startBusinessDate: '20260310' });
      const report = (await (await fetch(`${base}/metrics/day`, { method: 'POST', headers, body })).json()) as string;
      const rows = (await (await fetch(`${base}/metrics/${report}`, { headers })).json()) as { guestCount: number }[];
      assert.deepEqual(
        rows.map((row) => row.guestCount),
        [3],
      );
    } finally {
      assert.equal(await stop(child), 0);
    }
  });

  it('gathers after a kill what the killed service was gathering, without waiting for its lease', {
    skip: process.platform !== 'linux',
  }, async () => {
    const folder = join(data, 'lease');
    const env = { DAYPART_BOOTSTRAP_CLIENT: 'me:secret:group', DAYPART_LEASE_SECONDS: '3600' };
    const killed = await serve(['--data', folder], env);
    const { access_token: token } = (await (await tokenOf(killed.base, 'me', 'secret')).json()) as {
      access_token: string;
    };
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const children = await readFile(`/proc/${killed.child.pid}/task/${killed.child.pid}/children`, 'utf8');
    const engine = Number(children.trim().split(' ')[0]);
    process.kill(engine, 'SIGSTOP');
    const body = '{"startBusinessDate":20260310}';
    const guid = await (await fetch(`${killed.base}/metrics/day`, { method: 'POST', headers, body })).json();
    const waiting = await fetch(`${killed.base}/metrics/${guid}`, { headers: { ...headers, prefer: 'wait=1' } });
    assert.equal(waiting.status, 202);
    await stop(killed.child, 'SIGKILL');
    process.kill(engine, 'SIGCONT');

    const { child, base } = await serve(['--data', folder], env);
    try {
      const ready = await fetch(`${base}/metrics/${guid}`, { headers: { ...headers, prefer: 'wait=20' } });
      assert.deepEqual([ready.status, await ready.json()], [200, []]);
    } finally {
      assert.equal(await stop(child), 0);
    }
    const ledger = await openLedgerIn(folder);
    const report = await ledger.report(String(guid));
    await ledger.close();
    assert.deepEqual([report?.state, report?.attempt], ['completed', 2]);
  });
});
