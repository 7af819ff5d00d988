/** Which dates of folders are imported, when, and what their restaurants show meanwhile. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it, type TestContext } from 'node:test';
import { SourceError } from '@daypart/client/source';
import { memberState, warningText } from '../../packages/service/src/connections/states.ts';
import { writeDay } from './export-days.ts';
import { type FolderRig, openFolderRig } from './folder-rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
/** 10 March 2026 in New York, 9:00; 9 March ended five hours ago. */
const START = Date.UTC(2026, 2, 10, 13);

async function open(t: TestContext, count = 1): Promise<{ rig: FolderRig; folder: string }> {
  const root = await mkdtemp(join(tmpdir(), 'daypart-folders-'));
  for (let index = 1; index <= count; index++) await mkdir(join(root, String(index)));
  const rig = await openFolderRig(root, START, count);
  t.after(async () => {
    await rig.close();
    await rm(root, { recursive: true, force: true });
  });
  return { rig, folder: join(root, '1') };
}

async function shown(rig: FolderRig, folder = '1') {
  const connection = await rig.ledger.connection('con_folders000000000000000');
  assert.ok(connection);
  const streams = (await rig.ledger.connectionStreams(connection.id)).filter(({ upstreamId }) => upstreamId === folder);
  return memberState({ connection, restaurant: await rig.member(folder), streams }, 'America/New_York', rig.at);
}
const orders = async (rig: FolderRig, date: number): Promise<number> =>
  (await rig.engine.facts.ordersOf(rig.restaurants[0]?.id ?? 0, date)).length;

describe('the dates of a folder', () => {
  it('are imported when two listings agree, once, and again when a file is written again', async (t) => {
    const { rig, folder } = await open(t);
    await writeDay(folder, 20260308, { at: START - 30 * HOUR_MS });
    await writeDay(folder, 20260309, { at: START, only: (name) => !name.startsWith('Item') });
    await rig.run();
    assert.deepEqual([rig.imported, (await shown(rig)).state], [[], 'chosen']);
    rig.at += 5 * MINUTE_MS;
    await writeDay(folder, 20260309, { at: rig.at });
    await rig.pass(6 * MINUTE_MS);
    assert.deepEqual(rig.imported, ['1 20260308']);

    await rig.pass(HOUR_MS);
    assert.deepEqual(rig.imported, ['1 20260308', '1 20260309']);
    assert.equal(await orders(rig, 20260309), 3);
    const { state, message } = await shown(rig);
    assert.deepEqual([state, /everything up to 04:00/.test(message)], ['current', true], message);
    const [settled] = await rig.ledger.connectedStates('bistro group');
    assert.equal(settled?.lastSettledDate, 20260309);
    const { changed, fetched } = (await rig.stream()) ?? {};
    assert.deepEqual([changed, fetched], [10, 10]);

    await writeDay(folder, 20260308, { at: rig.at, edition: 2 });
    await rig.pass(7 * HOUR_MS);
    assert.deepEqual(rig.imported.slice(2), ['1 20260308']);
    assert.equal((await rig.stream())?.changed, 11);
    await rig.pass(9 * HOUR_MS);
    assert.equal(rig.imported.length, 3);
    const runs = await rig.ledger.imports('bistro group', { since: 0, limit: 10 });
    assert.deepEqual(
      runs.map(({ businessDate, clientId }) => [businessDate, clientId]),
      [
        [20260308, 'connection'],
        [20260309, 'connection'],
        [20260308, 'connection'],
      ],
    );
  });

  it('are late when they do not come, and reported when they can no longer come', async (t) => {
    const { rig, folder } = await open(t);
    await writeDay(folder, 20260308, { at: START });
    await rig.pass(20 * MINUTE_MS);
    assert.equal((await shown(rig)).state, 'current');
    await rig.pass(3 * HOUR_MS);
    const { state, reason, message } = await shown(rig);
    assert.deepEqual([state, reason], ['late', 'late']);
    assert.match(message, /the files of 2026-03-09 have not come/);

    for (let date = 20260310; date <= 20260317; date++) await writeDay(folder, date, { at: START });
    await rig.pass(8 * 24 * HOUR_MS);
    assert.equal((await shown(rig)).state, 'current');
    const [warning] = (await rig.member()).warnings;
    assert.equal(warning?.code, 'export_missed');
    assert.match(
      warningText(warning, 'America/New_York', rig.at),
      /did not come before the point of sale removed them/,
    );
    assert.equal(rig.imported.length, 9);
  });

  it('of which nothing can be loaded are reported, and do not hold up the others', async (t) => {
    const { rig, folder } = await open(t);
    await writeDay(folder, 20260308, { at: START });
    await writeDay(folder, 20260309, { at: START });
    await writeFile(join(folder, '20260308', 'OrderDetails.csv'), 'not a table\n');
    await rig.pass(HOUR_MS);
    assert.deepEqual(rig.imported, ['1 20260308', '1 20260309']);
    assert.equal((await rig.member()).warnings[0]?.code, 'export_refused');
    assert.ok(((await rig.stream())?.rejected ?? 0) > 0);
    await writeDay(folder, 20260308, { at: rig.at });
    await rig.pass(8 * HOUR_MS);
    assert.deepEqual((await rig.member()).warnings, []);
    assert.equal(await orders(rig, 20260308), 3);
  });

  it('that cannot be fetched are tried again, and hold up neither the others nor other restaurants', async (t) => {
    const { rig, folder } = await open(t, 2);
    await writeDay(folder, 20260308, { at: START });
    await writeDay(folder, 20260309, { at: START });
    await writeDay(join(rig.root, '2'), 20260309, { at: START });
    rig.onStep = (step) => {
      if (step === 'fetch 1 20260308') throw new SourceError('upstream_error', 'truncated');
    };
    await rig.pass(2 * HOUR_MS);
    assert.deepEqual([...rig.imported].sort(), ['1 20260309', '2 20260309']);
    assert.deepEqual([(await shown(rig)).reason, (await shown(rig, '2')).state], ['upstream_error', 'current']);
    rig.onStep = () => undefined;
    await rig.pass(2 * HOUR_MS);
    assert.ok(rig.imported.includes('1 20260308'));
    assert.equal((await shown(rig)).state, 'current');
  });

  it('are read again when somebody asks, and before a first date not at all', async (t) => {
    const { rig, folder } = await open(t);
    await writeDay(folder, 20260309, { at: START });
    await rig.pass(HOUR_MS);
    await rig.ledger.askDates(
      'con_folders000000000000000',
      [20260301, 20260309].map((businessDate) => ({ upstreamId: '1', businessDate })),
      rig.at,
    );
    await rig.pass(MINUTE_MS);
    assert.deepEqual(rig.imported, ['1 20260309', '1 20260309']);
    assert.deepEqual(await rig.ledger.unreadDates('con_folders000000000000000', '1', 10), []);
    assert.equal((await rig.stream())?.changed, 5);
  });

  it('are those of a restaurant that is lost when its folder is removed, until it is back', async (t) => {
    const { rig, folder } = await open(t);
    await writeDay(folder, 20260309, { at: START });
    await rig.pass(HOUR_MS);
    await rm(folder, { recursive: true });
    await rig.pass(30 * HOUR_MS);
    assert.equal((await shown(rig)).state, 'lost');
    await writeDay(folder, 20260310, { at: rig.at });
    await rig.pass(30 * HOUR_MS);
    assert.deepEqual(rig.imported, ['1 20260309', '1 20260310']);
  });

  it('stop being read when the server has another host key', async (t) => {
    const { rig, folder } = await open(t);
    await writeDay(folder, 20260309, { at: START });
    rig.onStep = () => {
      throw new SourceError('host_key_changed', 'another key');
    };
    await rig.pass(HOUR_MS / 2);
    const connection = await rig.ledger.connection('con_folders000000000000000');
    assert.deepEqual([connection?.state, connection?.reason], ['refused', 'host_key_changed']);
    assert.match((await shown(rig)).message, /another host key/);
    rig.onStep = () => undefined;
    await rig.ledger.replaceCredentials('con_folders000000000000000', 'new', rig.at);
    await rig.pass(HOUR_MS);
    assert.deepEqual(rig.imported, ['1 20260309']);
  });
});
