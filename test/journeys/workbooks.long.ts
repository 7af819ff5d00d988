/** Workbooks as other programs read them: LibreOffice and openpyxl, where they are installed, and their memory. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { createWriteStream } from 'node:fs';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { parse } from 'csv-parse/sync';
import { receive } from './bytes.ts';
import { noOffice, PYTHON, without } from './installed.ts';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const run = promisify(execFile);
const TAVERN = 'b1500000-0000-4000-8000-000000000002';

const noOpenpyxl = without('openpyxl', PYTHON, '-c', 'import openpyxl');

/** The cells of the sheet Report with their types, and the heads of About. */
const READ = `
import datetime, json, openpyxl, sys
book = openpyxl.load_workbook(sys.argv[1])
def shown(cell):
    value = cell.value
    return value.isoformat() if isinstance(value, datetime.datetime) else value
rows = [[shown(cell) for cell in row] for row in book['Report'].iter_rows()]
print(json.dumps({'rows': rows, 'frozen': book['Report'].freeze_panes, 'filter': book['Report'].auto_filter.ref,
                  'bold': book['Report']['A1'].font.b, 'about': [row[0].value for row in book['About'].iter_rows()]}))
`;

describe('a workbook, opened elsewhere', () => {
  let running: Running;
  let folder: string;
  let file: string;
  let rows: Record<string, string>[];
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'workbooks-'));
    running = await startJourney();
    const token = await running.login('g');
    await putRestaurant(running, token, BISTRO, { name: '=1+1', currencyCode: 'USD' });
    await putRestaurant(running, token, TAVERN, { name: 'Tavern <&> _x0041_ "ü"\u0001', currencyCode: 'EUR' });
    for (const guid of [BISTRO, TAVERN])
      await postOrders(
        running,
        token,
        guid,
        Array.from({ length: 20 }, (_, index) => plainOrder({ businessDate: 20260301 + (index % 10) })),
      );
    const bearer = { authorization: `Bearer ${token}` };
    const span = { startBusinessDate: '20260301', endBusinessDate: '20260315' };
    const guid = await ask(running, token, '/metrics/month', span);
    const { body } = await receive(running, `/metrics/${guid}?format=xlsx`, bearer);
    const csv = await receive(running, `/metrics/${guid}?format=csv&layout=people`, bearer);
    rows = parse(csv.body, { columns: true });
    file = join(folder, 'report.xlsx');
    await writeFile(file, body);
    assert.ok(rows.length >= 20);
  });
  after(async () => {
    await running.stop();
    await rm(folder, { recursive: true });
  });

  /** A profile of LibreOffice of this test. */
  const profile = (): string => `-env:UserInstallation=file://${join(folder, 'profile')}`;
  const sumOf = (values: (string | number | undefined)[]): string =>
    values.reduce((sum: number, value) => sum + Number(value ?? 0), 0).toFixed(2);

  it('is read by LibreOffice: dates are dates, sums are right', { skip: noOffice }, async () => {
    await run('soffice', [profile(), '--headless', '--convert-to', 'csv', '--outdir', folder, file]);
    const sheet: Record<string, string>[] = parse(await readFile(join(folder, 'report.csv')), { columns: true });

    assert.deepEqual(
      sheet.map(({ businessDate }) => businessDate),
      rows.map(({ businessDate }) => businessDate),
    );
    assert.ok(
      sheet.every(({ restaurantName }) => restaurantName === '=1+1' || restaurantName?.startsWith('Tavern <&>')),
    );
    const plain = ({ netSalesAmount }: Record<string, string>) => netSalesAmount?.replaceAll(',', '');
    assert.equal(sumOf(sheet.map(plain)), sumOf(rows.map(({ netSalesAmount }) => netSalesAmount)));
  });

  it('has cells that are dates and numbers to LibreOffice, and whose sums are right', { skip: noOffice }, async () => {
    await run('soffice', [profile(), '--headless', '--convert-to', 'fods', '--outdir', folder, file]);
    const [, table = ''] = /<table:table table:name="Report"(.*?)<\/table:table>/s.exec(
      await readFile(join(folder, 'report.fods'), 'utf8'),
    ) ?? ['', ''];
    const cells = [...table.matchAll(/<table:table-cell ([^>]*)>/g)].flatMap(([, head = '']) => {
      const [, times = '1'] = /columns-repeated="(\d+)"/.exec(head) ?? [];
      return Array.from({ length: Number(times) }, () => head);
    });
    const valuesOf = (found: RegExp): (string | undefined)[] => cells.flatMap((cell) => found.exec(cell)?.[1] ?? []);
    const dates = valuesOf(/office:value-type="date" office:date-value="([^"]*)"/);
    const numbers = valuesOf(/office:value-type="float" office:value="([^"]*)"/);

    assert.deepEqual(
      dates,
      rows.map(({ businessDate }) => businessDate),
    );
    const figures = rows.flatMap((row) => Object.values(row).filter((value) => /^-?\d+(\.\d+)?$/.test(value)));
    assert.equal(numbers.length, figures.length);
    assert.equal(sumOf(numbers), sumOf(figures));
    assert.doesNotMatch(table, /table:formula/);
  });

  it('is read by openpyxl: every cell is that of CSV', { skip: noOpenpyxl }, async () => {
    const { stdout } = await run(PYTHON, ['-c', READ, file]);
    const { rows: cells, frozen, filter, bold, about } = JSON.parse(stdout);

    const [head, ...lines] = cells as (string | number | null)[][];
    assert.deepEqual(head, Object.keys(rows[0] ?? {}));
    assert.deepEqual([frozen, bold, filter.startsWith('A1:')], ['A2', true, true]);
    assert.equal(about[0], 'Report');
    assert.equal(lines.length, rows.length);
    for (const [index, row] of rows.entries()) {
      for (const [at, [field, expected]] of Object.entries(row).entries()) {
        const value = lines[index]?.[at] ?? '';
        if (field === 'businessDate') assert.equal(value, `${expected}T00:00:00`);
        else if (typeof value === 'number') assert.equal(value, Number(expected), field);
        // openpyxl leaves the escapes of ECMA-376 as they are.
        else if (field !== 'restaurantName') assert.equal(value, expected, field);
      }
    }
  });

  it('is written in memory that does not grow with its rows', async () => {
    const path = join(folder, 'rows.xml');
    const out = createWriteStream(path);
    for (let row = 2; row < 1_000_002; row++) {
      const cells = `<c r="A${row}" t="inlineStr"><is><t>Bistro ${row % 40}</t></is></c><c r="B${row}" s="2"><v>${row}.50</v></c>`;
      if (!out.write(`<row r="${row}">${cells}</row>\n`)) await once(out, 'drain');
    }
    out.end();
    await once(out, 'close');
    const module = new URL('../../packages/service/src/files/workbook.ts', import.meta.url);
    const script = `
      import { writeWorkbook } from ${JSON.stringify(module.href)};
      const before = process.resourceUsage().maxRSS;
      const columns = ['a', 'b'].map((name) => ({ name, width: 10 }));
      await writeWorkbook({ file: process.argv[1], count: 1_000_000 }, { columns, about: [] }, process.argv[1] + '.xlsx');
      console.log(process.resourceUsage().maxRSS - before);`;

    const { stdout } = await run(process.execPath, ['--input-type=module-typescript', '-e', script, path]);

    assert.ok(Number(stdout) < 64 * 1024, `${stdout.trim()} kB more than before the first row`);
  });
});
