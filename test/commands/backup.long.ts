/** Backups of a running service: under the load of many bodies and reports, killed in the middle, and cancelled. */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { backUpUnderLoad, ENV, inFolder, until } from './backups.ts';
import { run } from './in-process.ts';
import { serve, start, stop } from './process.ts';
import { putRestaurants, signIn } from './trade.ts';

/** A service on a data folder whose backup is cut off, and what there is of the backup. */
async function servedIn(folder: string) {
  const [data, to] = [join(folder, 'data'), join(folder, 'backup')];
  const killed = await serve(['--data', data], ENV);
  await putRestaurants(await signIn(killed.base));
  const partial = async () => (await readdir(folder)).filter((name) => name.startsWith('backup.partial-'));
  return { data, to, killed, engine: await engineOf(killed.child.pid), partial };
}

describe('a backup of a running service', () => {
  it('under load, restored elsewhere, gives every report and figure of one point in time', backUpUnderLoad);

  it(
    'is not there when the service is killed in the middle, and what was begun of it goes',
    {
      skip: process.platform !== 'linux',
    },
    () =>
      inFolder(async (folder) => {
        const { data, to, killed, engine, partial } = await servedIn(folder);
        process.kill(engine, 'SIGSTOP');
        const asked = run(['backup', to, '--data', data]);
        await until(async () => (await partial()).length === 1);

        await stop(killed.child, 'SIGKILL');
        process.kill(engine, 'SIGCONT');

        const { code, err } = await asked;
        assert.equal(code, 1);
        assert.match(err, /the service ended before it was done; run the command again/);
        assert.deepEqual([existsSync(to), await partial()], [false, []]);
        const { child } = await serve(['--data', data], ENV);
        assert.equal((await run(['backup', to, '--data', data])).code, 0);
        assert.equal(await stop(child), 0);
      }),
  );

  it(
    'leaves nothing when the service is killed together with the command, once one runs again',
    {
      skip: process.platform !== 'linux',
    },
    () =>
      inFolder(async (folder) => {
        const { data, to, killed, engine, partial } = await servedIn(folder);
        process.kill(engine, 'SIGSTOP');
        const command = start(['backup', to, '--data', data]);
        await until(async () => (await partial()).length === 1);
        await Promise.all([stop(command, 'SIGKILL'), stop(killed.child, 'SIGKILL')]);
        process.kill(engine, 'SIGCONT');
        assert.equal((await partial()).length, 1);

        const { child } = await serve(['--data', data], ENV);

        assert.deepEqual([existsSync(to), await partial()], [false, []]);
        assert.equal(await stop(child), 0);
      }),
  );

  it(
    'is cancelled by Ctrl-C and by the end of the service, and leaves nothing',
    {
      skip: process.platform !== 'linux',
    },
    () =>
      inFolder(async (folder) => {
        const [data, to] = [join(folder, 'data'), join(folder, 'backup')];
        const { child, base } = await serve(['--data', data], ENV);
        const service = await signIn(base);
        await putRestaurants(service);
        const engine = await engineOf(child.pid);
        const partial = async () => (await readdir(folder)).filter((name) => name !== 'data');
        async function ended(end: (command: Command) => Promise<unknown>): Promise<string> {
          process.kill(engine, 'SIGSTOP');
          const command = start(['backup', to, '--data', data]);
          let err = '';
          command.stderr?.on('data', (chunk) => {
            err += chunk;
          });
          await until(async () => (await partial()).length === 1);
          const ending = end(command);
          await setTimeout(1500);
          process.kill(engine, 'SIGCONT');
          await ending;
          await until(() => command.exitCode !== null);
          assert.equal(command.exitCode, 1, err);
          await until(async () => (await partial()).length === 0);
          return err;
        }
        try {
          assert.match(await ended((command) => stop(command, 'SIGINT')), /the backup was cancelled/);
          assert.match(await ended(() => stop(child)), /the service ended before it was done/);
        } finally {
          await stop(child);
        }
      }),
  );
});

type Command = ReturnType<typeof start>;

async function engineOf(pid: number | undefined): Promise<number> {
  return Number((await readFile(`/proc/${pid}/task/${pid}/children`, 'utf8')).trim().split(' ')[0]);
}
