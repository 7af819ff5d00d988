/**
 * The steps of docs/spreadsheets.md that can be run here: DuckDB, and pandas and LibreOffice where they are installed.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DuckDBInstance } from '@duckdb/node-api';
import { parse } from 'csv-parse/sync';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { receive } from './bytes.ts';
import { noOffice, PYTHON, without } from './installed.ts';
import { BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const run = promisify(execFile);
const TAVERN = 'b1500000-0000-4000-8000-000000000002';
const GUIDE = fileURLToPath(new URL('../../docs/spreadsheets.md', import.meta.url));

/** The first block of a language in the guide. */
async function blockOf(language: string): Promise<string> {
  const [, block] = new RegExp(`\n\`\`\`${language}\n([^]*?)\n\`\`\``).exec(await readFile(GUIDE, 'utf8')) ?? [];
  assert.ok(block);
  return block;
}

const noPandas = without('pandas', PYTHON, '-c', 'import pandas');
const noArrow = noPandas || without('pyarrow', PYTHON, '-c', 'import pyarrow');

/** Cents by restaurant, as `EUR Bistro`. */
type Sums = Record<string, number>;

describe('a dataset, read by programs', () => {
  let running: Running;
  let folder: string;
  let env: NodeJS.ProcessEnv;
  let headers: { authorization: string };
  let expected: Sums;
  const query = 'metrics?from=-7d&to=yesterday';
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'notebooks-'));
    running = await startJourney();
    const token = await running.login('g');
    await putRestaurant(running, token, BISTRO, { name: 'Bistro', currencyCode: 'USD' });
    await putRestaurant(running, token, TAVERN, { name: 'Café "Ü", 1', currencyCode: 'EUR' });
    for (const guid of [BISTRO, TAVERN])
      await postOrders(
        running,
        token,
        guid,
        Array.from({ length: 40 }, (_, index) => plainOrder({ businessDate: 20260312 + (index % 9) })),
      );
    const { id, secret } = await createClient(
      running.service.stores.ledger,
      { group: 'g', scopes: ['enterprise-metrics:read'] },
      Date.now(),
    );
    env = { ...process.env, CLIENT_ID: id, CLIENT_SECRET: secret, BASE: running.service.baseUrl };
    headers = { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` };
    expected = sumsOf((await receive(running, `/datasets/${query}&format=csv`, headers)).body.toString());
    assert.equal(Object.keys(expected).length, 2);
  });
  after(async () => {
    await running.stop();
    await rm(folder, { recursive: true, force: true });
  });

  function sumsOf(csv: string): Sums {
    const rows: Record<string, string>[] = parse(csv, { columns: true, bom: true });
    const sums: Sums = {};
    for (const { currencyCode, restaurantName, netSalesAmount } of rows) {
      const key = `${currencyCode} ${restaurantName}`;
      sums[key] = (sums[key] ?? 0) + Math.round(Number(netSalesAmount) * 100);
    }
    return sums;
  }

  it('adds up in DuckDB by the statement of the guide, in decimals', async () => {
    const { body } = await receive(running, `/datasets/${query}&format=parquet`, headers);
    const file = join(folder, 'week.parquet');
    await writeFile(file, body);
    const instance = await DuckDBInstance.create();
    const connection = await instance.connect();
    const reader = await connection.runAndReadAll((await blockOf('sql')).replace("'week.parquet'", `'${file}'`));
    const rows = reader.getRowObjectsJson();
    connection.closeSync();
    instance.closeSync();
    const sums = rows.map((row) => [`${row.currencyCode} ${row.restaurantName}`, Math.round(Number(row.net) * 100)]);
    assert.deepEqual(Object.fromEntries(sums), expected);
    assert.match(String(reader.columnType(2)), /^DECIMAL\(38,2\)$/i);
  });

  it('is read by pandas by its address, as the guide does', { skip: noPandas }, async () => {
    const { stdout } = await run(PYTHON, ['-c', await blockOf('python')], { env });
    for (const [key, cents] of Object.entries(expected)) {
      const [currency = '', ...name] = key.split(' ');
      const line = stdout.split('\n').find((one) => one.includes(name.join(' ')));
      assert.ok(line, stdout);
      assert.ok(line.startsWith(currency));
      assert.equal(Math.round(Number(line.trim().split(/\s+/).at(-1)) * 100), cents);
    }
  });

  it('has dates and decimals in pandas as Parquet', { skip: noArrow }, async () => {
    const more = `
rows = pandas.read_parquet(address + 'parquet', storage_options=headers)
print(type(rows['businessDate'][0]).__name__, type(rows['netSalesAmount'][0]).__name__)`;
    const { stdout } = await run(PYTHON, ['-c', `${await blockOf('python')}\n${more}`], { env });
    assert.match(stdout, /\ndate Decimal\n$/);
  });

  it('opens in LibreOffice: dates are dates, sums are right', { skip: noOffice, timeout: 120_000 }, async () => {
    const { body } = await receive(running, `/datasets/${query}&format=xlsx`, headers);
    await writeFile(join(folder, 'week.xlsx'), body);
    const profile = `-env:UserInstallation=file://${join(folder, 'profile')}`;
    // Separator, quote and UTF-8.
    const form = 'csv:Text - txt - csv (StarCalc):44,34,76';
    const convert = ['--headless', profile, '--convert-to', form, '--outdir', folder, join(folder, 'week.xlsx')];
    await run('soffice', convert);
    const csv = await readFile(join(folder, 'week.csv'), 'utf8');
    assert.deepEqual(sumsOf(csv), expected);
    assert.doesNotMatch(csv, /2026031\d|460\d\d/);
  });
});
