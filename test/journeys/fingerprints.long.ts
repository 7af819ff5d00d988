/** Card fingerprints and the scope of guest payments, both off unless the service is set up with them. */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { PROCESS } from '@daypart/cli';
import { keysCommand } from '../../packages/service/src/commands/keys.ts';
import {
  ask,
  BISTRO,
  newGuid,
  onOneNode,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from './service.ts';

const SECOND = BISTRO.replace('b1', 'b2');
const FOREIGN = BISTRO.replace('b1', 'b3');
const CARDS = ['card-7f3a9c1e-first', 'card-7f3a9c1e-second'];
const GIVEN = 'c1b2a3d4-0000-4000-8000-00000000000f';
const paid = (changes: object) => ({
  guid: newGuid(),
  type: 'CREDIT',
  amount: 10,
  paidDate: '2026-03-10T17:00:00.000Z',
  last4Digits: '4242',
  ...changes,
});
const order = (...payments: object[]) => plainOrder({}, { payments: payments.map(paid) });

describe('card fingerprints', () => {
  let running: Running;
  let blue: string;
  let red: string;

  /** The fingerprints of a group's payments, by restaurant. */
  async function fingerprints(token: string): Promise<Record<string, (string | null)[]>> {
    const guid = await ask(running, token, '/guest/payments/day', { startDate: 20260310 });
    const { body } = await running.call('GET', `/guest/payments/${guid}`, { token });
    const rows: { restaurantGuid: string; cardFingerprint: string | null }[] = body;
    return Object.fromEntries(
      [...Map.groupBy(rows, (row) => row.restaurantGuid)].map(([restaurant, own]) => [
        restaurant,
        own.map(({ cardFingerprint }) => cardFingerprint).sort(),
      ]),
    );
  }
  const load = async (token: string, restaurant: string, ...payments: object[]) =>
    await postOrders(running, token, restaurant, [order(...payments)]);

  before(async () => {
    running = await startJourney({ cardFingerprints: true });
    blue = await running.login('blue');
    red = await running.login('red');
    for (const guid of [BISTRO, SECOND]) await putRestaurant(running, blue, guid);
    await putRestaurant(running, red, FOREIGN);
  });
  after(() => running.stop());

  it('are the same for a card in every restaurant of a group, and others in other groups', async () => {
    const [first, second] = CARDS.map((cardPaymentId) => ({ cardPaymentId }));
    await load(blue, BISTRO, first as object, first as object, {});
    await load(blue, SECOND, first as object, second as object, { cardFingerprint: GIVEN.toUpperCase() });
    await load(red, FOREIGN, first as object);

    const own = await fingerprints(blue);
    const foreign = await fingerprints(red);
    const [made] = own[BISTRO]?.filter((one) => one !== null) ?? [];

    assert.match(String(made), /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(own[BISTRO]?.filter((one) => one === made).length, 2);
    assert.ok(own[BISTRO]?.includes(null) && own[SECOND]?.includes(String(made)) && own[SECOND]?.includes(GIVEN));
    assert.equal(new Set(own[SECOND]).size, 3);
    assert.ok(foreign[FOREIGN]?.length === 1 && foreign[FOREIGN][0] !== null && foreign[FOREIGN][0] !== made);
  });

  it('survive a restart, and are counted in the totals', async () => {
    const before = await fingerprints(blue);
    await running.restart();
    await load(blue, BISTRO, { cardPaymentId: CARDS[1] });
    const after = await fingerprints(blue);
    const guid = await ask(running, blue, '/guest/payments/day', { startDate: 20260310 });
    await running.call('GET', `/guest/payments/${guid}`, { token: blue });
    const { body } = await running.call('GET', `/reports/${guid}`, { token: blue });

    assert.deepEqual(after[SECOND], before[SECOND]);
    const added = after[BISTRO]?.filter((one) => !before[BISTRO]?.includes(one));
    assert.ok(added?.length === 1 && after[SECOND]?.includes(String(added[0])));
    assert.deepEqual(body.controlTotals, [{ currencyCode: null, rows: 7, paymentsWithFingerprint: 6 }]);
  });

  it('leave no id of a card in any file of the data folder', {
    skip: onOneNode('it looks for text in the files of the facts'),
  }, async () => {
    const filesWith = async (text: string): Promise<string[]> => {
      const all = await readdir(running.config.data, { recursive: true, withFileTypes: true });
      const names = all.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
      assert.ok(names.some((name) => name.endsWith('facts.duckdb')));
      const found = await Promise.all(names.map(async (name) => (await readFile(name)).includes(text)));
      return names.filter((_, index) => found[index]);
    };
    // In the journal what was written is found as it is: this text is.
    await load(blue, BISTRO, { cardType: 'PLAIN-BRAND', cardPaymentId: CARDS[0] });
    const [plain, secret] = [await filesWith('PLAIN-BRAND'), await filesWith('card-7f3a9c1e')];
    await running.restart();

    assert.equal(plain.length, 1);
    assert.deepEqual([secret, await filesWith('card-7f3a9c1e')], [[], []]);
  });

  it('of a card are others once the key of its group is rotated, and those of stored orders remain', {
    skip: onOneNode('it runs a command on the data folder'),
  }, async () => {
    const before = await fingerprints(blue);
    const foreign = await fingerprints(red);
    const lines: string[] = [];
    const rotate = (group: string) =>
      keysCommand(
        ['rotate-fingerprints', '--group', group, '--data', running.config.data],
        (line) => lines.push(line),
        PROCESS,
      );
    await rotate('blue');
    await load(blue, BISTRO, { cardPaymentId: CARDS[0] }, { cardPaymentId: CARDS[0] });
    await load(red, FOREIGN, { cardPaymentId: CARDS[0] });

    const after = await fingerprints(blue);

    assert.match(lines.join(), /Cards of blue get new fingerprints/);
    assert.deepEqual(after[SECOND], before[SECOND]);
    const old = before[BISTRO] ?? [];
    const added = after[BISTRO]?.filter((one) => !old.includes(one)) ?? [];
    assert.deepEqual([added.length, new Set(added).size, after[BISTRO]?.length], [2, 1, old.length + 2]);
    assert.equal(new Set([...(foreign[FOREIGN] ?? []), ...((await fingerprints(red))[FOREIGN] ?? [])]).size, 1);
    await assert.rejects(rotate('blu'), /the management group blu has no key of card fingerprints/);
    await assert.rejects(
      keysCommand(['rotate-fingerprints'], () => undefined, PROCESS),
      /needs --group/,
    );
  });

  it('are all null once the setting is off again, also those of data that was loaded with it', async () => {
    const before = await fingerprints(blue);
    const nulls = (count: number): null[] => Array(count).fill(null);
    await running.restart({ cardFingerprints: false });
    await load(blue, SECOND, { cardPaymentId: CARDS[0] });

    const own = await fingerprints(blue);

    const [first = [], second = []] = [before[BISTRO], before[SECOND]];
    assert.ok(first.some((one) => one !== null));
    assert.deepEqual([own[BISTRO], own[SECOND]], [nulls(first.length), nulls(second.length + 1)]);
    await running.restart({ cardFingerprints: true });
    assert.deepEqual((await fingerprints(blue))[SECOND]?.filter((one) => one === null).length, 1);
  });
});

describe('the scope of guest payments', () => {
  it('is required to create and to retrieve them if the service is configured so, and for nothing else', async () => {
    const running = await startJourney({ guestScope: true, sandbox: true });
    try {
      const plain = await running.login('blue');
      const guest = await running.login('blue', { scopes: ['enterprise-metrics:read', 'guest-payments:read'] });
      const only = await running.login('blue', { scopes: ['guest-payments:read'] });
      const body = { startDate: 20260310 };
      const post = (path: string, token: string) => running.call('POST', path, { token, json: body });

      const refused = await post('/guest/payments/day', plain);
      const made = await post('/guest/payments/day', guest);
      const get = (token: string, guid = made.body) => running.call('GET', `/guest/payments/${guid}`, { token });
      const reserved = '00000000-0000-4000-8000-000000000200';
      const statuses = [await get(plain), await get(only), await get(guest), await get(plain, reserved)];

      assert.deepEqual([refused.status, refused.body.code, made.status], [403, 'scope_missing', 200]);
      assert.match(refused.headers.get('www-authenticate') ?? '', /scope="guest-payments:read"/);
      assert.deepEqual(
        statuses.map(({ status }) => status),
        [403, 403, 200, 403],
      );
      assert.equal((await post('/payout/payments/day', plain)).status, 200);
      const described = async () => {
        const { body } = await running.call('GET', '/openapi.json', { base: '' });
        const paths = ['/guest/payments/{timeRange}', '/guest/payments/day', '/guest/payments/{reportRequestGuid}'];
        const of = paths.flatMap((path) => Object.values<{ security: object[] }>(body.paths[path] ?? {}));
        return of.map(({ security }) => security[0]);
      };
      const both = { oauth2: ['enterprise-metrics:read', 'guest-payments:read'] };
      assert.deepEqual(await described(), [both, both]);
      await running.restart({ guestScope: false });
      assert.deepEqual((await described())[0], { oauth2: ['enterprise-metrics:read'] });
      assert.equal((await get(plain)).status, 200);
    } finally {
      await running.stop();
    }
  });
});
