/** The stream of a group's events outlasts a service that restarts, also behind a proxy that answers for it. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { openSteps } from './core.ts';
import { ServerError } from './errors.ts';

const event = (id: string): Response =>
  new Response(`id: ${id}\nevent: report\ndata: {"reportRequestGuid":"g","status":"COMPLETED","at":"${id}"}\n\n`, {
    headers: { 'content-type': 'text/event-stream' },
  });
const down = (): Response => new Response('<h1>Bad gateway</h1>', { status: 502 });

/** A client of a service that gives these answers in turn, and the `Last-Event-ID` of each call. */
function openWith(answers: (() => Response)[]) {
  const requested: (string | null)[] = [];
  const { events } = openSteps({
    baseUrl: 'http://reports.test/v1',
    token: 't',
    maxRetries: 0,
    fetch: async (_url, init) => {
      requested.push(new Headers(init?.headers).get('last-event-id'));
      return answers.shift()?.() ?? down();
    },
  });
  return { events, requested };
}

describe('the events of a group', () => {
  it('resume after a service that could not answer meanwhile', async () => {
    const { events, requested } = openWith([() => event('a-1'), down, () => event('a-2')]);
    const seen: string[] = [];
    for await (const { id } of events()) if (seen.push(id) === 2) break;

    assert.deepEqual(seen, ['a-1', 'a-2']);
    assert.deepEqual(requested, [null, 'a-1', 'a-1']);
  });

  it('have every character of their texts, those that end lines elsewhere too', async () => {
    const text = 'a\u2028b\u2029c\u0085d';
    const body = `id: 1\r\nevent: load\r\ndata: {"restaurantGuid":"${text}"}\r\n\r\n`;
    const { events } = openWith([() => new Response(body, { headers: { 'content-type': 'text/event-stream' } })]);

    const { value } = await events().next();

    assert.deepEqual(value, { event: 'load', id: '1', restaurantGuid: text });
  });

  it('fail where the service could never answer', async () => {
    const { events, requested } = openWith([]);

    await assert.rejects(events().next(), ServerError);
    assert.equal(requested.length, 1);
  });
});
