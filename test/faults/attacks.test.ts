/**
 * No request of one management group costs another more than a second: each attack is answered as documented, meanwhile a victim of
 * another group loads, creates and retrieves, and the event loop does not work for the attack.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { ATTACKS, around, entries, GROUP, MENU, menus, NEVER } from './attack-list.ts';
import { besiege, RESTAURANTS, type Siege, victimRound, withVictim } from './attacks.ts';

/** The most processor time of the event loop during an attack beyond that of the victim's rounds: a tenth of the second is for what is measured. */
const MOST_LOOP_MS = 900;
const MOST_MB = 300;

describe('an attack of one group', { skip: process.platform !== 'linux' && 'it reads /proc' }, () => {
  let siege: Siege;
  let roundMs = 0;
  before(async () => {
    siege = await besiege({ DAYPART_REQUEST_SECONDS: '5' });
    // What a service does for the first time is not counted.
    for (let i = 0; i < 20; i++) await victimRound(siege);
    const began = await siege.loopMs();
    for (let i = 0; i < 20; i++) await victimRound(siege);
    roundMs = ((await siege.loopMs()) - began) / 20;
  });
  after(() => siege?.close());
  /** Throws if much of the memory that the work took remains. */
  async function checkMemory<T>(work: () => Promise<T>): Promise<T> {
    const before = await siege.residentMb();
    const done = await work();
    const kept = (await siege.residentMb()) - before;
    assert.ok(kept < MOST_MB, `the service kept ${kept.toFixed(0)} MB`);
    return done;
  }

  for (const { name, body, status, code, pointer, stored } of ATTACKS) {
    it(`by ${name} costs another group nothing`, async () => {
      const began = await siege.loopMs();
      const answer = await checkMemory(() => withVictim(siege, () => siege.attack(body())));
      const loopMs = (await siege.loopMs()) - began - roundMs * answer.rounds;

      assert.equal(answer.status, status, JSON.stringify(answer.body).slice(0, 1000));
      if (code) assert.equal(answer.body.code, code);
      if (pointer) assert.equal(answer.body.errors[0].pointer, pointer);
      if (stored) assert.deepEqual(answer.body, stored);
      assert.ok(loopMs < MOST_LOOP_MS, `the event loop worked ${loopMs.toFixed(0)} ms for it`);
    });
  }

  it('by bodies that do not end are four at once, while another group sends its own', async () => {
    const put = (as: 'attacker' | 'victim') => siege.call(as, 'PUT', `/restaurants/${RESTAURANTS[as]}/menus`, []);
    const items = [...entries(10_000, (at) => `{"guid":"i-${at}","name":"${'n'.repeat(500)}"}`)];
    const pending = Array.from({ length: 4 }, () => siege.attack(menus(around(MENU + GROUP, items, ''), NEVER)));

    // Refused before it is read, so that it keeps none of the four from its place.
    const other = () => siege.attack(menus(['x'], { headers: { 'content-type': 'text/plain' } }));
    let fifth = await other();
    for (; fifth.status === 415; fifth = await other()) await victimRound(siege);

    assert.deepEqual([fifth.status, fifth.body.code], [429, 'too_many_at_once']);
    assert.equal((await put('victim')).status, 201);
    for (const { status, body } of await checkMemory(() => Promise.all(pending)))
      assert.deepEqual([status, body.code], [408, 'request_timeout']);
    assert.equal((await put('attacker')).status, 200);
  });
});
