/** One group's many long reports, beside what others ask for. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { signalEngines } from './engines.ts';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const DAY = { startBusinessDate: '20260310' };
const YEAR = { startBusinessDate: '20250401', endBusinessDate: '20260320' };
const CORNER = 'b1500000-0000-4000-8000-000000000002';
/** What a long report takes, some 100 ms, is several times what a day's takes. */
const ORDERS = 20_000;

describe('the fair queue', () => {
  let running: Running;
  let blue: string;
  let green: string;
  /** Groups in the order in which their reports were claimed. */
  let claimed: { guid: string; group: string }[] = [];

  /** Writes down what the worker claims. */
  function watch(): void {
    const { ledger } = running.service.stores;
    const claimReports = ledger.claimReports;
    ledger.claimReports = async (...given) => {
      const reports = await claimReports(...given);
      for (const { guid, group } of [...reports.short, ...reports.long]) claimed.push({ guid, group });
      return reports;
    };
  }

  before(async () => {
    running = await startJourney({ waitSeconds: 0, leaseSeconds: 60 });
    watch();
    blue = await running.login('blue');
    green = await running.login('green');
    await putRestaurant(running, blue, BISTRO);
    await putRestaurant(running, green, CORNER);
    await postOrders(
      running,
      blue,
      BISTRO,
      Array.from({ length: ORDERS }, () => plainOrder()),
    );
    await postOrders(running, green, CORNER, [plainOrder()]);
  });
  after(() => running.stop());

  const stateOf = async (guid: string) => (await running.service.stores.ledger.report(guid))?.state;
  async function become(state: string, guids: string[]): Promise<void> {
    for (const guid of guids) {
      for (let waited = 0; (await stateOf(guid)) !== state; waited += 10) {
        assert.ok(waited < 60_000, `did not become ${state}`);
        await setTimeout(10);
      }
    }
  }
  const completed = (...guids: string[]): Promise<void> => become('completed', guids);

  it('gathers a day of one group beside the year of another, before its next', async () => {
    signalEngines(running, 'SIGSTOP');
    const years: string[] = [];
    for (let i = 0; i < 6; i++) years.push(await ask(running, blue, '/check/year', YEAR));
    const day = await ask(running, green, '/metrics/day', DAY);
    await become('gathering', [day, years[0] ?? '']);
    const states = [];
    for (const guid of [day, ...years]) states.push(await stateOf(guid));
    signalEngines(running, 'SIGCONT');

    await completed(day);

    assert.notEqual(await stateOf(years[1] ?? ''), 'completed');
    assert.deepEqual(states, ['gathering', 'gathering', ...Array(5).fill('queued')]);
    await completed(...years);
  });

  it('gathers the days of several groups at once while nothing long runs', async () => {
    signalEngines(running, 'SIGSTOP');
    const days = [await ask(running, blue, '/metrics/day', DAY), await ask(running, green, '/metrics/day', DAY)];
    await become('gathering', days);
    signalEngines(running, 'SIGCONT');

    await completed(...days);
  });

  it('takes the long ones of two groups in turns, each oldest first', async () => {
    claimed = [];
    signalEngines(running, 'SIGSTOP');
    const blues: string[] = [];
    const greens: string[] = [];
    for (let i = 0; i < 4; i++) blues.push(await ask(running, blue, '/check/year', YEAR));
    for (let i = 0; i < 3; i++) greens.push(await ask(running, green, '/check/year', YEAR));
    signalEngines(running, 'SIGCONT');

    await completed(...blues, ...greens);

    assert.deepEqual(
      claimed.map(({ group }) => group),
      ['blue', 'green', 'blue', 'green', 'blue', 'green', 'blue'],
    );
    const of = (group: string) => claimed.filter((one) => one.group === group).map(({ guid }) => guid);
    assert.deepEqual([of('blue'), of('green')], [blues, greens]);
  });
});
