/** `daypart keys rotate-secrets` beside a running service. */
import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { PROCESS } from '@daypart/cli';
import { decodeProtectedHeader } from 'jose';
import { keysCommand } from '../../packages/service/src/commands/keys.ts';
import { openVault } from '../../packages/service/src/connections/credentials.ts';
import { connectionOf } from '../../packages/service/src/connections/suite/bench.ts';
import { openLedgerIn } from '../../packages/service/src/ledger/sqlite/sqlite.ts';
import { GROUP, TO_KIOSK } from './rig.ts';

it('stored credentials are encrypted with a new key, which a running service uses for what it stores next', async (t) => {
  const data = await mkdtemp(join(tmpdir(), 'daypart-rotate-'));
  const ledger = await openLedgerIn(data);
  t.after(async () => {
    await ledger.close();
    await rm(data, { recursive: true });
  });
  const running = openVault({ secretKey: [], data });
  const rotate = async (): Promise<string> => {
    const told: string[] = [];
    await keysCommand(['rotate-secrets', '--data', data], (line) => told.push(line), PROCESS);
    return told[0] ?? '';
  };
  const kids = async (): Promise<unknown[]> =>
    (await ledger.storedCredentials()).map(({ credentials }) => decodeProtectedHeader(credentials).kid);

  assert.match(await rotate(), /^No connection has stored credentials/);
  await ledger.ensureGroup(GROUP, 0);
  for (const id of ['con_a', 'con_b']) {
    const credentials = await running.seal(id, { key: `of ${id}` });
    const connection = connectionOf({
      ...TO_KIOSK,
      id,
      at: 0,
      credentials,
    });
    await ledger.addConnection(connection, { join: [], streams: [] });
  }
  const [before] = await kids();

  const told = await rotate();

  const [kid] = await kids();
  assert.notEqual(kid, before);
  assert.deepEqual(await kids(), [kid, kid]);
  assert.equal(told, `The credentials of 2 connections are encrypted with ${kid}.`);
  const file = join(data, 'secret.key');
  const [first = '', ...former] = (await readFile(file, 'utf8')).split(',');
  assert.equal(former.length, 1);
  await writeFile(file, first);
  assert.equal(decodeProtectedHeader(await running.seal('con_c', {})).kid, kid);
  for (const { id, credentials } of await ledger.storedCredentials())
    assert.deepEqual(await openVault({ secretKey: [], data }).open(id, credentials), { key: `of ${id}` });

  await writeFile(file, '');
  await assert.rejects(rotate(), /no key decrypts the credentials of con_a, con_b: enter them again/);
});
