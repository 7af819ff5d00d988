import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import fc from 'fast-check';
import { LAWS } from '../../../../test/laws/laws.ts';
import { guidsOf } from '../ingest/guids.ts';
import { NO_FORCE } from './belonging.ts';
import { readLabel, readMenuId, readNumbers, readText } from './cell-values.ts';
import { type Day, readDay } from './day.ts';
import { FILE_NAMES, FILES, type FileColumn, type FileName } from './file-columns.ts';
import { NO_MAPPING } from './mapping.ts';

const DATE = 20260315;
const WHOLE = fileURLToPath(new URL('../../../../test/golden/missing-nothing/20260315', import.meta.url));
const OPTIONS = {
  timeZone: 'America/New_York',
  mapping: NO_MAPPING,
  guidOf: guidsOf('b1500000-0000-4000-8000-000000000001'),
  earlier: new Set<string>(),
  restaurantNames: [],
  force: NO_FORCE,
};

/** What is done to a row: a cell that nobody can read, or its end cut off. */
interface Fault {
  file: FileName;
  line: number;
  index: number;
  kind: 'garbled' | 'cut';
}

/** The rows of a file as cells; quoted commas are in `Checks` only, where they are put back. */
const cellsOf = (line: string): string[] => line.match(/"[^"]*"|[^,]+|(?<=,|^)(?=,|$)/g) ?? [];

const recordsOf = (day: Day): Map<unknown, string> =>
  new Map(
    [...day.orders, ...day.entries].map(({ source }) => [(source as { guid: string }).guid, JSON.stringify(source)]),
  );

/** Any text is a name, and what has no number in it names no check. */
function isChecked(file: FileName, header: string | undefined): boolean {
  const columns: FileColumn<unknown>[] = Object.values(FILES[file]);
  const column = columns.find((one) => one.header === header);
  return column !== undefined && ![readText, readNumbers, readLabel, readMenuId].some((read) => read === column.read);
}

describe('a day', () => {
  let path: string;
  let texts: Record<FileName, string[][]>;
  before(async () => {
    path = await mkdtemp(join(tmpdir(), 'daypart-day-'));
    const read = async (file: FileName): Promise<string[][]> =>
      (await readFile(join(WHOLE, `${file}.csv`), 'utf8')).trimEnd().split('\n').map(cellsOf);
    const entries = await Promise.all(FILE_NAMES.map(async (file) => [file, await read(file)] as const));
    texts = Object.fromEntries(entries) as Record<FileName, string[][]>;
  });
  after(() => rm(path, { recursive: true, force: true }));

  async function readFaulty(faults: Fault[]): Promise<Day> {
    const copy = structuredClone(texts);
    for (const { file, line, index, kind } of faults) {
      const row = copy[file][line] ?? [];
      if (kind === 'garbled' && index < row.length) row[index] = '¿';
      else row.length = Math.min(row.length, Math.max(1, index));
    }
    for (const file of FILE_NAMES) {
      await writeFile(join(path, `${file}.csv`), copy[file].map((row) => row.join(',')).join('\n'));
    }
    return await readDay({ date: DATE, path }, OPTIONS);
  }

  it('has every order and entry completely, or not at all, for any rows that cannot be read', async () => {
    const whole = recordsOf(await readFaulty([]));
    assert.equal(whole.size, 4);
    const faults: fc.Arbitrary<Fault> = fc
      .constantFrom(...FILE_NAMES)
      .chain((file) =>
        fc.record({
          file: fc.constant(file),
          line: fc.integer({ min: 1, max: texts[file].length - 1 }),
          index: fc.integer({ min: 0, max: (texts[file][0]?.length ?? 1) - 1 }),
          kind: fc.constantFrom('garbled' as const, 'cut' as const),
        }),
      )
      .filter(({ file, index, kind }) => kind === 'cut' || isChecked(file, texts[file][0]?.[index]));
    let loaded = 0;
    await fc.assert(
      fc.asyncProperty(fc.array(faults, { minLength: 1, maxLength: 3 }), async (some) => {
        const day = await readFaulty(some);
        const records = recordsOf(day);
        loaded += records.size;
        for (const [guid, record] of records) assert.equal(record, whole.get(guid));
        const notRead = day.fileReports().flatMap((file) => file.notRead);
        assert.ok(notRead.length > 0);
        assert.ok(records.size < whole.size);
        // Every row is reported once.
        for (const { file, read, skipped, notRead } of day.fileReports()) {
          const rows = texts[file.replace('.csv', '') as FileName].length - 1;
          const lines = new Set([...skipped, ...notRead].map(({ line }) => line));
          assert.equal(lines.size, skipped.length + notRead.length);
          if (day.problem === undefined) assert.equal(read + skipped.length + notRead.length, rows);
        }
      }),
      { numRuns: LAWS },
    );
    assert.ok(loaded > 0);
  });

  it('has no order with a modifier of which two rows say different things', async () => {
    const whole = recordsOf(await readFaulty([]));
    const rows = texts.ModifiersSelectionDetails;
    const [, first = []] = rows;
    try {
      rows.push([...first]);
      const repeated = await readFaulty([]);
      rows.push(first.map((cell) => (cell === '2.00' ? '3.00' : cell)));
      const changed = await readFaulty([]);

      assert.deepEqual(recordsOf(repeated), whole);
      assert.equal(changed.orders.length, repeated.orders.length - 1);
      const [report] = changed.fileReports().filter(({ file }) => file === 'ModifiersSelectionDetails.csv');
      assert.deepEqual(report?.notRead, [{ line: 6, message: 'line 2 has the same id and other values' }]);
    } finally {
      rows.splice(4);
    }
  });

  it('says that a file has semicolons between its columns, not which columns it lacks', async () => {
    await readFaulty([]);
    const rows = texts.OrderDetails.map((row) => row.join(';'));
    await writeFile(join(path, 'OrderDetails.csv'), rows.join('\n'));

    const day = await readDay({ date: DATE, path }, OPTIONS);

    assert.equal(day.problem, 'OrderDetails.csv cannot be read');
    const [report] = day.fileReports().filter(({ file }) => file === 'OrderDetails.csv');
    assert.deepEqual(report?.notRead, [{ line: 1, message: 'has semicolons between its columns, not commas' }]);
  });
});
