import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient, type NewClient } from '../../packages/service/src/access/clients.ts';
import { readConfig } from '../../packages/service/src/config/config.ts';
import { NOW, onOneNode, type Running, settle, startJourney } from './service.ts';

const FORM = { 'content-type': 'application/x-www-form-urlencoded' };
const CHOSEN = { id: 'chosen', secret: 'open+sesame%', group: 'group' };
const MINUTE_MS = 60_000;

interface Refusal {
  status: number;
  retryAfter: string | null;
  body: Record<string, unknown>;
}

/** What differs from call to call, whoever is refused. */
function plain({ status, retryAfter, body }: Refusal): Refusal {
  const { requestId: _requestId, ...rest } = body;
  return { status, retryAfter, body: rest };
}

describe('wrong secrets', () => {
  let running: Running;
  let known: NewClient;
  let revoked: NewClient;
  before(async () => {
    running = await startJourney({ bootstrapClient: CHOSEN });
    known = await createClient(running.service.stores.ledger, { group: 'group' }, NOW);
    revoked = await createClient(running.service.stores.ledger, { group: 'group' }, NOW);
    await running.service.stores.ledger.revokeClient(revoked.id, NOW);
  });
  after(() => running.stop());

  async function post(path: string, body: string, headers: Record<string, string>): Promise<Refusal> {
    const answer = await running.call('POST', path, { base: '', body, headers });
    return { status: answer.status, retryAfter: answer.headers.get('retry-after'), body: answer.body };
  }
  const byForm = (id: string, secret: string): Promise<Refusal> =>
    post(
      '/oauth/token',
      new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret }).toString(),
      FORM,
    );
  const byBasic = (id: string, secret: string): Promise<Refusal> =>
    post('/oauth/token', 'grant_type=client_credentials', {
      ...FORM,
      authorization: `Basic ${btoa(`${id}:${secret}`)}`,
    });
  const byLogin = (clientId: string, clientSecret: string): Promise<Refusal> =>
    post(
      '/authentication/v1/authentication/login',
      JSON.stringify({ clientId, clientSecret, userAccessType: 'TOAST_MACHINE_CLIENT' }),
      { 'content-type': 'application/json' },
    );

  /** 40 at once: more than are verified and wait. */
  async function flood(attempt: typeof byForm, id: (i: number) => string): Promise<Refusal[]> {
    return await Promise.all(Array.from({ length: 40 }, (_, i) => attempt(id(i), `wrong%41${i}`)));
  }

  it('beyond a short queue are 429 with Retry-After, the same for every client, while right ones are answered', {
    skip: onOneNode('each node has a queue of its own'),
  }, async () => {
    for (const attempt of [byForm, byBasic, byLogin]) {
      const told = new Set<string>();
      for (const id of [() => known.id, () => CHOSEN.id, () => revoked.id, (i: number) => `client-nobody-${i}`]) {
        const floods = flood(attempt, id);
        const right = await Promise.all([
          byForm(known.id, known.secret),
          byLogin(known.id, known.secret),
          byForm(CHOSEN.id, CHOSEN.secret),
          byBasic(CHOSEN.id, CHOSEN.secret),
          byBasic(CHOSEN.id, encodeURIComponent(CHOSEN.secret)),
        ]);
        const ready = await running.call('GET', '/readyz', { base: '' });
        const refusals = (await floods).map(plain);

        assert.deepEqual([...right.map(({ status }) => status), ready.status], [200, 200, 200, 200, 200, 200]);
        const counts = [401, 429].map((status) => refusals.filter((refusal) => refusal.status === status).length);
        assert.equal((counts[0] ?? 0) + (counts[1] ?? 0), 40);
        assert.ok((counts[0] ?? 0) >= 1 && (counts[1] ?? 0) >= 1, String(counts));
        told.add(JSON.stringify([...new Set(refusals.map((refusal) => JSON.stringify(refusal)))].sort()));
      }

      // One kind of 401 and one of 429, and the same ones for a client that is there and one that is not.
      assert.equal(told.size, 1, [...told].join('\n'));
      const [refused = {}, limited = {}] = (JSON.parse([...told].join('')) as string[])
        .map((text) => JSON.parse(text))
        .sort((one, other) => one.status - other.status);
      assert.deepEqual([refused.status, refused.retryAfter], [401, null]);
      assert.deepEqual([limited.status, limited.retryAfter], [429, '2']);
      assert.equal(
        limited.body.code ?? limited.body.error,
        attempt === byLogin ? 'too_many_logins' : 'temporarily_unavailable',
      );
    }
  });

  it('are verified one at a time, and a revoked client is refused with its own secret', async () => {
    assert.equal((await byForm(revoked.id, revoked.secret)).status, 401);
  });

  it('of a rotated or revoked chosen secret are not remembered', async () => {
    const { ledger } = running.service.stores;
    assert.equal((await byForm(CHOSEN.id, CHOSEN.secret)).status, 200);
    const client = (await ledger.client(CHOSEN.id)) ?? assert.fail();

    await ledger.putClient({
      ...client,
      // Not its last character, of which some bits stand for nothing.
      secretHash: client.secretHash.replace(/.(?=.{9}$)/, (one) => (one === 'A' ? 'B' : 'A')),
    });
    await settle(running.service);
    assert.equal((await byForm(CHOSEN.id, CHOSEN.secret)).status, 401);
    await ledger.putClient(client);
    await settle(running.service);
    assert.equal((await byForm(CHOSEN.id, CHOSEN.secret)).status, 200);
    await ledger.revokeClient(CHOSEN.id, NOW);
    await settle(running.service);
    assert.equal((await byForm(CHOSEN.id, CHOSEN.secret)).status, 401);
    await ledger.putClient(client);
  });
});

describe('failed logins of an address', () => {
  it('are limited, no matter which client they name, and right ones are not counted', async () => {
    const { limitFailedLogins, trustedProxies } = readConfig(
      { limitFailedLogins: '3/min', trustedProxies: '127.0.0.0/8' },
      {},
    );
    const running = await startJourney({ limits: 'on', limitFailedLogins, trustedProxies });
    try {
      const client = await createClient(running.service.stores.ledger, { group: 'group' }, NOW);
      const login = async (clientId: string, clientSecret: string, address: string) => {
        const answer = await running.call('POST', '/authentication/v1/authentication/login', {
          base: '',
          json: { clientId, clientSecret, userAccessType: 'TOAST_MACHINE_CLIENT' },
          headers: { 'x-forwarded-for': address },
        });
        return [answer.status, answer.headers.get('retry-after')];
      };
      running.advance(MINUTE_MS * 0.75);
      const one = '198.51.100.1';

      for (const id of [client.id, 'nobody', client.id]) assert.deepEqual(await login(id, 'wrong', one), [401, null]);
      assert.deepEqual(await login(client.id, 'wrong', one), [429, '15']);
      assert.deepEqual(await login('nobody', 'wrong', one), [429, '15']);
      assert.deepEqual(await login(client.id, client.secret, one), [200, null]);
      assert.deepEqual(await login('nobody', 'wrong', '198.51.100.2'), [401, null]);
      running.advance(15_000);
      assert.deepEqual(await login('nobody', 'wrong', one), [401, null]);
    } finally {
      await running.stop();
    }
  });
});
