/**
 * One arithmetic: the service, the command line and the console answer a question with the same figures
 * (docs/metrics.md#totals).
 */
import assert from 'node:assert/strict';
import { Readable } from 'node:stream';
import { after, before, describe, it } from 'node:test';
import {
  type AddableLabor,
  addDays,
  type Comparison,
  comparedSpan,
  type DateSpan,
  Daypart,
  daysBetween,
  formatCents,
  type LaborRecord,
  laborTotals,
  type MetricsRecord,
  partnerOf,
  spanDays,
  splitSpan,
  type Totals,
  type TotalsRow,
  totals,
  workedDates,
} from '@daypart/client';
import fc from 'fast-check';
import { addUp, type TotalBy } from '../../packages/cli/src/lines.ts';
import { type RecordForm, recordOf } from '../../packages/cli/src/lines-table.ts';
import type { Page } from '../../packages/cli/src/report-table.ts';
import { LABOR } from '../../packages/cli/src/tables/labor.ts';
import { currencyTotals, type FigureRow, labourShare } from '../../packages/console/src/model/figures.ts';
import { comparedDate, comparisonOf } from '../../packages/console/src/model/period.ts';
import { SEED } from '../laws/laws.ts';
import { newGuid, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const QUESTIONS = 200;
const guidOf = (at: number): string => `b1500000-0000-4000-8000-00000000000${at}`;
/** The first has time entries on every date with orders, the third and the fifth on some, the others on none. */
const RESTAURANTS = [
  { guid: guidOf(1), currencyCode: 'USD', labour: 1 },
  { guid: guidOf(2), currencyCode: 'USD', labour: 0 },
  { guid: guidOf(3), currencyCode: 'USD', labour: 2 },
  { guid: guidOf(4), currencyCode: 'EUR', labour: 0 },
  { guid: guidOf(5), currencyCode: null, labour: 3 },
] as const;
const currencyOf = (guid: string): string | null => RESTAURANTS.find((one) => one.guid === guid)?.currencyCode ?? null;

const DAYS = 800;
const dateAt = (days: number): string => addDays('20240101', days);
const datesOf = ({ start, end }: DateSpan): string[] => splitSpan(start, end, 1).map(({ start: date }) => date);

interface Question {
  span: DateSpan;
  comparison: Comparison;
  by: TotalBy | undefined;
  hourly: boolean;
}

/** A span of some dates, of a whole month, or of a year, after 29 February 2024 or around it. */
const spans: fc.Arbitrary<DateSpan> = fc
  .record({ from: fc.integer({ min: 40, max: DAYS - 50 }), kind: fc.nat(9), more: fc.nat(45) })
  .map(({ from, kind, more }) => {
    const start = dateAt(kind === 0 ? from % (DAYS - 365) : from);
    if (kind === 0) return { start, end: addDays(start, 364) };
    if (kind > 2) return { start, end: addDays(start, more) };
    const first = `${start.slice(0, 6)}01`;
    return { start: first, end: addDays(`${addDays(first, 31).slice(0, 6)}01`, -1) };
  });
const questions: fc.Arbitrary<Question> = fc
  .record({
    span: spans,
    comparison: fc.constantFrom<Comparison>('previous', 'weekday', 'year', '52-weeks'),
    by: fc.constantFrom<TotalBy | undefined>('restaurant', 'date', undefined),
    hourly: fc.nat(3).map((one) => one === 0),
  })
  // Hours are reported for at most 31 dates.
  .map((one) => ({ ...one, hourly: one.hourly && spanDays(one.span) <= 31 && one.by !== undefined }));

/** Net sales, orders, average order, hours, pay and sales per labour hour, as text. */
type Figures = readonly (string | null)[];
const NOTHING: Figures = ['0.00', '0', '0.00', '0.00', '0.00', null];
/** By the key of a line and its currency: the figures, and those of the comparison. */
type Answer = Record<string, { now: Figures; before: Figures }>;

const text = (value: unknown, places = 2): string | null =>
  value === null || value === undefined ? null : Number(value).toFixed(places);
const wireFigures = (row: Record<string, unknown>, suffix = ''): Figures => [
  text(row[`netSalesAmount${suffix}`]),
  text(row[`ordersCount${suffix}`], 0),
  text(row[`avgOrderValue${suffix}`]),
  text(row[`hourlyJobTotalHours${suffix}`]),
  text(row[`hourlyJobTotalPay${suffix}`]),
  text(row[`hourlyJobSalesPerLaborHour${suffix}`]),
];
const sumFigures = (sum: Totals): Figures => [
  formatCents(sum.netSalesCents),
  String(sum.ordersCount),
  formatCents(sum.avgOrderValueCents),
  formatCents(sum.hourlyJobTotalHundredths),
  formatCents(sum.hourlyJobTotalPayCents),
  sum.hourlyJobSalesPerLaborHourCents === null ? null : formatCents(sum.hourlyJobSalesPerLaborHourCents),
];

/** Some questions at a time: most of the time a report is waited for. */
async function together<Q>(all: readonly Q[], ask: (one: Q) => Promise<void>): Promise<void> {
  for (let at = 0; at < all.length; at += 10) await Promise.all(all.slice(at, at + 10).map(ask));
}

const keyOf = (...parts: unknown[]): string => parts.map((one) => one ?? '-').join(' ');

/**
 * Lines by their keys, of which those of nothing on both sides are left out, since only some of the three have them.
 */
function answerOf(lines: [key: string, side: 'now' | 'before', figures: Figures][]): Answer {
  const answer: Answer = {};
  for (const [key, side, figures] of lines) {
    answer[key] ??= { now: NOTHING, before: NOTHING };
    answer[key][side] = figures;
  }
  return Object.fromEntries(
    Object.entries(answer)
      .filter(([, { now, before }]) => [now, before].some((one) => one.join() !== NOTHING.join()))
      .sort(([a], [b]) => (a < b ? -1 : 1)),
  );
}

/** The date that names a line by date: of the comparison, the date of the span that it is beside. */
function namesOf({ span, comparison }: Question, beside: typeof partnerOf): (date: string) => string | undefined {
  const names = new Map(datesOf(span).map((date) => [beside(date, span, comparison), date] as const));
  return (date) => names.get(date);
}

interface Gathered {
  guid: string;
  rows: MetricsRecord[];
  dates: { from: string; to: string };
}

const TODAY = '20260320';
/** A year that begins on one of some dates and contains the span; the span itself if it is too long. */
function widened({ start, end }: DateSpan): DateSpan {
  const days = daysBetween('20220101', start);
  const first = addDays(start, -(days % 180));
  const last = addDays(first, 365);
  return end > last ? { start, end } : { start: first, end: last < TODAY ? last : TODAY };
}

describe('a question to the service, to the command line and to the console', () => {
  let running: Running;
  let client: Daypart;
  before(async () => {
    running = await startJourney();
    const token = await running.login('g', { scopes: ['enterprise-metrics:read', 'ingest:write'] });
    client = new Daypart({ baseUrl: `${running.service.origin}/v1`, token });
    for (const { guid, currencyCode, labour } of RESTAURANTS) {
      await putRestaurant(running, token, guid, { name: guid, currencyCode });
      const orders: Record<string, unknown>[] = [];
      const entries: object[] = [];
      for (let day = 0; day < DAYS; day++) {
        // Each restaurant is closed on some dates, other ones each.
        if ((day * 7 + Number(guid.at(-1))) % 5 === 0) continue;
        const [date, price] = [dateAt(day), 10 + ((day * 37) % 4000) / 100];
        const iso = `${date.slice(0, 4)}-${date.slice(4, 6)}-${date.slice(6)}`;
        const openedDate = `${iso}T${12 + (day % 8)}:30:00.000Z`;
        const selection = { guid: newGuid(), quantity: 1, preDiscountPrice: price, price, tax: 0 };
        const check = { selections: [selection], appliedDiscounts: [], payments: [] };
        orders.push(plainOrder({ openedDate, businessDate: Number(date) }, check));
        if (labour === 0 || day % labour !== 0) continue;
        const hours = { regularHours: 1 + (day % 9) / 8, overtimeHours: (day % 3) / 4, hourlyWage: 11.35 };
        const [inDate, outDate] = [`${iso}T13:10:00.000Z`, `${iso}T16:40:00.000Z`];
        entries.push({ guid: newGuid(), businessDate: Number(date), inDate, outDate, ...hours });
      }
      await postOrders(running, token, guid, orders);
      const { status } = await running.call('POST', `/restaurants/${guid}/time-entries`, { token, json: entries });
      assert.equal(status, 200);
    }
  });
  after(() => running.stop());

  const made = new Map<string, Promise<{ guid: string; rows: MetricsRecord[] }>>();
  /**
   * The rows of a span, and where the service adds them up: a report of it, or some dates of a longer one, of which few
   * are made.
   */
  async function reportOf(span: DateSpan, hourly: boolean): Promise<Gathered> {
    const { start, end } = hourly ? span : widened(span);
    const key = `${start} ${end} ${hourly}`;
    const report =
      made.get(key) ??
      client.metrics.report({ range: 'custom', start, end, aggregateBy: hourly ? 'HOUR' : 'DAY' } as const);
    made.set(key, report);
    const { guid, rows } = await report;
    const own = rows.filter(({ businessDate }) => businessDate >= span.start && businessDate <= span.end);
    return { guid, rows: own, dates: { from: span.start, to: span.end } };
  }
  const sides = ({ span, comparison }: Question): ['now' | 'before', DateSpan][] => {
    const compared = comparedSpan(span, comparison);
    return [['now', span], ...(compared ? [['before', compared] as ['before', DateSpan]] : [])];
  };

  async function askService(question: Question): Promise<Answer> {
    const { by, hourly } = question;
    const words = [...(by ? [by === 'date' ? 'businessDate' : by] : []), ...(hourly ? ['businessHour'] : [])];
    const named = namesOf(question, partnerOf);
    const answers = await Promise.all(
      sides(question).map(async ([side, span]) => {
        const { guid, dates } = await reportOf(span, hourly);
        const { rows } = await client.reports.totals(guid, { by: words, ...dates });
        return rows.map((row: TotalsRow): [string, typeof side, Figures] => {
          const date = String(row.businessDate);
          const key = by === 'date' ? (side === 'now' ? date : (named(date) ?? `only ${date}`)) : row.restaurantGuid;
          return [keyOf(key, row.businessHour, row.currencyCode), side, wireFigures(row)];
        });
      }),
    );
    return answerOf(answers.flat());
  }

  async function askCommandLine({ span, comparison, by, hourly }: Question): Promise<Answer> {
    const compared = comparedSpan(span, comparison);
    const now = await reportOf(span, hourly);
    const before = compared ? await reportOf(compared, hourly) : { rows: [] };
    const added = addUp(now.rows, { by, currencyOf, span, compared: { comparison, rows: before.rows } });
    const form: RecordForm = {
      names: false,
      isoDates: false,
      hasDaypart: false,
      isCsv: false,
      span,
      compared: { span: compared },
    };
    const lines = (by ? added.lines : added.totals).map((line) => recordOf(line, form));
    return answerOf(
      lines.flatMap((line): [string, 'now' | 'before', Figures][] => {
        const date = line.businessDate ?? `only ${line.comparedBusinessDate}`;
        const key = keyOf(by === 'date' ? date : line.restaurantGuid, line.businessHour, line.currencyCode);
        return [
          [key, 'now', wireFigures(line)],
          [key, 'before', wireFigures(line, 'Compared')],
        ];
      }),
    );
  }

  async function askConsole(question: Question): Promise<Answer> {
    const { span, comparison, by, hourly } = question;
    const compared = comparisonOf(span, comparison);
    const named = namesOf(question, comparedDate);
    const words = ['restaurant', 'businessDate', ...(hourly ? ['businessHour'] : [])];
    const read = async (side: 'now' | 'before', some: DateSpan): Promise<[string, typeof side, Figures][]> => {
      const { guid, dates } = await reportOf(some, hourly);
      const { rows } = await client.reports.totals<FigureRow>(guid, { by: words, ...dates });
      const isWorked = workedDates(rows);
      const groups = Map.groupBy(rows, (row) => {
        const { businessDate: date = '' } = row;
        const name = side === 'now' ? date : (named(date) ?? `only ${date}`);
        const key = by === 'date' ? name : by === 'restaurant' ? row.restaurantGuid : undefined;
        return keyOf(key, hourly ? row.businessHour : undefined, row.currencyCode);
      });
      return [...groups].map(([key, own]) => {
        const { currencyCode } = own[0] ?? assert.fail();
        const [sum] = hourly ? totals(own, currencyCode, isWorked) : [currencyTotals(own, currencyCode)];
        return [key, side, sumFigures(sum)];
      });
    };
    return answerOf([...(await read('now', span)), ...(compared ? await read('before', compared) : [])]);
  }

  it(`has the same figures, ${QUESTIONS} random ones of spans, comparisons, restaurants and hours`, async () => {
    let figures = 0;
    await together(fc.sample(questions, { numRuns: QUESTIONS, seed: SEED }), async (question) => {
      const what = JSON.stringify(question);
      const service = await askService(question);

      assert.deepEqual(await askCommandLine(question), service, `command line: ${what}`);
      assert.deepEqual(await askConsole(question), service, `console: ${what}`);
      figures += Object.keys(service).length;
    });
    assert.ok(figures > QUESTIONS, String(figures));
  });

  it('has the same figures of labor, and the share that the console makes of sales metrics', async () => {
    const columns = ['netSalesAmount', 'netSalesPerEmployeeHour', 'totalCostPerNetSales'] as const;
    await together(fc.sample(questions, { numRuns: QUESTIONS / 5, seed: SEED }), async ({ span }) => {
      const { guid, rows } = await client.labor.report({ range: 'custom', ...span });
      const { rows: service } = await client.reports.totals(guid);
      const { rows: byDate } = await client.reports.totals<AddableLabor & { currencyCode: string | null }>(guid, {
        by: ['restaurant', 'businessDate'],
      });
      const report = await reportOf(span, false);
      const { rows: metrics } = await client.reports.totals<FigureRow>(report.guid, {
        by: ['restaurant', 'businessDate'],
        ...report.dates,
      });
      const lines = await tableOf(rows);

      for (const [index, whole] of service.filter((row) => row.rows > 0).entries()) {
        const { currencyCode } = whole;
        const own = byDate.filter((row) => row.currencyCode === currencyCode);
        const [sum] = laborTotals(own, currencyCode);
        const share = labourShare(
          currencyTotals(
            metrics.filter((row) => row.currencyCode === currencyCode),
            currencyCode,
          ),
        );
        const figures = columns.map((field) => text(whole[field]));
        const what = `${JSON.stringify(span)} ${currencyCode}`;
        const { netSalesCents, netSalesPerEmployeeHourCents: perHour, totalCostPerNetSalesHundredths: percent } = sum;
        assert.deepEqual(
          [netSalesCents, perHour, percent].map((one) => (one === null ? null : formatCents(one))),
          figures,
          `console: ${what}`,
        );
        if (rows.length > 1) assert.deepEqual(lines[index], figures, `command line: ${what}`);
        // The pay of hourly jobs is the cost of labor.
        assert.ok(
          share === undefined ? figures[2] === null : Math.abs(share * 100 - Number(figures[2])) < 0.0051,
          what,
        );
      }
    });
  });
});

/** The last three columns of the totals in the table of labor: net sales, sales per hour, and percent of net. */
async function tableOf(rows: readonly LaborRecord[]): Promise<(string | null)[][]> {
  let written = '';
  const page: Page = {
    table: LABOR,
    title: {},
    all: true,
    stream: undefined,
    write: async (some) => {
      written += some;
    },
    spinner: { say: () => undefined, announce: () => undefined, stop: () => undefined },
    footer: () => [],
    currencies: async () => ({ of: currencyOf, several: true }),
  };
  await LABOR.show(page, Readable.from(rows));
  const [, totalsBelow = ''] = written.split(/^─+\n/m);
  return totalsBelow
    .trimEnd()
    .split('\n')
    .map((line) =>
      line
        .trim()
        .split(/ +/)
        .slice(-3)
        .map((cell) => (cell === '–' ? null : cell.replaceAll(',', ''))),
    );
}
