/**
 * `node bench/scale/check-generator.ts`: the same shape gives the same bytes, other seeds give others, and the checks
 * of the generated orders add up to them.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { withFolder } from '../folders.ts';
import { filesOf, generateParquet } from './generate.ts';
import type { Shape } from './shape.ts';

const SHAPE: Shape = { restaurants: 20, days: 40, checksPerDay: 25, shiftsPerDay: 3, seed: 1 };

async function digest(folder: string): Promise<string> {
  const hash = createHash('sha256');
  for (const name of (await readdir(folder)).sort()) hash.update(name).update(await readFile(join(folder, name)));
  return hash.digest('hex');
}

/** Orders whose checks do not add up to them, and how many checks there are. */
async function inspect(folder: string): Promise<{ wrong: number; checks: number }> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  const reader = await connection.runAndReadAll(
    `select count(*) filter (o.gross_cents <> c.gross or o.discount_cents <> c.discount
                          or o.refund_cents <> c.refund or o.void_cents <> c.void) as wrong, sum(c.checks) as checks
       from read_parquet('${filesOf('orders', folder)}') o
       left join (
              select order_guid, count(*) as checks, sum(sales_gross_cents) as gross,
                     sum(sales_discount_cents) as discount, sum(sales_refund_cents) as refund, sum(void_cents) as void
                from read_parquet('${filesOf('checks', folder)}') group by order_guid
            ) c using (order_guid)`,
  );
  const [row] = reader.getRowObjectsJS();
  connection.closeSync();
  instance.closeSync();
  return { wrong: Number(row?.wrong), checks: Number(row?.checks) };
}

await withFolder(async (folder) => {
  const [first, second, other] = ['first', 'second', 'other'].map((name) => join(folder, name)) as [
    string,
    string,
    string,
  ];
  await generateParquet(SHAPE, first);
  await generateParquet(SHAPE, second);
  await generateParquet({ ...SHAPE, seed: 2 }, other);

  const { wrong, checks } = await inspect(first);

  assert.equal(await digest(first), await digest(second));
  assert.notEqual(await digest(first), await digest(other));
  assert.equal(wrong, 0);
  const expected = SHAPE.restaurants * SHAPE.days * SHAPE.checksPerDay;
  assert.ok(Math.abs(checks / expected - 1) < 0.1, `${checks} checks, about ${expected} were asked for`);
  console.log(`the same twice: ${checks} checks`);
});
