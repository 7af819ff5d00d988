/**
 * The differential law: whatever is loaded, reports of the facts on ClickHouse are byte for byte those of the embedded
 * facts, in every family, grouping, form and dialect. `DIFFERENTIAL` sets the number of restaurants.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { mkdir, readFile, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { openPostgresLog } from '../../packages/service/src/facts/clickhouse/load-log/postgres-log.ts';
import { promote, retire } from '../../packages/service/src/facts/clickhouse/protocol.ts';
import { openServer, serverAddress } from '../../packages/service/src/facts/clickhouse/server.ts';
import { openServerRows } from '../../packages/service/src/facts/clickhouse/server-rows.ts';
import type { Facts } from '../../packages/service/src/facts/facts.ts';
import type { Gathered, GatherQuery, RestaurantScope } from '../../packages/service/src/facts/report.ts';
import type { ReportFamily } from '../../packages/service/src/families/family.ts';
import { FAMILIES } from '../../packages/service/src/families/index.ts';
import { menusBody } from '../../packages/service/src/ingest/menus.ts';
import type { Restaurant } from '../../packages/service/src/ledger/restaurant.ts';
import { histories, menus } from '../laws/arbitraries.ts';
import { paymentCases, settlementsOf } from '../laws/arbitrary-payments.ts';
import { forEach, type Loader, newRestaurant, openEngine, put, putReference, scopeOf } from '../laws/engine.ts';
import { SEED } from '../laws/laws.ts';
import { FORMATS } from '../laws/read-forms.ts';
import { type FactsServers, openFacts, startServers } from './servers.ts';

const RESTAURANTS = Number(process.env.DIFFERENTIAL ?? 5);
const STAGES = 3;
const BOUNDS = { deadlineMs: 120_000 };
const SPAN = { startDate: 20260101, endDate: 20261231 };
/** Some days among those that payments and settlements are of: what links them is of other days. */
const FEW_DAYS = { startDate: 20260301, endDate: 20260314 };

const trades = fc.record({ history: histories(STAGES), payments: paymentCases, menus });
type Trade = typeof trades extends fc.Arbitrary<infer T> ? T : never;

type Variant = Pick<GatherQuery, 'kind' | 'groups' | 'aggregate'> & { family: ReportFamily };
const VARIANTS: Variant[] = Object.values<ReportFamily>(FAMILIES).flatMap((family) =>
  family.aggregates.flatMap((aggregate) =>
    [[], ...family.groups.map((group) => [group])].map((groups) => ({ kind: family.kind, family, groups, aggregate })),
  ),
);
const nameOf = ({ kind, aggregate, groups }: Variant): string => [kind, aggregate, ...groups].join(' ');

/** Loads a stage of a trade; the first brings names, menus, payments and settlements. */
async function loadStage(engine: Loader, of: Restaurant, trade: Trade, stage: number): Promise<void> {
  const { orders = [], entries = [] } = trade.history.stages[stage] ?? {};
  if (stage === 0) {
    await putReference(engine, of, trade.history.restaurant);
    await engine.facts.putMenus(of.id, menusBody.read(trade.menus).menus);
    await put(engine, of, 'orders', trade.payments.orders);
    await put(engine, of, 'settlements', settlementsOf(trade.payments));
  }
  // As small loads that may come together, and again, which changes nothing.
  await Promise.all(orders.map((order) => put(engine, of, 'orders', [order])));
  if (stage === 1) await put(engine, of, 'orders', orders);
  if (entries.length > 0) await put(engine, of, 'shifts', entries);
}

describe('the differential law', () => {
  const seed = SEED;
  let servers: FactsServers;
  let embedded: Loader;
  let remote: Loader;
  const closes: (() => Promise<void>)[] = [];
  const scopes: RestaurantScope[] = [];
  /** After each stage. */
  const snapshots: [embedded: string, remote: string][] = [];

  before(async () => {
    servers = await startServers();
    const own = await openEngine();
    embedded = own;
    const addresses = await servers.newDatabase();
    const opened = await openFacts(servers, 'files', {}, addresses);
    const { url, database } = serverAddress(addresses.url);
    const server = openServer(url, database);
    const [log, rows] = [openPostgresLog(addresses.ledgerUrl, 1000), openServerRows(server)];
    for (const name of ['spool', 'reports']) await mkdir(join(opened.folder, name));
    remote = opened;
    closes.push(opened.close, own.close, server.close, log.close, servers.close);
    const drawn = fc.sample(trades, { seed, numRuns: RESTAURANTS });
    const restaurants = drawn.map(({ history }) => newRestaurant(history.restaurant));
    scopes.push(...restaurants.map(scopeOf));
    for (let stage = 0; stage < STAGES; stage++) {
      for (const engine of [embedded, remote])
        await forEach([...drawn.entries()], async ([place, trade]) => {
          const of = restaurants[place];
          if (of) await loadStage(engine, of, trade, stage);
        });
      // Rollups are summed up, and what they are summed up from is deleted, between the stages.
      assert.ok(await promote(log, rows));
      await sleep(20);
      assert.ok(await retire(log, rows, 1));
      const snapshotOf = async ({ facts }: Loader): Promise<string> => (await facts.highest()).snapshot;
      snapshots.push([await snapshotOf(embedded), await snapshotOf(remote)]);
    }
  });
  after(async () => {
    for (const close of closes) await close();
  });

  /** A report, and its forms in both dialects. */
  async function reportOf(
    { facts, folder }: Loader,
    { family, ...variant }: Variant,
    restaurants = scopes,
    span = SPAN,
  ) {
    const file = join(folder, 'reports', randomUUID());
    const query: GatherQuery = { ...variant, restaurants, ...span, fingerprints: true };
    const { rows, totals, incomplete }: Gathered = await facts.gather(query, file, BOUNDS);
    const forms = new Map<string, string>();
    for (const dialect of ['reference', 'live'] as const)
      for (const format of FORMATS) {
        const form = `${file}.${format}`;
        await facts.render(file, { ...variant, dialect, format, names: true }, form, BOUNDS);
        forms.set(`${dialect} ${format}`, await readFile(form, format === 'parquet' ? 'latin1' : 'utf8'));
        await rm(form);
      }
    await rm(file);
    return { gathered: { rows, totals, incomplete }, forms };
  }

  for (const variant of VARIANTS)
    it(`holds for ${nameOf(variant)}`, async () => {
      const [one, other] = [await reportOf(embedded, variant), await reportOf(remote, variant)];
      assert.deepEqual(other.gathered, one.gathered, `seed ${seed}`);
      for (const [form, bytes] of one.forms) assert.equal(other.forms.get(form), bytes, `${form}, seed ${seed}`);
      assert.deepEqual(
        (await reportOf(remote, variant, scopes, FEW_DAYS)).gathered,
        (await reportOf(embedded, variant, scopes, FEW_DAYS)).gathered,
        `seed ${seed}`,
      );
      // Of one restaurant, by the way that small reports take.
      const [first] = scopes;
      if (first)
        assert.deepEqual(
          (await reportOf(remote, variant, [first])).forms,
          (await reportOf(embedded, variant, [first])).forms,
          `seed ${seed}`,
        );
    });

  it('holds for what changed between any two stages', async () => {
    const pairs = snapshots.flatMap((_, to) => snapshots.slice(0, to).map((_, from) => [from, to] as const));
    let changed = 0;
    for (const [from, to] of pairs)
      for (const kind of Object.keys(FAMILIES)) {
        const changesOf = (facts: Facts, engine: 0 | 1) =>
          facts.changes(
            {
              kind,
              ...SPAN,
              offset: 0,
              limit: 1000,
              before: { snapshot: snapshots[from]?.[engine] ?? '', restaurants: scopes },
              after: { snapshot: snapshots[to]?.[engine] ?? '', restaurants: scopes.slice(1) },
            },
            BOUNDS,
          );
        const one = await changesOf(embedded.facts, 0);
        assert.deepEqual(await changesOf(remote.facts, 1), one, `${kind} ${from} ${to}, seed ${seed}`);
        changed += one.checks.length + one.orders.length + one.lines.length + one.timeEntries.length;
      }
    assert.ok(changed > 0);
  });

  it('holds for what is loaded', async () => {
    for (const { id } of scopes) {
      const loadedOf = async ({ facts }: Loader) => {
        const coverage = (await facts.coverage([id])).get(id);
        const days = await facts.loadedDays(id, SPAN.startDate, SPAN.endDate);
        return {
          first: coverage?.firstDate,
          last: coverage?.lastDate,
          days: days.map(({ loadedAt: _, ...day }) => day),
        };
      };
      assert.deepEqual(await loadedOf(remote), await loadedOf(embedded), `seed ${seed}`);
      assert.deepEqual(await remote.facts.reference(id), await embedded.facts.reference(id));
      assert.deepEqual(await remote.facts.menus(id), await embedded.facts.menus(id));
    }
    assert.deepEqual(await remote.facts.verify(BOUNDS), []);
  });
});
