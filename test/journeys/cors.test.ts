/** Web pages of other origins: the headers that allow a browser to call the service (Fetch standard, CORS). */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const PAGE = 'https://app.example.com';
const DAY = { startBusinessDate: 20260310 };

async function within(corsOrigins: string[], check: (running: Running, token: string) => Promise<void>): Promise<void> {
  const running = await startJourney({ corsOrigins });
  try {
    await check(running, await running.login('g'));
  } finally {
    await running.stop();
  }
}

const preflight = (running: Running, path: string, origin: string) =>
  running.call('OPTIONS', path, {
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization,content-type,idempotency-key,prefer',
    },
  });

async function isNotLetIn(running: Running, token: string, origin: string): Promise<void> {
  const request = await preflight(running, '/metrics/day', origin);
  const answer = await running.call('GET', '/restaurants-information', { token, headers: { origin } });

  assert.equal(request.headers.get('access-control-allow-origin'), null);
  assert.equal(answer.headers.get('access-control-allow-origin'), null);
  assert.equal(answer.status, 200);
}

describe('a page of another origin', () => {
  it('is let in when the setting names it, on every path, on refusals too; others are not', () =>
    within([PAGE], async (running, token) => {
      await putRestaurant(running, token, BISTRO);
      await postOrders(running, token, BISTRO, [plainOrder()]);
      const guid = await ask(running, token, '/metrics/day', DAY);
      const headers = { origin: PAGE };

      const request = await preflight(running, '/metrics/day', PAGE);
      const answers = [
        await running.call('GET', `/metrics/${guid}`, { token, headers }),
        await running.call('GET', `/check/${guid}`, { token, headers }),
        await running.call('GET', `/metrics/${guid}`, { headers }),
        await running.call('POST', '/oauth/token', { base: '', headers }),
        await running.call('GET', '/nowhere', { headers }),
      ];

      assert.equal(request.status, 204);
      assert.equal(request.headers.get('allow'), 'GET, HEAD, OPTIONS, POST');
      assert.equal(request.headers.get('content-length'), null);
      // So that the page can read the 404 that follows.
      assert.equal((await preflight(running, '/nowhere', PAGE)).status, 204);
      assert.equal(request.headers.get('access-control-allow-origin'), PAGE);
      assert.match(request.headers.get('access-control-allow-methods') ?? '', /POST/);
      assert.equal(
        request.headers.get('access-control-allow-headers'),
        'authorization,content-type,idempotency-key,prefer',
      );
      assert.deepEqual(
        answers.map(({ status, headers }) => `${status} ${headers.get('access-control-allow-origin')}`),
        [200, 404, 401, 400, 404].map((status) => `${status} ${PAGE}`),
      );
      assert.match(answers[0]?.headers.get('vary') ?? '', /^Origin, Accept, Accept-Encoding, Authorization$/);
      assert.match(answers[0]?.headers.get('access-control-expose-headers') ?? '', /X-Report-As-Of/);
      await isNotLetIn(running, token, 'https://other.example.com');
    }));

  it('is not let in when the setting names none', () =>
    within([], (running, token) => isNotLetIn(running, token, PAGE)));

  it('may be any with *, and a wrong method is still reported', () =>
    within(['*'], async (running, token) => {
      const answer = await running.call('GET', '/restaurants-information', { token, headers: { origin: PAGE } });
      const wrong = await running.call('POST', '/restaurants-information', { token, headers: { origin: PAGE } });

      assert.equal(answer.headers.get('access-control-allow-origin'), '*');
      assert.deepEqual([wrong.status, wrong.headers.get('allow')], [405, 'GET, HEAD, OPTIONS']);
    }));
});
