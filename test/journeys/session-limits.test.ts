/** What a person does in the console counts for the limits of the management group, and may have a limit of its own. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { createClient } from '../../packages/service/src/access/clients.ts';
import type { Config } from '../../packages/service/src/config/config.ts';
import { readWindows } from '../../packages/service/src/contract/limits.ts';
import { NOW, type Running, startJourney } from './service.ts';
import { openBrowser } from './session-browser.ts';

const DAY = { startBusinessDate: '20260310' };
const LIMITS = { limits: 'on', limitLongMetrics: readWindows('2/h') } as const;

/** A client: a token of its own and one of a session. */
async function tokens(running: Running): Promise<{ own: string; session: string; clientId: string }> {
  const { id, secret } = await createClient(running.service.stores.ledger, { group: 'group' }, NOW);
  const body = new URLSearchParams({ grant_type: 'client_credentials', client_id: id, client_secret: secret });
  const answer = await fetch(`${running.service.origin}/oauth/token`, { method: 'POST', body });
  const browser = openBrowser(running);
  await browser.call('POST', '/session', { clientId: id, clientSecret: secret });
  const session = (await browser.call('POST', '/session/token', {})).body.token;
  return { own: ((await answer.json()) as { access_token: string }).access_token, session, clientId: id };
}

async function within(changes: Partial<Config>, work: (running: Running) => Promise<void>): Promise<void> {
  const running = await startJourney({ ...LIMITS, ...changes });
  try {
    await work(running);
  } finally {
    await running.stop();
  }
}

const create = async (running: Running, token: string, times: number): Promise<(number | string | null)[][]> => {
  const answers = [];
  for (let n = 0; n < times; n++) {
    const json = { ...DAY, endBusinessDate: DAY.startBusinessDate };
    const { status, headers } = await running.call('POST', '/metrics', { token, json });
    answers.push([status, headers.get('ratelimit-policy')]);
  }
  return answers;
};

it('a session counts for the limits of its group, as the clients of the group do', () =>
  within({}, async (running) => {
    const [one, other] = [await tokens(running), await tokens(running)];
    const policy = '"long-metrics-hour";q=2;w=3600';
    assert.deepEqual(await create(running, one.session, 1), [[200, policy]]);
    assert.deepEqual(await create(running, other.own, 1), [[200, policy]]);
    for (const token of [one.session, one.own, other.session, other.own])
      assert.deepEqual(await create(running, token, 1), [[429, policy]]);
  }));

it('a session has its own limit within that of its group if one is set, separate from other sessions', () =>
  within({ limitConsole: readWindows('3/h'), limitLongMetrics: readWindows('5/h') }, async (running) => {
    const [one, other] = [await tokens(running), await tokens(running)];
    const ofGroup = '"long-metrics-hour";q=5;w=3600';
    const policy = `${ofGroup}, "console-hour";q=3;w=3600`;
    assert.deepEqual(await create(running, one.session, 4), [...Array(3).fill([200, policy]), [429, policy]]);
    assert.deepEqual(await create(running, other.session, 1), [[200, policy]]);
    assert.deepEqual(await create(running, one.own, 2), [
      [200, ofGroup],
      [429, ofGroup],
    ]);
  }));

it('reports say which client asked for them, and are listed by it', () =>
  within({ limits: 'off' }, async (running) => {
    const [one, other] = [await tokens(running), await tokens(running)];
    await create(running, one.own, 2);
    await create(running, other.session, 1);
    const of = async (query: string) =>
      (await running.call('GET', `/reports${query}`, { token: one.own })).body.reports.map(
        (report: { clientId: string }) => report.clientId,
      );

    // Those of one millisecond are in the order of their GUIDs.
    assert.deepEqual((await of('')).sort(), [other.clientId, one.clientId, one.clientId].sort());
    assert.deepEqual(await of(`?client=${other.clientId}`), [other.clientId]);
    assert.deepEqual(await of('?client=nobody'), []);
    const wrong = await running.call('GET', '/reports?client=', { token: one.own });
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [400, 'client']);
  }));
