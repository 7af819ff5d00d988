/**
 * What each content coding makes of real forms, for docs/decisions/0006: ratio and MB/s, in one thread. Not a figure:
 * `node bench/codings.ts`.
 */
import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { DuckDBInstance } from '@duckdb/node-api';
import { addDays } from '../packages/service/src/contract/dates.ts';
import { openDuckdbFacts } from '../packages/service/src/facts/duckdb/duckdb.ts';
import type { Form, Format } from '../packages/service/src/facts/form.ts';
import type { GatherQuery } from '../packages/service/src/facts/report.ts';
import { openFiles } from '../packages/service/src/files/file-helper.ts';
import type { Coding, Files } from '../packages/service/src/files/files.ts';
import { fillSmall, LAST_DATE, TEMPLATE, withFolder } from './folders.ts';

const RESTAURANTS = 600;
const DAYS = 30;
const BOUNDS = { deadlineMs: 300_000 };
const MEGABYTE = 1_000_000;

const zstd = (level: number) => (body: Buffer) =>
  zstdCompressSync(body, { params: { [constants.ZSTD_c_compressionLevel]: level } });
const gzip = (level: number) => (body: Buffer) => gzipSync(body, { level });
const br = (quality: number) => (body: Buffer) =>
  brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: quality } });
const CODERS: Record<string, (body: Buffer) => Buffer> = {
  'zstd 1': zstd(1),
  'zstd 3': zstd(3),
  'zstd 6': zstd(6),
  'gzip 1': gzip(1),
  'gzip 4': gzip(4),
  'gzip 6': gzip(6),
  'br 1': br(1),
  'br 4': br(4),
  'br 5': br(5),
};

function measure(name: string, body: Buffer): void {
  const times = body.length > 5 * MEGABYTE ? 1 : 20;
  for (const [coder, press] of Object.entries(CODERS)) {
    let bytes = 0;
    const began = performance.now();
    for (let i = 0; i < times; i++) bytes = press(body).length;
    const ms = (performance.now() - began) / times;
    const rate = Math.round(body.length / 1000 / ms);
    console.log(
      `${name} ${body.length} B | ${coder} | ${(body.length / bytes).toFixed(2)} | ${rate} MB/s | ${ms.toFixed(1)} ms`,
    );
  }
}

/** What the first who asks waits for: the helper process at work on its own. */
async function first(files: Files, file: string, name: string): Promise<void> {
  for (const coding of ['zstd', 'br', 'gzip'] as Coding[]) {
    const began = performance.now();
    const { bytes } = await files.compress(file, { coding, to: `${file}.${coding}` }, BOUNDS);
    console.log(`${name} compressed as ${coding}: ${bytes} B in ${Math.round(performance.now() - began)} ms`);
  }
  const began = performance.now();
  await files.digest(file, BOUNDS);
  console.log(`${name} digested in ${Math.round(performance.now() - began)} ms`);
}

await withFolder(async (folder) => {
  const data = join(folder, 'data');
  await mkdir(data);
  await fillSmall(data, DAYS);
  const instance = await DuckDBInstance.create(join(data, 'facts', 'facts.duckdb'));
  const connection = await instance.connect();
  const guid = (column: string): string => `md5(concat(t.${column}, ' ', r.id))::uuid as ${column}`;
  // Times and amounts of its own for each check: else a day of one restaurant is found again in that of the next.
  const moved = ['opened_at', 'paid_at', 'modified_at', 'total_cents', 'tax_cents', 'tip_cents'].map(
    (column) => `t.${column} + (hash(t.check_guid, r.id, '${column}') % 2000)::bigint as ${column}`,
  );
  await connection.run(
    `insert into checks by name
     select t.* replace (r.id::integer as restaurant_id, ${guid('order_guid')}, ${guid('check_guid')}, ${moved.join(', ')})
       from range(2, ${RESTAURANTS + 1}) r(id), (select * from checks where restaurant_id = 1 and business_date = ${LAST_DATE}) t`,
  );
  await connection.run(
    `insert into names by name select n.* replace (r.id::integer as restaurant_id)
       from range(2, ${RESTAURANTS + 1}) r(id), (select * from names where restaurant_id = 1) n`,
  );
  connection.closeSync();
  instance.closeSync();
  const files = openFiles();
  const facts = await openDuckdbFacts({ folder: join(data, 'facts'), memoryMb: 2048, readable: [folder] });
  const restaurants = Array.from({ length: RESTAURANTS }, (_, index) => ({
    id: index + 1,
    name: `Restaurant ${index + 1}`,
    timeZone: 'America/New_York',
    closeoutHour: 4,
    currencyCode: null,
    guid: `b1500000-0000-4000-8000-${String(index + 1).padStart(12, '0')}`,
  }));
  const [one = { ...TEMPLATE, id: 1 }] = restaurants;
  const queries: Record<string, GatherQuery> = {
    checks: { kind: 'check', restaurants, startDate: LAST_DATE, endDate: LAST_DATE, aggregate: 'DAY', groups: [] },
    metrics: {
      kind: 'metrics',
      restaurants: [one],
      startDate: addDays(LAST_DATE, 1 - DAYS),
      endDate: LAST_DATE,
      aggregate: 'DAY',
      groups: ['DINING_OPTION'],
    },
    hours: {
      kind: 'metrics',
      restaurants: [one],
      startDate: LAST_DATE,
      endDate: LAST_DATE,
      aggregate: 'HOUR',
      groups: [],
    },
  };
  for (const [name, query] of Object.entries(queries)) {
    const snapshot = join(folder, `${name}.snapshot`);
    await facts.gather(query, snapshot, BOUNDS);
    for (const format of ['json', 'ndjson', 'csv', 'parquet'] as Format[]) {
      const { kind, groups, aggregate } = query;
      const form: Form = { format, kind, groups, aggregate, dialect: 'reference', names: false };
      const file = join(folder, `${name}.${format}`);
      const began = performance.now();
      await facts.render(snapshot, form, file, BOUNDS);
      console.log(
        `${name} ${format}: ${(await stat(file)).size} B, rendered in ${Math.round(performance.now() - began)} ms`,
      );
      if (format !== 'parquet') measure(`${name} ${format}`, await readFile(file));
      if (name === 'checks') await first(files, file, `${name} ${format}`);
    }
  }
  await files.close();
  await facts.close();
});
