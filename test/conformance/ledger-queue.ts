/**
 * The part of the ledger's suite about the queue: whose report is next, which are cancelled, and the list of a group's
 * reports.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';
import type { ReportLane, ReportRequest } from '../../packages/service/src/ledger/report.ts';
import { LAWS } from '../laws/laws.ts';
import { claimOne } from './claim.ts';

const NOW = 1_700_000_000_000;
const HOUR = 3_600_000;
const USED_UP = { code: 'report_failed', message: 'attempts are used up' } as const;
const done = { now: NOW + 9, asOf: NOW + 8, rows: 20, bytes: 4000, snapshot: '7', totals: [] };

let made = 0;
const newGuid = (): string => `0e000000-0000-4000-8000-${String(++made).padStart(12, '0')}`;

type New = Parameters<Ledger['addReport']>[0];

async function add(ledger: Ledger, changes: Partial<New> = {}): Promise<string> {
  const guid = newGuid();
  await ledger.addReport({
    guid,
    group: 'blue',
    clientId: 'c',
    kind: 'metrics',
    dialect: 'reference',
    cost: 5,
    lane: 'long',
    plan: { span: 'day', startDate: 1, endDate: 1, aggregate: 'DAY', groups: [], restaurantIds: [] },
    request: { path: '/metrics/day', body: {} },
    createdAt: NOW,
    expiresAt: NOW + 24 * HOUR,
    ...changes,
  });
  return guid;
}

/** Runs it; `withLedger` opens an empty ledger that knows the group `blue`. */
export function queueConformance(
  name: string,
  withLedger: (work: (ledger: Ledger) => Promise<void>) => Promise<void>,
): void {
  const claim = async (ledger: Ledger, lane?: ReportLane): Promise<string | undefined> =>
    (await claimOne(ledger, 'w', NOW + 100, NOW + HOUR, lane))?.guid;

  describe(`ledger: ${name}: the queue`, () => {
    it('gives short reports to the short lane, and both kinds to the long lane', () =>
      withLedger(async (ledger) => {
        const long = await add(ledger);
        const short = await add(ledger, { lane: 'short', createdAt: NOW + 1 });
        const second = await add(ledger, { lane: 'short', createdAt: NOW + 2 });

        assert.deepEqual([await claim(ledger, 'short'), await claim(ledger, 'long')], [short, long]);
        assert.deepEqual([await claim(ledger, 'long'), await claim(ledger, 'short')], [second, undefined]);
      }));

    it('fills the room of both lanes at once, up to the report with which the cost is too much', () =>
      withLedger(async (ledger) => {
        const [short, dear] = [
          { lane: 'short', cost: 20 },
          { lane: 'short', cost: 40 },
        ] as const;
        const guids: string[] = [];
        for (const [i, one] of [short, short, dear, short, { lane: 'long', cost: 900 } as const].entries())
          guids.push(await add(ledger, { ...one, createdAt: NOW + i }));
        const claim = async (reports: number, ms: number): Promise<string[][]> => {
          const room = { short: { reports, ms }, long: { reports: 1, ms: 1 } };
          const claimed = await ledger.claimReports('w', NOW + 100, NOW + HOUR, room);
          return [claimed.short, claimed.long].map((some) => some.map(({ guid }) => guid));
        };
        const [one = '', two = '', three = '', four = '', long = ''] = guids;

        // Three short ones are being gathered then, and no long one: its turn comes before that of the fourth.
        assert.deepEqual(await claim(9, 41), [[one, two, three], [long]]);
        assert.deepEqual(await claim(0, 41), [[], [four]]);
        assert.deepEqual(await claim(9, 41), [[], []]);
      }));

    it('lets groups take turns, however many each has queued, and a new group comes first', () =>
      withLedger(async (ledger) => {
        for (const group of ['green', 'red']) await ledger.ensureGroup(group, NOW);
        const blue = [await add(ledger), await add(ledger), await add(ledger), await add(ledger)];
        const green = [await add(ledger, { group: 'green' }), await add(ledger, { group: 'green' })];

        const order: (string | undefined)[] = [];
        const serve = async (): Promise<void> => {
          const guid = (await claim(ledger)) ?? '';
          order.push(guid);
          await ledger.completeReport(guid, 'w', 1, done);
        };
        for (let i = 0; i < 3; i++) await serve();
        const red = await add(ledger, { group: 'red', createdAt: NOW + 50 });
        for (let i = 0; i < 4; i++) await serve();

        assert.deepEqual(order, [blue[0], green[0], blue[1], red, green[1], blue[2], blue[3]]);
      }));

    it('puts a group that has nothing gathering before one that has, no matter which had the last turn', () =>
      withLedger(async (ledger) => {
        await ledger.ensureGroup('green', NOW);
        await add(ledger);
        await add(ledger);
        const [first = '', second] = [await add(ledger, { group: 'green' }), await add(ledger, { group: 'green' })];
        await claim(ledger);
        assert.equal(await claim(ledger), first);

        await ledger.completeReport(first, 'w', 1, done);

        assert.equal(await claim(ledger), second);
      }));

    it('does not count the short reports of a group in the turns of its long ones', () =>
      withLedger(async (ledger) => {
        await ledger.ensureGroup('green', NOW);
        const long = await add(ledger);
        for (let i = 0; i < 3; i++) await add(ledger, { lane: 'short' });
        await add(ledger, { group: 'green' });
        await add(ledger, { group: 'green' });

        await claim(ledger, 'short');

        assert.equal(await claim(ledger, 'long'), long);
      }));

    it('hands out, through any history, the oldest of a group that is served least, and to the short lane nothing long', async () => {
      const step = fc.record({
        move: fc.constantFrom('create', 'create', 'create', 'claim', 'claim', 'complete', 'giveBack', 'cancel'),
        group: fc.constantFrom('blue', 'green', 'red'),
        lane: fc.constantFrom<ReportLane>('short', 'long'),
        which: fc.nat(20),
      });
      interface Known {
        guid: string;
        group: string;
        lane: ReportLane;
        state: 'queued' | 'gathering' | 'ended';
        attempt: number;
      }
      await fc.assert(
        fc.asyncProperty(fc.array(step, { minLength: 25, maxLength: 60 }), (steps) =>
          withLedger(async (ledger) => {
            for (const group of ['green', 'red']) await ledger.ensureGroup(group, NOW);
            const known: Known[] = [];
            const turns = new Map<string, number>();
            let claims = 0;
            const pairOf = ({ group, lane }: Known): string => `${group} ${lane}`;
            const served = (one: Known): [number, number] => [
              known.filter((other) => other.state === 'gathering' && pairOf(other) === pairOf(one)).length,
              turns.get(pairOf(one)) ?? 0,
            ];
            for (const { move, group, lane, which } of steps) {
              if (move === 'create') {
                const guid = await add(ledger, { group, lane, createdAt: NOW + known.length });
                known.push({ guid, group, lane, state: 'queued', attempt: 0 });
                continue;
              }
              if (move === 'claim') {
                const none = { reports: 0, ms: 0 };
                const most = 1 + (which % 3);
                const room = { short: none, long: none, [lane]: { reports: most, ms: 1000 } };
                const guids = (await ledger.claimReports('w', NOW + 100, NOW + HOUR, room))[lane].map(
                  ({ guid }) => guid,
                );
                const mayWin = () =>
                  known.filter((one) => one.state === 'queued' && (lane === 'long' || one.lane === lane));
                assert.equal(guids.length, Math.min(most, mayWin().length));
                for (const guid of guids) {
                  const waiting = mayWin();
                  const won = waiting.find((one) => one.guid === guid);
                  if (!won) assert.fail('not of the lane');
                  assert.equal(
                    waiting.find((one) => pairOf(one) === pairOf(won))?.guid,
                    guid,
                    'the oldest of its group',
                  );
                  for (const other of waiting) {
                    const [[mine, myTurn], [theirs, theirTurn]] = [served(won), served(other)];
                    assert.ok(mine < theirs || (mine === theirs && myTurn <= theirTurn), 'the least served');
                  }
                  won.state = 'gathering';
                  won.attempt++;
                  turns.set(pairOf(won), ++claims);
                }
                continue;
              }
              const held = known.filter((one) => one.state === 'gathering');
              const one = move === 'cancel' ? known[which % (known.length || 1)] : held[which % (held.length || 1)];
              if (!one) continue;
              if (move === 'cancel') await ledger.cancelReport(one.guid);
              else if (move === 'complete') await ledger.completeReport(one.guid, 'w', one.attempt, done);
              else await ledger.releaseReport(one.guid, 'w', one.attempt, true);
              one.state = move === 'giveBack' ? 'queued' : 'ended';
            }
          }),
        ),
        { numRuns: Math.ceil(LAWS * 0.06) },
      );
    });
  });

  describe(`ledger: ${name}: cancelled reports`, () => {
    it('cancels what waits, runs or has ended, once, and a worker finds that it holds nothing', () =>
      withLedger(async (ledger) => {
        const gathering = await add(ledger);
        assert.equal(await claim(ledger), gathering);
        const completed = await add(ledger);
        assert.equal(await claim(ledger), completed);
        await ledger.completeReport(completed, 'w', 1, done);
        const failed = await add(ledger);
        assert.equal(await claim(ledger), failed);
        await ledger.failReport(failed, 'w', 1, NOW, USED_UP);
        const queued = await add(ledger);
        const all = [queued, gathering, completed, failed];

        for (const guid of all) {
          assert.equal(await ledger.cancelReport(guid), true);
          assert.equal(await ledger.cancelReport(guid), false);
        }

        assert.equal(await ledger.extendLease(gathering, 'w', 1, NOW + HOUR), false);
        assert.equal(await ledger.completeReport(gathering, 'w', 1, done), false);
        assert.equal(await ledger.releaseReport(gathering, 'w', 1, false), false);
        assert.equal(await claim(ledger), undefined);
        assert.deepEqual(await ledger.reportCounts(), { cancelled: 4 });
        assert.equal((await ledger.expireReports(NOW + 24 * HOUR)).length, 4);
        assert.equal(await ledger.cancelReport(queued), false);
        assert.equal(await ledger.cancelReport(newGuid()), false);
      }));
  });

  describe(`ledger: ${name}: the list of reports`, () => {
    it('has those of the group, newest first, by kind and state', () =>
      withLedger(async (ledger) => {
        await ledger.ensureGroup('green', NOW);
        await add(ledger, { group: 'green' });
        const check = await add(ledger, { kind: 'check' });
        const ended = await add(ledger, { createdAt: NOW + 1, expiresAt: NOW + 5 });
        const newest = await add(ledger, { createdAt: NOW + 2 });
        const list = async (page: Partial<Parameters<Ledger['reportsOf']>[1]>): Promise<string[]> =>
          (await ledger.reportsOf('blue', { limit: 10, now: NOW + 5, ...page })).map(({ guid }) => guid);

        assert.deepEqual(await list({}), [newest, ended, check]);
        assert.deepEqual(await ledger.reportsOf('blue', { limit: 1, now: NOW }), [await ledger.report(newest)]);
        assert.deepEqual(await list({ kind: 'check' }), [check]);
        assert.deepEqual(await list({ states: ['queued', 'gathering'] }), [newest, check]);
        assert.deepEqual(await list({ states: ['expired'] }), [ended]);
        assert.deepEqual(await list({ states: [] }), []);
      }));

    it('shows each report once, page by page, while new ones come and old ones go', async () => {
      const times = fc.array(fc.nat(3), { minLength: 1, maxLength: 20 });
      await fc.assert(
        fc.asyncProperty(times, fc.integer({ min: 1, max: 4 }), (created, limit) =>
          withLedger(async (ledger) => {
            const there: string[] = [];
            for (const after of created) there.push(await add(ledger, { createdAt: NOW + after, expiresAt: NOW + 10 }));

            const seen: ReportRequest[] = [];
            for (let page: ReportRequest[] | undefined; page === undefined || page.length > 0; ) {
              page = await ledger.reportsOf('blue', { limit, now: NOW, after: seen.at(-1) });
              seen.push(...page);
              assert.ok(page.length <= limit);
              await add(ledger, { createdAt: NOW + 100 });
              // The last one seen may be forgotten before the next page is asked for.
              await ledger.expireReports(NOW + 11);
              if (seen.length % 2 === 0) await ledger.forgetReports(NOW + 5);
            }

            const guids = seen.map(({ guid }) => guid);
            assert.deepEqual(guids.toSorted(), there.toSorted());
            const ordered = seen.toSorted((a, b) => b.createdAt - a.createdAt || (a.guid < b.guid ? 1 : -1));
            assert.deepEqual(
              guids,
              ordered.map(({ guid }) => guid),
            );
          }),
        ),
        { numRuns: Math.ceil(LAWS * 0.03) },
      );
    });
  });
}
