/** Loads through the facts: one corrected order of an old day, and two thousand new orders. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { DuckdbFacts } from '../../packages/service/src/facts/duckdb/duckdb.ts';
import { ORDER_PARTS } from '../../packages/service/src/facts/order.ts';
import type { Bare } from './bare.ts';
import { type Cost, costAlone, milliseconds } from './costs.ts';

const BATCH = 2000;
/** After the generated year: where new orders come. A quarter of a batch for each. */
const NEW_DATES = [20250101, 20250102, 20250103, 20250104, 20250105, 20250106, 20250107, 20250108];
const OLD_DATE = 20240315;

const quoted = (file: string): string => `'${file.replaceAll("'", "''")}'`;

/** Writes the files of a load from statements whose first column is `seq`; orders have no other parts than checks. */
async function spool(bare: Bare, folder: string, orders: string, checks: string): Promise<void> {
  await rm(folder, { recursive: true, force: true });
  await mkdir(folder, { recursive: true });
  for (const part of ORDER_PARTS) await writeFile(join(folder, `${part}.ndjson`), '');
  for (const [name, select] of [
    ['orders', orders],
    ['checks', checks],
  ] as const) {
    await bare.connection.run(`copy (${select}) to ${quoted(join(folder, `${name}.ndjson`))} (format json)`);
  }
}

/** Milliseconds of one merge; throws unless every order was taken. */
async function merge(facts: DuckdbFacts, restaurant: number, folder: string, count: number): Promise<number> {
  let accepted = 0;
  const took = await milliseconds(async () => {
    ({ accepted } = await facts.merge(restaurant, { folder, kind: 'orders', bytes: 0 }));
  });
  if (accepted !== count) throw new Error(`${accepted} of ${count} orders were taken`);
  return took;
}

/** One order of an old day with a dollar more and a later modification; each time of another restaurant. */
async function correctOne(facts: DuckdbFacts, bare: Bare, folder: string, restaurant: number): Promise<number> {
  const first = `
    with one as (
      select * from orders where restaurant_id = ${restaurant} and business_date = ${OLD_DATE} and status = 'counted'
       order by order_guid limit 1
    )`;
  await spool(
    bare,
    folder,
    `${first} select 0 as seq, * exclude (restaurant_id, load_id, facts_digest)
       replace (gross_cents + 100 as gross_cents, modified_at + 1 as modified_at) from one`,
    `${first} select 0 as seq, c.* exclude (restaurant_id, load_id)
       replace (case when row_number() over (order by check_guid) = 1 then 100 else 0 end + sales_gross_cents as sales_gross_cents)
       from checks c where restaurant_id = ${restaurant} and business_date = ${OLD_DATE}
        and order_guid in (select order_guid from one)`,
  );
  return await merge(facts, restaurant, folder, 1);
}

/** Orders like those of some restaurants, with GUIDs that were never seen, on the days after the year. */
async function loadNew(facts: DuckdbFacts, bare: Bare, folder: string, restaurant: number): Promise<number> {
  await bare.connection.run(
    `create or replace temp table fresh as
     select *, row_number() over () - 1 as seq, uuid() as new_guid
       from (select * from orders where business_date >= ${OLD_DATE} limit ${BATCH})`,
  );
  const date = `[${NEW_DATES.join(', ')}][(seq * ${NEW_DATES.length} // ${BATCH})::integer + 1]`;
  await spool(
    bare,
    folder,
    `select seq, * exclude (restaurant_id, load_id, seq, new_guid)
       replace (new_guid as order_guid, ${date} as business_date) from fresh`,
    `select f.seq, c.* exclude (restaurant_id, load_id)
       replace (f.new_guid as order_guid, uuid() as check_guid, ${date} as business_date)
       from checks c join fresh f on f.restaurant_id = c.restaurant_id and f.business_date = c.business_date and f.order_guid = c.order_guid`,
  );
  return await merge(facts, restaurant, folder, BATCH);
}

export async function measureLoads(facts: DuckdbFacts, bare: Bare, folder: string): Promise<Cost[]> {
  const files = join(folder, 'spool');
  const small = { count: 0 };
  // Restaurants that had orders on the day, even at the smallest size: the larger half of them.
  const next = (): number => 600 + small.count++;
  return [
    await costAlone({ question: 'correct one order of an old day', section: 'loads', rows: 1 }, () =>
      correctOne(facts, bare, files, next()),
    ),
    await costAlone({ question: 'load 2,000 new orders of one restaurant', section: 'loads', rows: BATCH }, () =>
      loadNew(facts, bare, files, next()),
    ),
  ];
}
