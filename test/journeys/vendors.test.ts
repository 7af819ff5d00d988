/**
 * What a vendor does with the groups of its customers: names and quotas
 * (docs/access.md#vendors-with-several-customers).
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { SCOPES } from '../../packages/service/src/contract/words.ts';
import { type Answer, isBalanced, type Running, startJourney } from './service.ts';
import { openBrowser } from './session-browser.ts';

const DAY = { startBusinessDate: '20260310' };
const READ = 'enterprise-metrics:read';

describe('a vendor', () => {
  let running: Running;
  let vendor: string;
  before(async () => {
    running = await startJourney({ limits: 'on' });
    vendor = await running.login('vendor', { scopes: [...SCOPES] });
  });
  after(() => running.stop());
  const call = (method: string, path: string, json?: object, token = vendor): Promise<Answer> =>
    running.call(method, path, { token, ...(json && { json }) });
  const creates = async (token: string, times: number): Promise<number[]> => {
    const statuses = [];
    for (let n = 0; n < times; n++) statuses.push((await call('POST', '/check/day', DAY, token)).status);
    return statuses;
  };
  const policyOf = async (token: string): Promise<string | null> =>
    (await call('POST', '/check/day', DAY, token)).headers.get('ratelimit-policy');

  it('gives a group a name, and nothing else', async () => {
    const made = await call('PUT', '/groups/trattoria', { name: ' Trattoria\u00a0 Ltd' });
    const expected = { group: 'trattoria', name: 'Trattoria Ltd', limits: {}, removing: false };
    assert.deepEqual([made.status, made.body], [201, expected]);
    const again = await call('PUT', '/groups/trattoria');
    assert.deepEqual([again.status, again.body], [200, expected]);
    assert.deepEqual((await call('GET', '/groups/trattoria')).body, expected);
    const listed: { group: string }[] = (await call('GET', '/groups')).body;
    assert.deepEqual(
      listed.find(({ group }) => group === 'trattoria'),
      expected,
    );
    for (const [body, code] of [
      [{ name: '' }, 'invalid_body'],
      [{ name: 5 }, 'invalid_body'],
      [{ name: ' \u00a0 ' }, 'invalid_body'],
      [{ name: null }, 'invalid_body'],
      [{ name: 'x'.repeat(101) }, 'invalid_body'],
      [[], 'invalid_body'],
      [{ name: 'x', limits: {} }, 'unknown_field'],
      [{ nam: 'x' }, 'unknown_field'],
    ] as const) {
      const { status, body: problem } = await call('PUT', '/groups/trattoria', body);
      assert.deepEqual([status, problem.code], [400, code], JSON.stringify(body));
    }
    assert.deepEqual((await call('GET', '/groups/trattoria')).body, expected);
    assert.equal((await call('GET', '/groups/nowhere')).body.code, 'group_not_found');
    const actions = (await call('GET', '/audit?group=trattoria')).body.entries.map(
      ({ action, detail }: { action: string; detail: object }) => [action, detail],
    );
    assert.deepEqual(actions, [['group.created', { name: 'Trattoria Ltd' }]]);
  });

  it('sets the limits of a group, which hold at once for all of its clients and sessions, and for no other', async () => {
    const [one, second, other] = [
      await running.login('quota'),
      await running.login('quota'),
      await running.login('without quota'),
    ];
    const limited = await call('PUT', '/groups/quota/limits', { check: '3/h', retrieval: 'off' });
    assert.deepEqual(limited.body, {
      group: 'quota',
      name: 'quota',
      removing: false,
      limits: { check: '3/h', retrieval: 'off' },
    });

    assert.equal(await policyOf(one), '"check-hour";q=3;w=3600');
    assert.deepEqual([await creates(second, 2), await creates(one, 1)], [[200, 200], [429]]);
    assert.equal(await policyOf(other), '"check-minute";q=50;w=60, "check-day";q=600;w=86400');
    assert.equal((await call('GET', '/metrics/x', undefined, one)).headers.get('ratelimit'), null);
    assert.equal((await call('POST', '/metrics/day', DAY, one)).status, 200);

    const quota = (await call('GET', '/limits?group=quota')).body;
    const left = quota.windows.find(({ name }: { name: string }) => name === 'check-hour');
    assert.deepEqual([quota.group, quota.clientId, left.quota, left.left], ['quota', null, 3, 0]);
    assert.ok(!quota.windows.some(({ name }: { name: string }) => name.startsWith('retrieval')));

    assert.deepEqual((await call('PUT', '/groups/quota/limits', {})).body.limits, {});
    assert.match((await policyOf(one)) ?? '', /"check-minute";q=50/);
  });

  it('is refused limits that do not exist or cannot be read, and those of unknown groups', async () => {
    for (const [body, code, pointer] of [
      [{ checks: '5/min' }, 'unknown_field', '/checks'],
      [{ longMetrics: '5/h' }, 'unknown_field', '/longMetrics'],
      [{ check: '5' }, 'invalid_body', '/check'],
      [{ check: 5 }, 'invalid_body', '/check'],
      [{ check: '0/min' }, 'invalid_body', '/check'],
      [{ check: '5/min,6/min' }, 'invalid_body', '/check'],
    ] as const) {
      const { status, body: problem } = await call('PUT', '/groups/vendor/limits', body);
      assert.deepEqual([status, problem.code, problem.errors[0].pointer], [400, code, pointer]);
    }
    for (const path of ['/groups/nowhere/limits', '/limits?group=nowhere'])
      assert.equal(
        (await call(path.startsWith('/l') ? 'GET' : 'PUT', path, path.startsWith('/l') ? undefined : {})).status,
        404,
      );
  });

  it('leaves shares of clients to the group, within its limits and for sessions too', async () => {
    const admin = await running.login('shares', { scopes: [READ, 'access:admin'] });
    const { clientId, clientSecret } = (await call('POST', '/clients', { scopes: [READ] }, admin)).body;
    const share = await call('PUT', `/clients/${clientId}/limits`, { check: '2/h' }, admin);
    assert.deepEqual([share.status, share.body], [200, { check: '2/h' }]);
    assert.deepEqual((await call('GET', `/clients/${clientId}`, undefined, admin)).body.limits, { check: '2/h' });
    const browser = openBrowser(running);
    await browser.call('POST', '/session', { clientId, clientSecret });
    const session = (await browser.call('POST', '/session/token', {})).body.token;

    const policy = '"check-minute";q=50;w=60, "check-day";q=600;w=86400, "client-check-hour";q=2;w=3600';
    assert.equal(await policyOf(session), policy);
    assert.deepEqual(await creates(session, 2), [200, 429]);
    assert.deepEqual(await creates(admin, 1), [200]);
    const shown = (await call('GET', `/limits?client=${clientId}`, undefined, admin)).body.windows;
    const [own] = shown.filter(({ name }: { name: string }) => name.startsWith('client-'));
    assert.deepEqual([own.name, own.quota, own.left], ['client-check-hour', 2, 0]);
    const day = shown.find(({ name }: { name: string }) => name === 'check-day');
    assert.ok(day.left <= 597 && day.left >= (isBalanced ? 500 : 597), 'what is refused by the share does not count');

    await call('PUT', `/clients/${clientId}/limits`, { check: '100/h' }, admin);
    await call('PUT', '/groups/shares/limits', { check: '1/day' });
    assert.deepEqual(await creates(session, 1), [429], 'a share is no quota of its own');
    for (const [method, path] of [
      ['PUT', '/groups/shares/limits'],
      ['GET', '/groups/vendor'],
      ['GET', '/limits?group=vendor'],
    ] as const)
      assert.equal((await call(method, path, method === 'PUT' ? {} : undefined, admin)).status, 403, path);
    assert.equal((await call('GET', '/groups/shares', undefined, admin)).body.limits.check, '1/day');
  });
});
