import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../config/config.ts';
import { DEFAULT_SCOPES, SCOPE_READ, SCOPES } from '../contract/words.ts';
import type { Client } from '../ledger/client.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openLedgerIn } from '../ledger/sqlite/sqlite.ts';
import { createClient, ensureBootstrapClient } from './clients.ts';
import { openCredentials } from './credentials.ts';

const NOW = 1_700_000_000_000;

async function authenticate(ledger: Ledger, id: string, secret: string): Promise<Client | undefined> {
  const { authenticate: verify } = await openCredentials({ ledger, config: readConfig({}, {}), clock: () => NOW });
  return await verify([{ id, secret }], '127.0.0.1');
}

describe('clients', () => {
  let ledger: Ledger;
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daypart-clients-'));
    ledger = await openLedgerIn(folder);
  });
  after(async () => {
    await ledger.close();
    await rm(folder, { recursive: true, force: true });
  });

  it('are made for reports and loading in the reference dialect by default', async () => {
    const plain = await createClient(ledger, { group: 'blue' }, NOW);
    const request = { group: 'amber', scopes: [SCOPE_READ], dialect: 'live', name: 'till' } as const;
    const told = await createClient(ledger, request, NOW + 1);

    const { secret, ...shown } = plain;
    const { secretHash, ...stored } = (await ledger.client(plain.id)) ?? assert.fail();
    assert.deepEqual(stored, { ...shown, revokedAt: null });
    assert.deepEqual([plain.scopes, plain.dialect, plain.name], [[...DEFAULT_SCOPES], 'reference', null]);
    assert.deepEqual([told.scopes, told.dialect, told.name, told.group], [[SCOPE_READ], 'live', 'till', 'amber']);
    assert.ok(!secretHash.includes(secret));
    assert.deepEqual(await ledger.groups(), ['amber', 'blue']);
  });

  it('authenticate with their own secret until they are revoked', async () => {
    const [one, two] = [
      await createClient(ledger, { group: 'blue' }, NOW),
      await createClient(ledger, { group: 'blue' }, NOW),
    ];

    assert.equal((await authenticate(ledger, one.id, one.secret))?.id, one.id);
    assert.equal(await authenticate(ledger, one.id, two.secret), undefined);
    assert.equal(await authenticate(ledger, 'client-nobody', one.secret), undefined);
    await ledger.revokeClient(one.id, NOW);
    assert.equal(await authenticate(ledger, one.id, one.secret), undefined);
  });

  it('of the bootstrap setting are made, then left alone while they are right', async () => {
    const wanted = { id: 'boot', secret: 's3cret', group: 'green' };
    await ensureBootstrapClient(ledger, wanted, NOW);
    const made = (await ledger.client('boot')) ?? assert.fail();
    await ledger.putClient({ ...made, dialect: 'live', name: 'mine' });
    const before = await ledger.client('boot');

    await ensureBootstrapClient(ledger, wanted, NOW + 1);

    assert.deepEqual([made.scopes, made.group, made.createdAt], [[...SCOPES], 'green', NOW]);
    assert.deepEqual(await ledger.client('boot'), before);
    assert.equal((await authenticate(ledger, 'boot', 's3cret'))?.dialect, 'live');
  });

  it('of the bootstrap setting are put right: secret, scopes, revocation; the dialect stays', async () => {
    await ensureBootstrapClient(ledger, { id: 'boot2', secret: 'old', group: 'green' }, NOW);
    const made = (await ledger.client('boot2')) ?? assert.fail();
    await ledger.putClient({ ...made, dialect: 'live', scopes: [SCOPE_READ] });
    await ledger.revokeClient('boot2', NOW);

    await ensureBootstrapClient(ledger, { id: 'boot2', secret: 'new', group: 'green' }, NOW + 1);

    const client = await authenticate(ledger, 'boot2', 'new');
    assert.deepEqual(
      [client?.group, client?.scopes, client?.dialect, client?.revokedAt, client?.createdAt],
      ['green', [...SCOPES], 'live', null, NOW],
    );
    assert.equal(await authenticate(ledger, 'boot2', 'old'), undefined);
  });

  it('of the bootstrap setting are not moved to another group, in which they would find no data', async () => {
    await ensureBootstrapClient(ledger, { id: 'boot3', secret: 'old', group: 'green' }, NOW);
    const before = await ledger.client('boot3');

    await assert.rejects(
      ensureBootstrapClient(ledger, { id: 'boot3', secret: 'new', group: 'lilac' }, NOW + 1),
      /^Error: the bootstrap client boot3 belongs to the management group green, not to lilac: set green as its group, or another client id for lilac$/,
    );

    assert.deepEqual(await ledger.client('boot3'), before);
    assert.ok(!(await ledger.groups()).includes('lilac'));
  });

  it('of the bootstrap setting stay in a group that was made with spaces around its name', async () => {
    await ensureBootstrapClient(ledger, { id: 'boot4', secret: 'old', group: 'teal ' }, NOW);

    await ensureBootstrapClient(ledger, { id: 'boot4', secret: 'new', group: 'teal' }, NOW + 1);

    assert.equal((await authenticate(ledger, 'boot4', 'new'))?.group, 'teal ');
  });
});
