/**
 * Export folders, and orders of the API, and what must come out of them: each folder beside this file is a case. Its
 * README.md computes the figures by hand, `restaurant.json` is the restaurant, `orders.json` its orders if they come
 * from the API, `expected.json` the answer to their load, the imports, in turn, and the reports after them.
 */
import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Force, NO_FORCE } from '../../packages/service/src/import/belonging.ts';
import { findDays } from '../../packages/service/src/import/day-folder.ts';
import { storesDestination } from '../../packages/service/src/import/destination.ts';
import { type ImportReport, importDays } from '../../packages/service/src/import/import.ts';
import { NO_MAPPING, readMapping } from '../../packages/service/src/import/mapping.ts';
import { ask, putRestaurant, type Running, startJourney } from '../journeys/service.ts';

const ROOT = fileURLToPath(new URL('.', import.meta.url));

interface ExpectedImport {
  /** Below the case's folder; the case's folder itself where it is left out. */
  folder?: string;
  force?: Partial<Force>;
  orders: number;
  timeEntries?: number;
  /** By path: rows read, rows skipped, and `line: message` of what was not read. Files left out have no bad rows. */
  files?: Record<string, [number, number, string[]]>;
  /** By day: what its problem begins with. */
  problems?: Record<string, string>;
  /** By day: how many orders and time entries a notice is about, its amount, and what it begins with. */
  notices?: Record<string, [number, number, string][]>;
  /** What the reasons of gaps are, besides those of every export. */
  missing?: string[];
}

interface Expected {
  load?: object;
  imports: ExpectedImport[];
  reports: { path: string; ask: object; rows: Record<string, unknown>[] }[];
}

const readJson = (path: string): unknown => JSON.parse(readFileSync(path, 'utf8'));

/** Every row of a report, with the properties that the expected rows name, in an order of its own. */
function shown(rows: Record<string, unknown>[], like: Record<string, unknown>[]): unknown[] {
  const names = [...new Set(like.flatMap((row) => Object.keys(row)))].sort();
  const texts = rows.map((row) => JSON.stringify(Object.fromEntries(names.map((name) => [name, row[name] ?? null]))));
  return texts.sort().map((text) => JSON.parse(text));
}

/** Compares an import's report with what is expected of it. */
function compareReport(folder: string, report: ImportReport, expected: ExpectedImport): void {
  const { orders, timeEntries = 0, files = {}, problems = {}, notices = {}, missing } = expected;
  const told: Record<string, [number, number, string[]]> = {};
  for (const day of report.days) {
    for (const file of day.files) {
      const bad = file.notRead.map(({ line, message }) => `${line ?? '-'}: ${message}`);
      told[join(relative(folder, day.folder), file.file)] = [file.read, file.skipped.length, bad];
    }
    const problem = problems[day.date];
    assert.equal(day.problem?.startsWith(problem ?? '') ?? null, problem === undefined ? null : true, `${day.problem}`);
    const noted = day.notices.map((notice): [number, number, string] => [
      ...([notice.orders + notice.timeEntries, notice.amount, notice.message] as const),
    ]);
    const like = notices[day.date] ?? [];
    const cut = noted.map(([many, sum, message], i) => [many, sum, message.slice(0, like[i]?.[2].length)]);
    assert.deepEqual(cut, like, `notices of ${day.date}`);
  }
  for (const [path, of] of Object.entries(files)) assert.deepEqual(told[path], of, path);
  const bad = Object.entries(told).filter(([path, [, , lines]]) => lines.length > 0 && !(path in files));
  assert.deepEqual(bad, []);
  const sum = (of: (day: ImportReport['days'][number]) => number): number =>
    report.days.reduce((total, day) => total + of(day), 0);
  assert.deepEqual([sum((day) => day.orders), sum((day) => day.timeEntries)], [orders, timeEntries]);
  const isClean = Object.keys(problems).length === 0 && Object.values(told).every(([, , lines]) => lines.length === 0);
  assert.equal(report.complete, isClean);
  if (missing) {
    const always = /^an export /;
    assert.deepEqual(
      report.cannotGive
        .map(({ why, dates }) => `${why}${dates ? ` ${dates.join(' ')}` : ''}`)
        .filter((why) => !always.test(why)),
      missing,
    );
  }
}

describe('a folder of records', () => {
  let running: Running;
  before(async () => {
    running = await startJourney();
    // The cases are of 2026; a report cannot be of the future.
    running.advance(365 * 86_400_000);
  });
  after(() => running.stop());

  const cases = readdirSync(ROOT, { withFileTypes: true }).filter((entry) => entry.isDirectory());
  for (const { name } of cases.sort((a, b) => a.name.localeCompare(b.name))) {
    it(`gives what was computed by hand: ${name}`, async () => {
      const folder = join(ROOT, name);
      const { guid, ...restaurant } = readJson(join(folder, 'restaurant.json')) as { guid: string };
      const { load, imports, reports } = readJson(join(folder, 'expected.json')) as Expected;
      const columns = join(folder, 'columns.json');
      const mapping = existsSync(columns) ? readMapping(readFileSync(columns, 'utf8')) : NO_MAPPING;
      const token = await running.login(name);
      await putRestaurant(running, token, guid, restaurant);
      const { stores } = running.service;
      const stored = await stores.ledger.restaurant(guid);
      assert.ok(stored);

      if (load) {
        const body = readFileSync(join(folder, 'orders.json'));
        const headers = { 'content-type': 'application/json' };
        const answer = await running.call('POST', `/restaurants/${guid}/orders`, { token, body, headers });
        assert.deepEqual([answer.status, answer.body], [200, load]);
      }
      for (const expected of imports) {
        const root = join(folder, expected.folder ?? '.');
        const found = await findDays(root);
        const report = await importDays(found, storesDestination(stores, stored), {
          mapping,
          force: { ...NO_FORCE, ...expected.force },
          progress: () => undefined,
        });
        compareReport(folder, report, expected);
      }

      for (const { path, ask: body, rows } of reports) {
        const family = path.replace(/\/(day|week|month|year)(\?.*)?$/, '');
        const answer = await running.call('GET', `${family}/${await ask(running, token, path, body)}`, { token });
        assert.deepEqual(shown(answer.body, rows), shown(rows, rows), `${path} ${JSON.stringify(body)}`);
      }
    });
  }
});
