import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { inspect } from 'node:util';
import { Problem } from '../contract/problems.ts';
import { readSecretKeys } from '../contract/secret-keys.ts';
import { openVault, SecretUnreadable } from './credentials.ts';

const CANARY = { clientId: 'canary-id', clientSecret: 'canary-secret' };
const newKey = (): string => randomBytes(32).toString('base64url');

/** What is thrown; fails when a secret is in it. */
async function refusal(work: Promise<unknown>, kind: typeof SecretUnreadable | typeof Problem): Promise<string> {
  const error: unknown = await work.then(
    () => assert.fail('was accepted'),
    (thrown) => thrown,
  );
  assert.ok(error instanceof kind, inspect(error));
  assert.doesNotMatch(inspect(error, { depth: 9 }), /canary/);
  return error.message;
}

async function inFolder(work: (data: string) => Promise<void>): Promise<void> {
  const data = await mkdtemp(join(tmpdir(), 'daypart-secrets-'));
  try {
    await work(data);
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

describe('the secrets of connections', () => {
  it('are stored as text without a part of them, another one each time, and are read as they were', async () => {
    const vault = openVault({ secretKey: [newKey()], data: undefined });

    const sealed = await vault.seal('con_a', CANARY);

    const parts = sealed.split('.').map((part) => Buffer.from(part, 'base64url').toString('latin1'));
    assert.doesNotMatch([sealed, ...parts].join(), /canary|client/);
    assert.deepEqual(Object.keys(JSON.parse(parts[0] ?? '')), ['alg', 'enc', 'kid', 'sub']);
    assert.notEqual(await vault.seal('con_a', CANARY), sealed);
    assert.deepEqual(await vault.open('con_a', sealed), CANARY);
  });

  it('are those of one connection, and cannot be changed', async () => {
    const vault = openVault({ secretKey: [newKey()], data: undefined });
    const sealed = await vault.seal('con_a', CANARY);
    const [header = '', ...rest] = sealed.split('.');
    const other = JSON.parse(Buffer.from(header, 'base64url').toString());
    const forged = Buffer.from(JSON.stringify({ ...other, sub: 'con_b' })).toString('base64url');

    assert.match(await refusal(vault.open('con_b', sealed), SecretUnreadable), /another connection/);
    assert.match(await refusal(vault.open('con_b', [forged, ...rest].join('.')), SecretUnreadable), /changed/);
    assert.match(await refusal(vault.open('con_a', `${sealed}x`), SecretUnreadable), /changed/);
    assert.match(await refusal(vault.open('con_a', 'nothing'), SecretUnreadable), /changed/);
    const none = Buffer.from(JSON.stringify({ ...other, alg: 'none' })).toString('base64url');
    assert.match(await refusal(vault.open('con_a', [none, ...rest].join('.')), SecretUnreadable), /changed/);
  });

  it('are encrypted with the first key and decrypted with all of them', async () => {
    const [old, recent] = [newKey(), newKey()];
    const sealed = await openVault({ secretKey: [old], data: undefined }).seal('con_a', CANARY);
    const both = openVault({ secretKey: [recent, old], data: undefined });

    assert.deepEqual(await both.open('con_a', sealed), CANARY);
    const again = await both.seal('con_a', CANARY);
    assert.deepEqual(await openVault({ secretKey: [recent], data: undefined }).open('con_a', again), CANARY);
    const late = openVault({ secretKey: [recent], data: undefined });
    assert.match(await refusal(late.open('con_a', sealed), SecretUnreadable), /their key is missing/);
  });

  it('are not stored without a key where several nodes would need it', async () => {
    const vault = openVault({ secretKey: [], data: undefined });

    assert.match(await refusal(vault.check(), Problem), /DAYPART_SECRET_KEY/);
    assert.match(await refusal(vault.seal('con_a', CANARY), Problem), /DAYPART_SECRET_KEY/);
    await openVault({ secretKey: [newKey()], data: undefined }).check();
  });

  it('have a key in the data folder once something is stored, for its owner only, and whole', () =>
    inFolder(async (data) => {
      const vault = openVault({ secretKey: [], data });
      await vault.check();
      assert.deepEqual(await readdir(data), []);

      const sealed = await Promise.all(['a', 'b', 'c'].map((id) => vault.seal(`con_${id}`, CANARY)));

      assert.deepEqual(await readdir(data), ['secret.key']);
      assert.equal((await stat(join(data, 'secret.key'))).mode & 0o777, 0o600);
      const reopened = openVault({ secretKey: [], data });
      for (const [i, id] of ['a', 'b', 'c'].entries())
        assert.deepEqual(await reopened.open(`con_${id}`, sealed[i] ?? ''), CANARY);
    }));

  it('are readable with the key of the data folder beside that of the setting', () =>
    inFolder(async (data) => {
      const sealed = await openVault({ secretKey: [], data }).seal('con_a', CANARY);
      const vault = openVault({ secretKey: [newKey()], data });

      assert.deepEqual(await vault.open('con_a', sealed), CANARY);
      const again = await vault.seal('con_a', CANARY);
      const folderOnly = openVault({ secretKey: [], data });
      assert.match(await refusal(folderOnly.open('con_a', again), SecretUnreadable), /their key is missing/);
    }));

  it('are read with keys that another process adds to the folder', () =>
    inFolder(async (data) => {
      const vault = openVault({ secretKey: [], data });
      await vault.seal('con_a', CANARY);
      const key = newKey();
      const sealed = await openVault({ secretKey: [key], data: undefined }).seal('con_a', CANARY);
      const file = join(data, 'secret.key');
      await writeFile(file, `${key},${await readFile(file, 'utf8')}`);

      assert.deepEqual(await vault.open('con_a', sealed), CANARY);
    }));

  it('say what is wrong with the file of the key, without its contents', () =>
    inFolder(async (data) => {
      await writeFile(join(data, 'secret.key'), 'canary');

      await assert.rejects(openVault({ secretKey: [], data }).seal('con_a', CANARY), (error: Error) => {
        assert.match(error.message, /secret\.key must be keys of 32 bytes/);
        return !/canary/.test(inspect(error));
      });
    }));
});

describe('keys of secrets', () => {
  it('are 32 bytes in base64url each', () => {
    const [a, b] = [newKey(), newKey()];
    assert.deepEqual(readSecretKeys(` ${a} ,${b}\n`), [a, b]);
    assert.deepEqual(readSecretKeys(''), []);
    for (const wrong of ['canary', `${a}=`, `${a}${b}`, `${a.slice(1)}`, `${a}, x`, `${a.slice(0, 42)}+`])
      assert.throws(
        () => readSecretKeys(wrong),
        (error: Error) => /32 bytes in base64url/.test(error.message) && !/canary/.test(error.message),
      );
  });
});
