import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { renameSync, writeFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { claimOne } from '../../../../../test/conformance/claim.ts';
import { openThreaded } from '../../../../../test/conformance/open-ledger.ts';
import type { Ledger } from '../ledger.ts';
import { openReserve } from './reserve.ts';
import { openLedgerIn } from './sqlite.ts';
import { openThreadedLedger } from './thread.ts';

const NOW = 1_700_000_000_000;

async function addReport(ledger: Ledger): Promise<string> {
  const guid = randomUUID();
  await ledger.addReport({
    guid,
    group: 'blue',
    clientId: 'c',
    kind: 'check',
    dialect: 'live',
    createdAt: NOW,
    cost: 5,
    lane: 'short' as const,
    plan: { span: 'day', startDate: 1, endDate: 1, aggregate: 'DAY', groups: [], restaurantIds: [] },
    request: { path: '/check/day', body: {} },
    expiresAt: NOW + 1000,
  });
  return guid;
}

describe('a ledger in two threads', () => {
  it('makes changes that wait together with one commit, in their order, and one that fails touches no other', async () => {
    const { ledger, close } = await openThreaded();
    try {
      const bistro = (group: string, guid: string, name: string) => ({
        guid,
        group,
        name,
        timeZone: 'UTC',
        closeoutHour: 4,
        currencyCode: null,
        overtimeMultiplier: 1.5,
        refundsOn: 'refund' as const,
        locationName: null,
        locationCode: null,
        active: true,
        testMode: false,
        archived: false,
      });
      const guids = Array.from({ length: 40 }, () => randomUUID());
      const added = ledger.ensureGroup('blue', NOW);
      const outcomes = await Promise.allSettled(
        guids.flatMap((guid) => [
          ledger.putRestaurant(bistro('blue', guid, 'Old')),
          ledger.putRestaurant(bistro('nobody', randomUUID(), 'No such group')),
          ledger.putRestaurant(bistro('blue', guid, 'New')),
        ]),
      );
      await added;

      const created = outcomes.map((outcome) => (outcome.status === 'fulfilled' ? outcome.value?.created : 'failed'));
      assert.deepEqual(
        created,
        guids.flatMap(() => [true, 'failed', false]),
      );
      const stored = await ledger.restaurantsOf('blue');
      assert.deepEqual(
        stored.map(({ guid, name }) => `${guid} ${name}`),
        guids.map((guid) => `${guid} New`).sort(),
      );
    } finally {
      await close();
    }
  });

  it('reads the result of a change as soon as the change is reported, even in a turn that read an older row', async () => {
    const { ledger, close } = await openThreaded();
    await ledger.ensureGroup('blue', NOW);
    const guid = await addReport(ledger);
    let over = false;
    const looking = (async () => {
      for (; !over; ) {
        await ledger.report(guid);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();

    const states: (string | undefined)[] = [];
    for (let attempt = 0; attempt < 200; attempt++) {
      const claimed = await claimOne(ledger, 'here', NOW, NOW + 500);
      states.push((await ledger.report(guid))?.state);
      await ledger.releaseReport(guid, 'here', claimed?.attempt ?? 0, false);
      states.push((await ledger.report(guid))?.state);
    }

    assert.deepEqual(new Set(states.filter((_, i) => i % 2 === 0)), new Set(['gathering']));
    assert.deepEqual(new Set(states.filter((_, i) => i % 2 === 1)), new Set(['queued']));
    over = true;
    await looking;
    await close();
  });

  it('makes changes in the order of the calls, and all of them before it closes', async () => {
    const { ledger, close } = await openThreaded();
    const groups = Array.from({ length: 50 }, (_, i) => `group-${String(i).padStart(2, '0')}`);

    const done = groups.map((group) => ledger.ensureGroup(group, NOW));
    const last = ledger.groups();

    await Promise.all(done);
    assert.deepEqual(await ledger.groups(), groups);
    assert.ok((await last).length <= groups.length);
    await close();
  });

  it('refuses a change that comes after it was closed, and leaves no thread behind', async () => {
    const { ledger, close } = await openThreaded();
    await close();

    await assert.rejects(ledger.ensureGroup('blue', NOW), /the ledger is closed/);

    assert.ok(!process.getActiveResourcesInfo().includes('MessagePort'), process.getActiveResourcesInfo().join());
  });

  it('makes a change that comes right after its thread ended in a new one', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'daypart-ledger-'));
    const data = join(folder, 'data');
    await (await openLedgerIn(data)).close();
    const reserve = await openReserve(join(folder, 'reserve'));
    const ledger = await openThreadedLedger(data, reserve);
    // The thread has not opened its file yet: there is another now, which it cannot open.
    renameSync(data, `${data}-away`);
    writeFileSync(data, '');

    const first = ledger.ensureGroup('blue', NOW).catch((error: Error) => {
      renameSync(`${data}`, `${data}-wrong`);
      renameSync(`${data}-away`, data);
      return Promise.all([error, ledger.ensureGroup('green', NOW)]);
    });

    assert.ok((await first)?.[0] instanceof Error);
    assert.deepEqual(await ledger.groups(), ['green']);
    await ledger.close();
    await reserve.close();
    await rm(folder, { recursive: true });
  });

  it('throws what a change throws, and continues', async () => {
    const { ledger, close } = await openThreaded();

    await assert.rejects(addReport(ledger), { message: /FOREIGN KEY/, code: 'ERR_SQLITE_ERROR' });

    await ledger.ensureGroup('blue', NOW);
    assert.equal((await ledger.report(await addReport(ledger)))?.state, 'queued');
    await close();
  });
});
