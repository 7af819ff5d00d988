import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { UsageError } from './exit.ts';
import { readStated } from './profiles.ts';

/** Runs the command as a user without a home: no HOME, and no entry among the users. */
function asNobody(...args: string[]) {
  const command = fileURLToPath(new URL('../bin/daypart.mjs', import.meta.url));
  const user = { uid: 54_321, gid: 54_321, env: { PATH: process.env.PATH ?? '' } };
  return spawnSync(process.execPath, [command, ...args], { ...user, encoding: 'utf8' });
}

describe('a user without a home', { skip: process.getuid?.() !== 0 && 'only root can run it as another user' }, () => {
  it('has no profiles', () => {
    const { status, stdout, stderr } = asNobody('profiles');
    assert.deepEqual([status, stdout + stderr], [0, 'No profiles yet. Create one with: daypart login\n']);
  });
});

describe('a secret of the environment', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daypart-secret-'));
  });
  after(async () => await rm(folder, { recursive: true, force: true }));

  const args = { value: () => undefined, has: () => false } as unknown as Parameters<typeof readStated>[0];

  it('is what the file holds that DAYPART_CLIENT_SECRET_FILE or DAYPART_TOKEN_FILE names', async () => {
    const file = join(folder, 'secret');
    await writeFile(file, 'opensesame\n');

    assert.equal(readStated(args, { DAYPART_CLIENT_SECRET_FILE: file }).clientSecret, 'opensesame');
    assert.equal(readStated(args, { DAYPART_TOKEN_FILE: file }).token, 'opensesame');
  });

  it('is refused if it is set twice, or its file is missing or empty', async () => {
    const empty = join(folder, 'empty');
    await writeFile(empty, '\n');
    const refused: [Record<string, string>, RegExp][] = [
      [{ DAYPART_TOKEN: 'a', DAYPART_TOKEN_FILE: empty }, /are both set; set one of them/],
      [{ DAYPART_TOKEN_FILE: join(folder, 'none') }, /DAYPART_TOKEN_FILE cannot be read: ENOENT/],
      [{ DAYPART_CLIENT_SECRET_FILE: empty }, /DAYPART_CLIENT_SECRET_FILE: .* is empty/],
    ];
    for (const [env, message] of refused)
      assert.throws(
        () => readStated(args, env),
        (error) => error instanceof UsageError && message.test(error.message),
      );
  });
});

describe('a base URL', () => {
  const none = { value: () => undefined, has: () => false } as unknown as Parameters<typeof readStated>[0];
  const baseOf = (url: string) => readStated(none, { DAYPART_URL: url }).url;

  it('is refused with credentials in it, which no message repeats', () => {
    for (const url of [
      'http://me:secret@127.0.0.1:8080/v1',
      'https://me@host/v1',
      'https://:secret@host/v1?a=1',
      'ftp://me:secret@host',
    ])
      assert.throws(
        () => baseOf(url),
        ({ message }: Error) =>
          /must not contain credentials: .*--client-id.*DAYPART_CLIENT_SECRET/.test(message) &&
          !/secret@|me@/.test(message),
      );
    assert.equal(baseOf('https://host/a@b/v1'), 'https://host/a@b/v1');
  });
});
