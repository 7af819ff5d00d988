import assert from 'node:assert/strict';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { requireLedger } from '../commands/ledger.ts';
import { openLog } from '../log.ts';
import { openStores } from '../stores.ts';

const isRoot = process.geteuid?.() === 0;

/** Does the work without the rights of root, who may read everything: as another user than the owner of the folder. */
async function asNobody<T>(work: () => Promise<T>): Promise<T> {
  if (isRoot) process.seteuid?.(65534);
  try {
    return await work();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}

it('a data folder, or a part of it, that cannot be read is not said to be missing, and its owner is named', async (t) => {
  const data = mkdtempSync(join(tmpdir(), 'daypart-denied-'));
  t.after(() => rmSync(data, { recursive: true }));
  const config = { data, engineMemory: 256 };
  await (await openStores(config, openLog('silent'))).close();
  const other = isRoot ? '; it belongs to the user with id 0, and this command runs as the user with id 65534' : '';
  const says = (name: string): RegExp => {
    const denied = `EACCES: permission denied, (stat|scandir) '${join(data, name)}'`;
    return new RegExp(`^the data folder ${data} cannot be read: ${denied}${other}$`);
  };

  chmodSync(data, isRoot ? 0o700 : 0o000);
  await asNobody(async () => {
    await assert.rejects(requireLedger(data), { message: says('ledger.sqlite') });
    await assert.rejects(openStores(config, openLog('silent')), { message: says('ledger.sqlite') });
  });

  chmodSync(data, 0o755);
  rmSync(join(data, 'ledger.sqlite'));
  chmodSync(join(data, 'facts'), isRoot ? 0o700 : 0o000);
  await asNobody(() => assert.rejects(openStores(config, openLog('silent')), { message: says('facts/facts.duckdb') }));

  chmodSync(join(data, 'facts'), 0o700);
  rmSync(join(data, 'facts'), { recursive: true });
  chmodSync(join(data, 'results'), isRoot ? 0o700 : 0o000);
  await asNobody(() => assert.rejects(openStores(config, openLog('silent')), { message: says('results') }));
  chmodSync(join(data, 'results'), 0o700);
});
