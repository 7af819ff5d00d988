/**
 * Each change that takes access away is made on a full disk, however little room the others have left in the journal.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { it } from 'node:test';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { openReserve } from '../../packages/service/src/ledger/sqlite/reserve.ts';
import { openLedgerIn } from '../../packages/service/src/ledger/sqlite/sqlite.ts';
import { openThreadedLedger } from '../../packages/service/src/ledger/sqlite/thread.ts';
import { isDiskFull } from '../../packages/service/src/storage/disk-fault.ts';
import { fillUp, mountSmall } from './small-disk.ts';

const NOW = Date.UTC(2026, 2, 10);
const small = mountSmall(16);

it('what takes access away is written on a full disk, and nothing else is', {
  skip: small === undefined && process.env.CI !== 'true' && 'no file system can be mounted here',
}, async (t) => {
  const folder = String(small);
  const data = join(folder, 'data');
  await (await openLedgerIn(data)).close();
  const reserve = await openReserve(join(folder, 'reserve'));
  await reserve.refill();
  const ledger = await openThreadedLedger(data, reserve);
  t.after(async () => {
    await ledger.close();
    await reserve.close();
    execFileSync('umount', [folder]);
    rmSync(folder, { recursive: true });
  });
  const { id, group } = await createClient(ledger, { group: 'customer' }, NOW);

  /** Takes all room, also that in the journal. */
  async function untilRefused(): Promise<void> {
    for (;;) {
      fillUp(folder);
      try {
        await ledger.ensureGroup(randomUUID(), NOW);
      } catch (error) {
        assert.ok(isDiskFull(error), String(error));
        return;
      }
    }
  }

  const note = (action: string) =>
    ledger.addAudit({ at: NOW, group, byGroup: group, clientId: id, name: null, action, target: id, detail: {} });
  const addTask = (kind: 'verify' | 'remove-group') =>
    ledger.addTask({ guid: randomUUID(), kind, argument: { group }, createdAt: NOW });
  const changes: Record<string, () => Promise<unknown>> = {
    'the note of a revoked client': () => note('client.revoked'),
    'the limits of a client': () => ledger.limitClient(id, { check: '1/day' }),
    'a new secret': () => ledger.rotateSecret(id, 'scrypt$hash', NOW),
    'a revoked client': () => ledger.revokeClient(id, NOW),
    'the limits of a group': () => ledger.limitGroup(group, { check: '1/day' }),
    'a removal': () => ledger.beginRemoval(group, NOW),
    'the task of a removal': () => addTask('remove-group'),
  };
  for (const [what, change] of Object.entries(changes)) {
    await untilRefused();
    await assert.doesNotReject(change, what);
  }
  await untilRefused();
  await assert.rejects(note('client.created'), isDiskFull);
  await assert.rejects(addTask('verify'), isDiskFull);
});
