/** Two groups whose tokens an external issuer gives to one and the same client. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { AUDIENCE, ISSUER, type Issuer, startIssuer } from './issuer.ts';
import { BISTRO, NOW, plainOrder, putRestaurant, type Running, startJourney } from './service.ts';

const DAY = { startBusinessDate: '20260310' };

describe('two groups behind one client of an external issuer', () => {
  let issuer: Issuer;
  let running: Running;
  let [violet, indigo] = ['', ''];
  before(async () => {
    issuer = await startIssuer();
    const { limitMetrics } = readConfig({ limitMetrics: '4/day' }, {});
    running = await startJourney({
      externalIssuer: ISSUER,
      externalAudience: AUDIENCE,
      externalJwksUrl: issuer.jwksUrl,
      limits: 'on',
      limitMetrics,
    });
    const tokenOf = (group: string): Promise<string> =>
      issuer.sign({
        iss: ISSUER,
        aud: AUDIENCE,
        azp: 'portal',
        sub: 'somebody',
        management_group: group,
        scope: 'enterprise-metrics:read ingest:write',
        exp: Math.floor(NOW / 1000) + 3600,
      });
    [violet, indigo] = [await tokenOf('violet'), await tokenOf('indigo')];
  });
  after(async () => {
    await running.stop();
    await issuer.close();
  });

  it('have idempotency keys of their own, for creates and for loads', async () => {
    const create = (token: string) =>
      running.call('POST', '/metrics/day', { token, json: DAY, headers: { 'idempotency-key': 'same' } });
    const [theirs, ours, again] = [await create(violet), await create(indigo), await create(violet)];

    assert.deepEqual([theirs.status, ours.status], [200, 200]);
    assert.notEqual(ours.body, theirs.body);
    assert.equal(ours.headers.get('idempotency-replayed'), null);
    assert.deepEqual([again.body, again.headers.get('idempotency-replayed')], [theirs.body, 'true']);
    assert.equal((await running.call('GET', `/metrics/${theirs.body}`, { token: indigo })).status, 404);

    await putRestaurant(running, violet, BISTRO);
    const load = (token: string) =>
      running.call('POST', `/restaurants/${BISTRO}/orders`, {
        token,
        json: [plainOrder()],
        headers: { 'idempotency-key': 'load' },
      });
    assert.deepEqual([(await load(violet)).status, (await load(indigo)).status], [200, 404]);
  });

  it('use up limits of their own', async () => {
    const create = async (token: string) => (await running.call('POST', '/metrics/day', { token, json: DAY })).status;

    let status = 200;
    for (let calls = 0; status === 200 && calls < 10; calls++) status = await create(violet);

    assert.equal(status, 429);
    assert.equal(await create(indigo), 200);
  });
});
