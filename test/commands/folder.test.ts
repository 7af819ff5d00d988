/** Data folders that are not what a command expects: it says so, and changes nothing. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs';
import { cp, mkdir, readFile, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { run, serveHere } from './in-process.ts';
import { type Ended, serve, stop } from './process.ts';

const COMMANDS: Record<string, string[]> = {
  serve: ['serve', '--port', '0', '--metrics-port', 'off'],
  create: ['clients', 'create', '--group', 'g'],
  init: ['clients', 'create', '--group', 'g', '--init'],
  list: ['clients', 'list'],
  verify: ['facts', 'verify'],
};

/** Every file below the folder with its bytes, and folders; what was changed there differs. */
function contents(folder: string): Record<string, string> {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort();
  return Object.fromEntries(
    names.map((name) => {
      const path = join(folder, name);
      return [name, statSync(path).isDirectory() ? '/' : createHash('sha1').update(readFileSync(path)).digest('hex')];
    }),
  );
}

describe('a data folder', () => {
  let all: string;
  let sound: string;
  let count = 0;
  before(async () => {
    all = mkdtempSync(join(tmpdir(), 'daypart-folder-'));
    sound = join(all, 'sound');
    const service = await serveHere(['--data', sound], { DAYPART_BOOTSTRAP_CLIENT: 'me:secret:group' });
    assert.equal(await service.stop(), 0);
  });
  after(() => rmSync(all, { recursive: true }));

  /** A copy of a sound data folder. */
  async function copied(): Promise<string> {
    const data = join(all, `copy-${++count}`);
    await cp(sound, data, { recursive: true });
    return data;
  }

  /** Each of the commands is refused with the message, and changes nothing in the folder. */
  async function assertRefused(data: string, message: RegExp, names = Object.keys(COMMANDS)): Promise<void> {
    const before = contents(data);
    await Promise.all(
      names.map(async (name) => {
        const { code, err } = await run([...(COMMANDS[name] ?? []), '--data', data]);
        assert.match(err, message, name);
        assert.deepEqual([code, err.trim().split('\n').length], [1, 1], err);
      }),
    );
    assert.deepEqual(contents(data), before);
  }

  it('with an empty ledger beside facts gets no other ledger', async () => {
    const data = await copied();
    await truncate(join(data, 'ledger.sqlite'));

    const apart =
      /there is only an empty ledger \(ledger\.sqlite\) beside the facts .*restore a backup.*nothing was changed/;
    await assertRefused(data, apart, ['serve', 'create', 'init', 'list']);
    await assertRefused(data, /the ledger \S+ledger\.sqlite is empty: restore a backup into a new folder/, ['verify']);
  });

  it('with nothing but an empty ledger gets a ledger from a start and from --init only', async () => {
    const data = join(all, 'alone');
    for (const isMarked of [false, true]) {
      await rm(data, { recursive: true, force: true });
      await mkdir(data);
      await writeFile(join(data, 'ledger.sqlite'), '');
      if (isMarked) {
        // As a first start leaves it that was killed before it made the tables.
        const db = new DatabaseSync(join(data, 'ledger.sqlite'));
        db.exec('pragma journal_mode = wal');
        db.close();
      }
      await assertRefused(data, /is empty: restore a backup .*, or make a new one with --init/, ['create']);
      await assertRefused(data, /is empty: restore a backup \S+.* --data NEW\)$/m, ['list', 'verify']);
    }

    const { code, err } = await run([...(COMMANDS.init ?? []), '--data', data]);
    assert.deepEqual([code, err], [0, '']);
  });

  it('with a database of another program, or no database, as its ledger is refused untouched', async () => {
    for (const journal of ['delete', 'wal']) {
      const data = join(all, `foreign-${journal}`);
      await mkdir(data);
      const db = new DatabaseSync(join(data, 'ledger.sqlite'));
      db.exec(
        `pragma journal_mode = ${journal}; create table schema_version (version integer); create table song (name)`,
      );
      db.close();
      await assertRefused(data, /ledger\.sqlite is a database of another program.*; nothing was changed/);
    }
    const data = await copied();
    await writeFile(join(data, 'ledger.sqlite'), 'no database'.repeat(1000));
    await assertRefused(data, /ledger\.sqlite is not a ledger, or is damaged .*restore a backup.*nothing was changed/);
  });

  it('whose service was killed before the tables of its ledger reached the file is one', async () => {
    const data = join(all, 'killed');
    const { child } = await serve(['--data', data]);
    await stop(child, 'SIGKILL');
    assert.ok(statSync(join(data, 'ledger.sqlite-wal')).size > 0);

    const { code, err }: Ended = await run(['clients', 'list', '--data', data]);

    assert.deepEqual([code, err], [0, '']);
    assert.ok(existsSync(join(data, 'facts')));
  });

  it('with a damaged ledger or damaged facts says which file it is and what to do', async () => {
    const ledger = await copied();
    await truncate(join(ledger, 'ledger.sqlite'), 100_000);
    const says = (file: string): RegExp =>
      new RegExp(
        `^daypart: \\S+/${file} is damaged \\(.+\\): restore a backup into a new folder \\(daypart restore .*\\)$`,
        'm',
      );
    await assertRefused(ledger, says('ledger.sqlite'), ['serve', 'create', 'list', 'verify']);

    for (const damage of [
      (file: string) => truncate(file, 100_000),
      (file: string) => truncate(file, 0),
      async (file: string) => {
        const bytes = await readFile(file);
        await writeFile(file, bytes.fill(1, 12_288, 800_000));
      },
    ]) {
      const data = await copied();
      await damage(join(data, 'facts', 'facts.duckdb'));
      const { code, err } = await run([...(COMMANDS.serve ?? []), '--data', data]);
      assert.match(err, says('facts/facts.duckdb'));
      assert.equal(code, 1);
    }
  });

  it('that is a file, or a link to nothing, is said to be no folder', async () => {
    const [file, link, loop] = [join(all, 'file'), join(all, 'link'), join(all, 'loop')];
    await writeFile(file, '');
    await symlink('nowhere', link);
    await symlink('loop', loop);
    const from = join(all, 'backup');
    assert.equal((await run(['backup', from, '--data', sound])).code, 0);
    for (const [data, what] of [
      [file, 'is not a folder'],
      [join(file, 'inside'), 'cannot be a folder: a part of its path is a file'],
      [link, 'is a link to a folder that does not exist'],
      [loop, 'is not a folder but a link that leads to itself'],
    ]) {
      const commands = [...Object.values(COMMANDS), ['restore', from]];
      const ended = await Promise.all(commands.map((args) => run([...args, '--data', String(data)])));
      for (const { code, err } of ended)
        assert.deepEqual([code, err], [1, `daypart: ${data} ${what}; name another folder with --data\n`]);
    }

    const before = contents(from);
    const inside = await run(['restore', from, '--data', join(from, 'in')]);
    const restored = await run(['restore', from, '--data', join(all, 'r one')]);

    assert.match(inside.err, /\/in is inside the backup, which must not be changed; name another folder with --data$/m);
    assert.deepEqual([inside.code, contents(from)], [1, before]);
    assert.ok(restored.out.endsWith(`Start it with: daypart serve --data '${join(all, 'r one')}'\n`), restored.out);
  });
});
