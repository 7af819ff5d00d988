/**
 * No request of one management group costs another more than a second: each attack is answered as documented, meanwhile
 * a victim of another group loads, creates and retrieves, and the event loop does not work for the attack.
 *
 * Of slow readers and of connections beyond the limits there are stricter tests: test/commands/readers.long.ts,
 * test/journeys/connections.long.ts, test/journeys/metrics-port.test.ts, and test/faults/open-files.test.ts for a
 * process that can open no more files.
 */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { connect } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { startReceiver } from '../journeys/receiver.ts';
import { callService } from '../journeys/service.ts';
import { openBrowser } from '../journeys/session-browser.ts';
import { ATTACKS, around, badRows, entries, exported, GROUP, MENU, menus, NEVER } from './attack-list.ts';
import { type Answered, besiege, RESTAURANTS, type Siege, victimRound, withVictim } from './attacks.ts';

/**
 * The most processor time of the event loop during an attack beyond that of the victim's rounds: a tenth of the second
 * is for what is measured.
 */
const MOST_LOOP_MS = 900;
const MOST_MB = 300;
const ROUNDS = 10;
/** The creates of a year or a span, which only one of the attacks makes, that each group has. */
const QUOTA = 4;
const YEAR = { startBusinessDate: '20260101', endBusinessDate: '20260331' };
const DAY = fileURLToPath(new URL('../golden/plain-day/20260310/', import.meta.url));
const DRY_RUN = '/exports/20260310?dryRun=true';
/** The export of a usual day, which is checked and not loaded. */
const usualDay = () => {
  const files = readdirSync(DAY).map((name) => [name, [readFileSync(`${DAY}${name}`)]] as const);
  return exported(Object.fromEntries(files), { path: DRY_RUN });
};

describe('an attack of one group', { skip: process.platform !== 'linux' && 'it reads /proc' }, () => {
  let siege: Siege;
  let roundMs = 0;
  const makeRounds = async (): Promise<void> => {
    for (let i = 0; i < ROUNDS; i++) await victimRound(siege);
  };
  before(async () => {
    siege = await besiege({
      DAYPART_REQUEST_SECONDS: '5',
      DAYPART_WEBHOOK_PRIVATE: 'on',
      // The only limit.
      DAYPART_LIMITS: 'on',
      DAYPART_LIMIT_METRICS: 'off',
      DAYPART_LIMIT_RETRIEVAL: 'off',
      DAYPART_LIMIT_LONG_METRICS: `${QUOTA}/day`,
    });
    // What a service does for the first time is not counted.
    await makeRounds();
    const began = await siege.loopMs();
    await makeRounds();
    roundMs = ((await siege.loopMs()) - began) / ROUNDS;
  });
  after(() => siege?.close());

  /**
   * What comes of an attack while the victim is at work. Throws if the event loop works long for it, or much of the
   * memory that it took remains.
   */
  async function costing<T>(attack: () => Promise<T>): Promise<T> {
    const before = await siege.residentMb();
    const began = await siege.loopMs();
    const { outcome, rounds } = await withVictim(siege, attack);
    const loopMs = (await siege.loopMs()) - began - roundMs * rounds;
    const kept = async (): Promise<number> => (await siege.residentMb()) - before;
    // Memory is given back when it is collected, which other work causes.
    if ((await kept()) >= MOST_MB) await makeRounds();
    assert.ok((await kept()) < MOST_MB, `the service kept ${(await kept()).toFixed(0)} MB`);
    assert.ok(loopMs < MOST_LOOP_MS, `the event loop worked ${loopMs.toFixed(0)} ms for it`);
    while ((await siege.spooled()) !== undefined) await setImmediate();
    return outcome;
  }

  for (const { name, body, status, code, pointer, read, found } of ATTACKS) {
    it(`by ${name} costs another group nothing`, async () => {
      const answer = await costing(() => siege.send('attacker', body()));

      assert.equal(answer.status, status, JSON.stringify(answer.body).slice(0, 1000));
      if (code) assert.equal(answer.body.code, code);
      if (pointer) assert.equal(answer.body.errors[0].pointer, pointer);
      if (found) assert.deepEqual(read ? read(answer.body) : answer.body, found);
    });
  }

  it('by bodies that do not end are four at once, while another group sends its own', async () => {
    const put = (as: 'attacker' | 'victim') => siege.call(as, 'PUT', `/restaurants/${RESTAURANTS[as]}/menus`, []);
    const items = [...entries(10_000, (at) => `{"guid":"i-${at}","name":"${'n'.repeat(500)}"}`)];
    const send = () => siege.send('attacker', menus(around(MENU + GROUP, items, ''), NEVER));
    // Refused before it is read, so that it keeps none of the four from its place.
    const other = () => siege.send('attacker', menus(['x'], { headers: { 'content-type': 'text/plain' } }));

    const [fifth, answers] = await costing(async () => {
      const pending = Array.from({ length: 4 }, send);
      let refused = await other();
      for (; refused.status === 415; refused = await other()) await victimRound(siege);
      assert.equal((await put('victim')).status, 201);
      return [refused, await Promise.all(pending)];
    });

    assert.deepEqual([fifth.status, fifth.body.code], [429, 'too_many_at_once']);
    for (const { status, body } of answers) assert.deepEqual([status, body.code], [408, 'request_timeout']);
    assert.equal((await put('attacker')).status, 200);
  });

  it('by a large export lets the usual day of another group pass, and ends when its client leaves', async () => {
    const leaving = new AbortController();
    let isAnswered = false;
    const bytes = Object.values(badRows(50)).reduce((sum, pieces) => sum + Buffer.byteLength([...pieces].join('')), 0);

    const { status, body } = await costing(async () => {
      const sent = siege
        .send('attacker', exported(badRows(50), { path: '/exports/20260312' }), leaving.signal)
        .finally(() => {
          isAnswered = true;
        });
      while (((await siege.spooled()) ?? 0) < bytes) await setImmediate();
      // It is received, and by the end of a round it has its turn.
      await victimRound(siege);
      const passed = await siege.send('victim', usualDay());
      assert.equal(isAnswered, false);
      leaving.abort();
      await assert.rejects(sent);
      return passed;
    });

    assert.deepEqual([status, body.complete], [200, true]);
    const days = `/restaurants/${RESTAURANTS.attacker}/days?from=20260312&to=20260312`;
    assert.deepEqual((await siege.call('attacker', 'GET', days)).body, []);
  });

  it('by exports that fill its queue, over both bases, leaves that of another group as it is', async () => {
    const answers: Answered[] = [];
    const send = async (at: number) => {
      const over = at % 2 === 0 ? {} : { base: '/era/v1' as const };
      answers.push(await siege.send('attacker', exported(badRows(2, 1000), { path: DRY_RUN, ...over })));
    };

    const passed = await costing(async () => {
      const sent = Array.from({ length: 24 }, (_, at) => send(at));
      // The first answer is a refusal, because the queue of the group is full.
      while (answers.length === 0) await setImmediate();
      const answer = await siege.send('victim', usualDay());
      await Promise.all(sent);
      return answer;
    });

    assert.equal(passed.status, 200);
    assert.deepEqual(new Set(answers.map(({ status }) => status)), new Set([200, 429]));
    const refused = answers.filter(({ status }) => status === 429);
    assert.ok(refused.every(({ body }) => body.code === 'too_many_at_once'));
  });

  it('by sessions has the limits of that group, and another has its own', async () => {
    const create = (as: 'attacker' | 'victim', token?: string) => siege.call(as, 'POST', '/metrics', YEAR, token);
    const signIn = async (): Promise<string> => {
      const browser = openBrowser({ call: (...all) => callService(siege, ...all) });
      const { id, secret } = siege.credentials.attacker;
      await browser.call('POST', '/session', { clientId: id, clientSecret: secret });
      return (await browser.call('POST', '/session/token', {})).body.token;
    };

    const answers = await costing(async () => {
      const tokens = await Promise.all(Array.from({ length: QUOTA + 2 }, signIn));
      return await Promise.all(tokens.map((token) => create('attacker', token)));
    });

    assert.deepEqual(answers.map(({ status }) => status).sort(), [...Array(QUOTA).fill(200), 429, 429]);
    assert.equal((await create('attacker')).body.code, 'rate_limited');
    assert.equal((await create('victim')).status, 200);
  });

  it('by connections that send nothing, or half a request, costs another group nothing', async () => {
    const head = `POST /v1/metrics/day HTTP/1.1\r\nHost: a\r\nContent-Type: application/json\r\n`;
    const { hostname, port } = new URL(siege.origin);
    const open = (at: number) => {
      const socket = connect(Number(port), hostname).on('error', () => undefined);
      socket.write(['', head, `${head}Content-Length: 100\r\n\r\n{`][at % 3] ?? '');
      return socket.resume();
    };

    await costing(async () => {
      const sockets = Array.from({ length: 300 }, (_, at) => open(at));
      await victimRound(siege);
      for (const socket of sockets) socket.destroy();
    });
  });

  it('by receivers that never answer leaves places for the deliveries of another group', async () => {
    const [silent, own] = [await startReceiver(), await startReceiver()];
    silent.answer(0);
    try {
      await costing(async () => {
        const clients = await Promise.all(Array.from({ length: 33 }, () => siege.login('attacker')));
        for (const token of clients) await siege.call('attacker', 'PUT', '/webhook', { url: silent.url }, token);
        for (const token of clients) await siege.call('attacker', 'POST', '/webhook/test', undefined, token);
        await silent.until(32);
        await siege.call('victim', 'PUT', '/webhook', { url: own.url });
        await siege.call('victim', 'POST', '/webhook/test');
        await own.until(1);
      });
      // Had a call ended, another would have come.
      assert.equal(silent.received.length, 32);
    } finally {
      await Promise.all([silent.close(), own.close()]);
    }
  });
});
