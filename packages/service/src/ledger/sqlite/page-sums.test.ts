/**
 * A byte of the ledger that something else than SQLite has changed is found; what SQLite writes is not taken for
 * damage.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { closeSync, existsSync, openSync, readSync, statSync, writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Ledger } from '../ledger.ts';
import { openReserve } from './reserve.ts';
import { openReservedLedger } from './reserved.ts';
import { openThreadedLedger } from './thread.ts';

const NOW = 1_700_000_000_000;
/** Some 2,500 pages of the log. */
const CLIENTS = 500;

async function folderFor(t: TestContext): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-sums-'));
  t.after(() => rm(folder, { recursive: true }));
  return folder;
}

async function open(folder: string) {
  const reserve = await openReserve(join(folder, 'reserve'));
  const { promise: damage, resolve } = Promise.withResolvers<Error>();
  const found: Error[] = [];
  damage.then((error) => found.push(error));
  const ledger = await openThreadedLedger(folder, reserve, { onDamage: resolve });
  return {
    ledger,
    damage,
    found,
    async close() {
      await ledger.close();
      await reserve.close();
    },
  };
}

async function addClients(ledger: Ledger, count: number): Promise<void> {
  await ledger.ensureGroup('blue', NOW);
  for (let i = 0; i < count; i++)
    await ledger.addClient({
      id: randomUUID(),
      name: 'x'.repeat(400),
      group: 'blue',
      scopes: [],
      dialect: 'reference',
      secretHash: `scrypt$${randomUUID()}`,
      createdAt: NOW,
      revokedAt: null,
    });
}

/** Changes a bit in the middle of a file of several pages. */
function flip(folder: string): void {
  const path = join(folder, 'ledger.sqlite');
  const at = Math.floor(statSync(path).size / 2);
  assert.ok(at > 4096);
  const file = openSync(path, 'r+');
  const byte = Buffer.alloc(1);
  readSync(file, byte, 0, 1, at);
  writeSync(file, Buffer.from([(byte[0] ?? 0) ^ 4]), 0, 1, at);
  closeSync(file);
}

it('a flipped bit is found while the ledger is open, after checkpoints that are not taken for damage', async (t) => {
  const folder = await folderFor(t);
  const { ledger, damage, found, close } = await open(folder);
  t.after(close);
  await addClients(ledger, CLIENTS);
  while (!existsSync(join(folder, 'ledger.sums'))) await sleep(10);
  await ledger.ping();
  assert.deepEqual(found, []);

  flip(folder);

  assert.match(
    (await damage).message,
    /ledger\.sqlite is damaged \(page \d+ has other bytes than were written\): restore/,
  );
  await assert.rejects(ledger.ping(), /is damaged/);
});

it('a bit that is flipped while no service runs is found at the start', async (t) => {
  const folder = await folderFor(t);
  const first = await open(folder);
  await addClients(first.ledger, 300);
  await first.close();

  flip(folder);
  const second = await open(folder);
  t.after(second.close);

  assert.match((await second.damage).message, /is damaged/);
});

it('what commands write, with and without a service, is not taken for damage', async (t) => {
  const folder = await folderFor(t);
  for (let round = 0; round < 2; round++) {
    const { ledger, found, close } = await open(folder);
    const beside = await openReservedLedger(folder);
    await Promise.all([addClients(ledger, 250), addClients(beside, 50)]);
    await beside.close();
    await addClients(ledger, 150);
    // The last connection that is closed copies the log.
    const later = await openReservedLedger(folder);
    if (round === 1) await close();
    await addClients(later, 20);
    await later.close();
    // Two rounds of comparisons have been made when there are sums again.
    if (round !== 1) {
      await sleep(1500);
      await ledger.ping();
      await close();
    }
    assert.deepEqual(found, []);
    const alone = await openReservedLedger(folder);
    await addClients(alone, 20);
    await alone.close();
  }
});
