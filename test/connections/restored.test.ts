/** Connections in a data folder that was restored from a backup. */
import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it } from 'node:test';
import { connectionOf } from '../../packages/service/src/connections/suite/bench.ts';
import { openLedgerIn } from '../../packages/service/src/ledger/sqlite/sqlite.ts';
import { PLACES } from '../../packages/service/src/stores.ts';
import { GROUP, TO_KIOSK } from './rig.ts';

it('connections of a restored folder are paused, without their sessions', async (t) => {
  const data = await mkdtemp(join(tmpdir(), 'daypart-restored-'));
  t.after(() => rm(data, { recursive: true }));
  const before = await openLedgerIn(data);
  await before.ensureGroup(GROUP, 0);
  for (const [id, state] of Object.entries({ con_a: 'active', con_b: 'refused', con_c: 'removed' } as const)) {
    const connection = connectionOf({
      ...TO_KIOSK,
      id,
      at: 0,
      credentials: 'sealed',
    });
    await before.addConnection(Object.assign(connection, { token: 'sealed', tokenUntil: 1 }), {
      join: [],
      streams: [],
    });
    if (state === 'removed') await before.removeConnection(id, 1);
  }
  await before.close();

  PLACES.ledger.settleCopy(data);

  const after = await openLedgerIn(data);
  t.after(() => after.close());
  const states = await Promise.all(['con_a', 'con_b', 'con_c'].map((id) => after.connection(id)));
  assert.deepEqual(
    states.map((one) => [one?.state, one?.reason, one?.token]),
    [
      ['paused', 'restored', null],
      ['paused', 'restored', null],
      ['removed', null, null],
    ],
  );
  assert.equal(await after.claimConnection('node', 10, 20), undefined);
});
