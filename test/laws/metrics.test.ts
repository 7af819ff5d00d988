/** The laws of METRICS 6 over any orders and time entries: the service's own loading and engine against plain arithmetic. */
import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { GROUPS } from '../../packages/service/src/contract/words.ts';
import { type DuckdbFacts, openDuckdbFacts } from '../../packages/service/src/facts/duckdb.ts';
import type { GatherQuery } from '../../packages/service/src/facts/facts.ts';
import { load } from '../../packages/service/src/ingest/load.ts';
import type { Restaurant } from '../../packages/service/src/ledger/ledger.ts';
import { recordsOf } from '../conformance/facts.ts';
import { entry, order, restaurant } from './arbitraries.ts';
import { type Json, type NaiveRestaurant, naiveChecks, naiveMetrics } from './naive.ts';

/** A hundred cases each unless `LAWS` says otherwise: the long run is LAWS=20000. */
const RUNS = { numRuns: Number(process.env.LAWS ?? 100) };
const SPAN = { start: '20260301', end: '20261130' };
const orders = fc.array(order, { maxLength: 12 });
const entries = fc.array(entry, { maxLength: 8 });

describe('the laws', () => {
  let folder: string;
  let facts: DuckdbFacts;
  let lastId = 0;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daypart-laws-'));
    await mkdir(join(folder, 'spool'));
    facts = await openDuckdbFacts({ folder: join(folder, 'facts'), memoryMb: 1024, readable: [folder] });
  });
  after(async () => {
    await facts.close();
    await rm(folder, { recursive: true, force: true });
  });

  /** A restaurant of its own in the engine, with its reference data. */
  async function open(naive: NaiveRestaurant): Promise<Restaurant> {
    const id = ++lastId;
    const named = (names: Record<string, string>) => Object.entries(names).map(([guid, name]) => ({ guid, name }));
    await facts.putReference(id, {
      diningOptions: named(naive.diningOptions),
      revenueCenters: named(naive.revenueCenters),
      employees: Object.entries(naive.employees).map(([guid, name]) => {
        const [firstName = '', lastName = ''] = name.split(' ');
        return { guid, firstName, lastName };
      }),
      jobs: Object.entries(naive.jobs).map(([guid, job]) => ({ guid, title: guid, ...job })),
    });
    const { guid, name, timeZone, closeoutHour, overtimeMultiplier } = naive;
    return {
      ...{ id, guid, name, timeZone, closeoutHour, overtimeMultiplier },
      group: 'g',
      locationName: null,
      locationCode: null,
      currencyCode: null,
      active: true,
      testMode: false,
      archived: false,
    };
  }

  async function put(of: Restaurant, kind: 'orders' | 'shifts', records: Json[]): Promise<void> {
    const body = (async function* () {
      yield Buffer.from(JSON.stringify(records));
    })();
    const { rejected } = await load({ facts, spoolFolder: join(folder, 'spool') }, of, kind, body, 'array');
    assert.deepEqual(rejected, []);
  }

  async function rows(of: Restaurant, query: Partial<GatherQuery> = {}): Promise<Json[]> {
    const { id, guid, name, closeoutHour } = of;
    const scope = { id, guid, name, closeoutHour };
    return await recordsOf({ facts, folder }, id, {
      restaurants: [scope],
      startDate: Number(SPAN.start),
      endDate: Number(SPAN.end),
      ...query,
    });
  }

  const inCents = (value: number): number => Math.round(value * 100);
  const SUMMED = [
    'guestCount',
    'voidOrdersCount',
    'discountOrderCount',
    'ordersCount',
    'openOrderCount',
    'closedOrderCount',
  ];
  const AMOUNTS = ['netSalesAmount', 'grossSalesAmount', 'discountAmount', 'voidOrdersAmount', 'refundAmount'];
  /** Everything that adds up, in whole units. */
  const totals = (records: Json[]): number[] => [
    ...SUMMED.map((field) => records.reduce((sum, row) => sum + row[field], 0)),
    ...AMOUNTS.map((field) => records.reduce((sum, row) => sum + inCents(row[field]), 0)),
  ];
  const byGuid = (records: Json[]): Json[] =>
    [...records].sort((a, b) => (`${a.orderGuid}${a.checkGuid}` < `${b.orderGuid}${b.checkGuid}` ? -1 : 1));

  it('metrics by day, of any grouping, are what plain arithmetic makes of the source', () =>
    fc.assert(
      fc.asyncProperty(
        orders,
        entries,
        restaurant,
        fc.subarray([...GROUPS], { maxLength: 2 }),
        async (some, worked, naive, groups) => {
          const of = await open(naive);
          await put(of, 'orders', some);
          await put(of, 'shifts', worked);
          assert.deepEqual(await rows(of, { groups }), naiveMetrics(some, worked, naive, { ...SPAN, groups }));
        },
      ),
      RUNS,
    ));

  it('metrics by hour are too, labour aside', () =>
    fc.assert(
      fc.asyncProperty(orders, restaurant, fc.subarray([...GROUPS], { maxLength: 2 }), async (some, naive, groups) => {
        const of = await open(naive);
        await put(of, 'orders', some);
        const hours = await rows(of, { groups, aggregate: 'HOUR' });
        const stripped = hours.map(
          ({ hourlyJobTotalHours: _h, hourlyJobTotalPay: _p, hourlyJobSalesPerLaborHour: _s, ...row }) => row,
        );
        assert.deepEqual(stripped, naiveMetrics(some, [], naive, { ...SPAN, groups, hour: true }));
      }),
      RUNS,
    ));

  it('checks are what the source says, and their order is that of the contract', () =>
    fc.assert(
      fc.asyncProperty(orders, restaurant, async (some, naive) => {
        const of = await open(naive);
        await put(of, 'orders', some);
        const checks = await rows(of, { kind: 'check' });
        assert.deepEqual(byGuid(checks), byGuid(naiveChecks(some, naive, SPAN)));
        const dates = checks.map((check) => check.orderOpenDate);
        assert.deepEqual(dates, [...dates].sort());
      }),
      RUNS,
    ));

  it('sums over hours, over groups and over days are the day, the whole and the span; labour by hour is the day', () =>
    fc.assert(
      fc.asyncProperty(orders, entries, restaurant, fc.constantFrom(...GROUPS), async (some, worked, naive, group) => {
        const of = await open(naive);
        await put(of, 'orders', some);
        await put(of, 'shifts', worked);

        const days = await rows(of);
        const hours = await rows(of, { aggregate: 'HOUR' });
        const grouped = await rows(of, { groups: [group] });

        for (const day of days) {
          const ofDay = hours.filter((row) => row.businessDate === day.businessDate);
          assert.deepEqual(totals(ofDay), totals([day]));
          for (const field of ['hourlyJobTotalHours', 'hourlyJobTotalPay']) {
            const sum = ofDay.reduce((total, row) => total + inCents(Number(row[field])), 0);
            assert.equal(sum, inCents(Number(day[field])), field);
          }
          const [alone] = await rows(of, { startDate: Number(day.businessDate), endDate: Number(day.businessDate) });
          assert.deepEqual(alone, day);
        }
        assert.deepEqual(totals(grouped), totals(days));
        for (const row of [...days, ...hours, ...grouped]) {
          const [net, gross, discount, , refund] = AMOUNTS.map((field) => inCents(row[field]));
          assert.equal(gross, (net ?? 0) + (discount ?? 0) + (refund ?? 0));
          assert.equal(row.ordersCount, row.openOrderCount + row.closedOrderCount);
        }
      }),
      { numRuns: Math.ceil(RUNS.numRuns / 2) },
    ));

  it('loading twice, in any order, in any batches, is loading once', () =>
    fc.assert(
      fc.asyncProperty(
        // Versions of one order with one modifiedDate are told apart by arrival alone: here every date is its own.
        fc.uniqueArray(order, { maxLength: 10, selector: (one) => `${one.guid} ${Date.parse(one.modifiedDate ?? 0)}` }),
        restaurant,
        fc.infiniteStream(fc.nat()),
        async (some, naive, random) => {
          const next = (below: number): number => Number(random.next().value) % below;
          const once = await open(naive);
          await put(once, 'orders', some);
          const again = await open(naive);
          const shuffled = [...some, ...some];
          for (let i = shuffled.length - 1; i > 0; i--) {
            const j = next(i + 1);
            [shuffled[i], shuffled[j]] = [shuffled[j], shuffled[i]];
          }
          while (shuffled.length > 0) await put(again, 'orders', shuffled.splice(0, 1 + next(4)));

          assert.deepEqual(await rows(again), await rows(once));
          assert.deepEqual(await rows(again, { kind: 'check' }), await rows(once, { kind: 'check' }));
        },
      ),
      { numRuns: Math.ceil(RUNS.numRuns / 4) },
    ));
});
