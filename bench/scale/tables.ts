/** The measurements as Markdown tables. */
import { comparison, type Figure, isMet, median } from '../figures.ts';
import type { Cost } from './costs.ts';
import { peakMb } from './goals.ts';
import type { SizeResult } from './size.ts';

const MEGABYTE = 2 ** 20;
const whole = (value: number): string => Math.round(value).toLocaleString('en');
const MISSING = '–';

/** Milliseconds as a reader takes them in: 0.31 ms, 42 ms, 1.3 s. */
export function time(ms: number | null | undefined): string {
  if (ms === null || ms === undefined) return MISSING;
  if (ms >= 10_000) return `${whole(ms / 1000)} s`;
  if (ms >= 1000) return `${(ms / 1000).toFixed(1)} s`;
  return `${ms >= 10 ? Math.round(ms) : ms.toPrecision(2)} ms`;
}

function markdown(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]): string => `| ${cells.join(' | ')} |`;
  return [line(head), line(head.map((_, i) => (i === 0 ? '---' : '--:'))), ...rows.map(line)].join('\n');
}

const times = (ratio: number | null): string => (ratio === null ? '' : `${ratio.toFixed(2)} ×`);

function find(result: SizeResult, section: Cost['section'], question: string): Cost | undefined {
  return result.costs.find((cost) => cost.section === section && cost.question === question);
}

/** A row for each question of a section: ours, the bare engine and the quotient at every size. */
function besideBare(results: readonly SizeResult[], section: Cost['section']): string {
  const questions = results.at(-1)?.costs.filter((cost) => cost.section === section) ?? [];
  const head = results.flatMap(({ millions }) => [`${millions} M`, 'bare', '']);
  const rows = questions.map(({ question }) => [
    question,
    ...results.flatMap((result) => {
      const cost = find(result, section, question);
      return [time(cost?.ours), time(cost?.bare), times(cost?.ratio ?? null)];
    }),
  ]);
  return markdown(['Report', ...head], rows);
}

/** The reports by day on the engines of rows, for the sizes that were loaded there. */
function besideRows(results: readonly SizeResult[]): string {
  const some = results.filter(({ elsewhere }) => Object.keys(elsewhere).length > 0);
  const questions = some.at(-1)?.costs.filter(({ section }) => section === 'by day') ?? [];
  const rows = questions.map(({ question }) => [
    question,
    ...some.flatMap((result) => {
      const cost = find(result, 'by day', question);
      return [time(cost?.ours), time(cost?.postgres), time(cost?.sqlite)];
    }),
  ]);
  const loaded = some.flatMap(({ elsewhere: { postgres, sqlite }, filled }) => [
    whole(filled.factsBytes / MEGABYTE),
    postgres ? whole(postgres.bytes / MEGABYTE) : MISSING,
    sqlite ? whole(sqlite.bytes / MEGABYTE) : MISSING,
  ]);
  const head = some.flatMap(({ millions }) => [`${millions} M`, 'PostgreSQL', 'SQLite']);
  return markdown(['Report', ...head], [...rows, ['on disk, MB (of ours also the checks)', ...loaded]]);
}

function loads(results: readonly SizeResult[]): string {
  const questions = results.at(-1)?.costs.filter(({ section }) => section === 'loads') ?? [];
  const rows = questions.map(({ question }) => [
    question,
    ...results.map((result) => time(find(result, 'loads', question)?.ours)),
  ]);
  const perSecond = (side: 'ours' | 'limit') =>
    results.map(({ ingested }) => whole(median(ingested.pairs.map((pair) => pair[side]))));
  return markdown(
    ['Load', ...results.map(({ millions }) => `${millions} M`)],
    [
      ...rows,
      ['orders over HTTP, durable, orders/s', ...perSecond('ours')],
      ['`JSON.parse` of the same bytes, orders/s', ...perSecond('limit')],
      ['bytes of an order', ...results.map(({ ingested }) => whole(ingested.orderBytes))],
    ],
  );
}

function data(results: readonly SizeResult[]): string {
  const row = (name: string, of: (result: SizeResult) => string): string[] => [name, ...results.map(of)];
  const days = ({ shape }: SizeResult): number => shape.restaurants * shape.days;
  return markdown(
    ['', ...results.map(({ millions }) => `${millions} M`)],
    [
      row('checks', ({ filled }) => whole(filled.rows.checks)),
      row('orders', ({ filled }) => whole(filled.rows.orders)),
      row('time entries', ({ filled }) => whole(filled.rows.shifts)),
      row('checks of a restaurant a day', (result) => (result.filled.rows.checks / days(result)).toFixed(1)),
      row('daily rollups of a restaurant a day', (result) => (result.filled.rows.sheets / days(result)).toFixed(1)),
      row('facts on disk, MB', ({ filled }) => whole(filled.factsBytes / MEGABYTE)),
      row('**disk per million checks, MB**', ({ filled: { factsBytes, rows } }) =>
        whole(factsBytes / MEGABYTE / (rows.checks / 1e6)),
      ),
      row('Parquet of the same rows, MB', ({ filled }) => whole(filled.parquetBytes / MEGABYTE)),
      row('generate, s', ({ filled }) => whole(filled.generateSeconds)),
      row('insert, s', ({ filled }) => whole(filled.insertSeconds)),
      row('compute rollups and order dates, s', ({ filled }) => whole(filled.rebuildSeconds)),
      row('limit of the engine, MB', ({ memoryMb }) => whole(memoryMb)),
      row('**most memory of the engine, MB**', (result) => whole(peakMb(result))),
      row('most memory of the service while orders come, MB', ({ ingested }) =>
        whole(ingested.memory.service / MEGABYTE),
      ),
    ],
  );
}

/** The goals as Markdown: three digits are enough. */
function goals(figures: readonly Figure[]): string {
  const shown = (value: number | null): string =>
    value === null ? MISSING : value >= 100 ? whole(value) : value.toPrecision(3);
  const rows = figures.map((figure) => [
    figure.figure,
    shown(figure.ours),
    figure.beside,
    shown(figure.limit),
    times(comparison(figure)),
    figure.goal ? `${figure.goal.at === 'least' ? '≥' : '≤'} ${figure.goal.value} ×` : '',
    figure.goal ? (isMet(figure) ? 'yes' : '**no**') : '',
  ]);
  return markdown(['Figure', 'ours', 'beside', 'limit', '', 'goal', 'holds'], rows);
}

/** Everything between the markers of docs/performance.md. */
export function blockOf(results: readonly SizeResult[], figures: readonly Figure[]): string {
  const machines = results.map(
    ({ millions, at, seconds, machine }) =>
      `${millions} M on ${at.slice(0, 10)} in ${whole(seconds / 60)} min (${machine.cpu}, ${machine.cores} cores, ` +
      `${whole(machine.memoryBytes / 2 ** 30)} GB, Node ${machine.node.slice(1)}${machine.postgres ? `, ${machine.postgres}` : ''})`,
  );
  const sections: [string, string][] = [
    ['Goals', goals(figures)],
    ['Data, disk and memory', data(results)],
    ['Reports by day', besideBare(results, 'by day')],
    ['The same on PostgreSQL and SQLite', besideRows(results)],
    ['Reports by hour, of one day', besideBare(results, 'by hour')],
    ['Checks of one day', besideBare(results, 'checks')],
    ['Labor of a year', besideBare(results, 'labor')],
    ['Loads', loads(results)],
  ];
  const plot = '![Cost against size](performance/cost-by-size.svg)';
  return [
    `Measured: ${machines.join('; ')}.`,
    plot,
    ...sections.map(([title, body]) => `### ${title}\n\n${body}`),
  ].join('\n\n');
}
