/** Reports that are added up, compared or sorted by the command: all rows are read first. */
import { type Comparison, comparedSpan, type DateSpan } from '@daypart/client';
import { attend } from './bounds.ts';
import { CommandError, EXIT } from './command-error.ts';
import { csvHead, csvLine } from './csv.ts';
import { ONE_CURRENCY } from './currencies.ts';
import { fromStart, showTable, withContext } from './deliver.ts';
import { UsageError } from './exit.ts';
import { emptyLine, type Lines, type TotalBy } from './lines.ts';
import { linesTable, type RecordForm, recordOf } from './lines-table.ts';
import { openRenewable, renewedRows } from './renew-guid.ts';
import { type DownloadContext, type DownloadStart, isBinary } from './report-options.ts';
import type { ReportQuery } from './report-query.ts';
import { namesOf, showNothing, showView } from './report-table.ts';
import { type TextForm, writingOf } from './rows-as-text.ts';
import { type Sorting, sortLines, sortRows, sortsMoney } from './sort.ts';
import { type Restaurants, sourceOf } from './source.ts';
import { shownSpan } from './span.ts';
import type { Row } from './tables/row.ts';
import type { Table } from './tables/table.ts';

/** What to compute from the rows; at least one of these. */
export interface Analysis {
  totalBy: TotalBy | undefined;
  comparison: Comparison | undefined;
  sorting: Sorting | undefined;
}

/** Checks are sorted in memory, some 1 kB each. */
const MOST_ROWS = 500_000;

interface Gathered {
  rows: Row[];
  guid: string | undefined;
  asOf: string | null;
}

/** Brings the report. Throws UsageError for a format that is not possible here. */
export async function analyse(
  start: DownloadStart,
  { query, restaurants, analysis }: { query: ReportQuery; restaurants: Restaurants; analysis: Analysis },
): Promise<void> {
  const { options, terminal } = start;
  if (isBinary(options.form))
    throw new UsageError(`${options.form} cannot be added up, compared or sorted here; use csv, ndjson or json`);
  await withContext(start, async (context) => {
    if (context.part) terminal.again = 'Run the same command again';
    const now = await gather(context, query, restaurants);
    const { addUp } = query.table;
    if (!addUp) {
      const rows = analysis.sorting ? await inOrder(context, query.table, now.rows, analysis.sorting) : now.rows;
      return await writeRows(context, query, { ...now, rows });
    }
    const { comparison } = analysis;
    const span = comparison && comparedSpan(query.span, comparison);
    const gathered = span ? await gather(context, { ...query, span }, restaurants) : NOTHING;
    await writeLines(context, { query, addUp, analysis, now, before: comparison && { ...gathered, span, comparison } });
  });
}

/** What was gathered where there are no dates. */
const NOTHING: Gathered = { rows: [], guid: undefined, asOf: null };

/** The dates with which a report is compared, for its title. */
const shownCompared = (span: DateSpan | undefined): string =>
  `compared with ${span ? shownSpan(span) : 'nothing: the year before has no 29 February'}`;

async function gather(context: DownloadContext, query: ReportQuery, restaurants: Restaurants): Promise<Gathered> {
  const { client, options, waitOptions, spinner } = context;
  const source = await sourceOf(client, query, restaurants, options.bounds.signal);
  const gathered: Gathered = { rows: [], guid: undefined, asOf: null };
  const take = (row: Row): void => {
    if (gathered.rows.push(row) > MOST_ROWS)
      throw new CommandError(
        EXIT.failed,
        `more than ${MOST_ROWS} rows cannot be sorted here`,
        'Request fewer dates or restaurants at once.',
      );
  };
  if ('parts' in source) {
    for await (const one of attend(source.parts(true, waitOptions), options.bounds)) {
      spinner.say(`${one.start} to ${one.end} received`);
      one.rows.forEach(take);
    }
    return gathered;
  }
  const renewable = openRenewable(source);
  const rows = renewedRows(client, { table: query.table, renewable }, true, waitOptions, (started) =>
    Object.assign(gathered, started),
  );
  for await (const row of attend(rows, options.bounds)) take(row);
  return gathered;
}

const footerOf = ({ guid, asOf }: Gathered): string[] => {
  const at = asOf === null ? '' : `As of ${asOf.slice(0, 16).replace('T', ' ')} UTC. `;
  return guid === undefined ? [] : [`${at}The rows: daypart get ${guid}`];
};

/** The rows in their order. Currencies are asked for only where there are amounts of several restaurants. */
async function inOrder(context: DownloadContext, table: Table, rows: readonly Row[], sorting: Sorting): Promise<Row[]> {
  const [first] = rows;
  const isOne = rows.every(({ restaurantGuid }) => restaurantGuid === first?.restaurantGuid);
  const currencies = isOne || !sortsMoney(table, sorting) ? ONE_CURRENCY : await context.currencies();
  return sortRows(rows, table, sorting, currencies.of);
}

/** Writes rows that are otherwise unchanged. */
async function writeRows(
  context: DownloadContext,
  { table }: ReportQuery,
  { rows, guid, asOf }: Gathered,
): Promise<void> {
  const { options, part, terminal } = context;
  if (options.form === 'table') {
    const each = async function* (): AsyncGenerator<Row> {
      yield* rows;
    };
    return await showTable(context, table, (begun) => {
      if (guid !== undefined) begun({ guid, asOf });
      return each();
    });
  }
  context.spinner.stop();
  const { of } = options.isPeople ? await context.currencies() : ONE_CURRENCY;
  const writing = writingOf(options.form as TextForm, table, options, of);
  const write = await fromStart(part, terminal);
  await write(writing.head);
  for (const [at, row] of rows.entries()) {
    // Names were requested only for sorting, unless the records have them anyway.
    const { restaurantName: _, ...plain } = row;
    await write(writing.row((options.names || table.alwaysNamed ? row : plain) as Row, at === 0));
  }
  await write(writing.tail(rows.length === 0));
}

interface Compared extends Gathered {
  comparison: Comparison;
  /** Undefined if there are no dates: of 29 February, a year before. */
  span: DateSpan | undefined;
}

/** The settings from which lines are made. */
interface LinesOf {
  query: ReportQuery;
  addUp: NonNullable<Table['addUp']>;
  analysis: Analysis;
  now: Gathered;
  before: Compared | undefined;
}

async function writeLines(context: DownloadContext, { query, addUp, analysis, now, before }: LinesOf): Promise<void> {
  const { options, part, terminal } = context;
  const [rows, then] = [now.rows, before?.rows];
  const guids = new Set([...rows, ...(then ?? [])].map(({ restaurantGuid }) => restaurantGuid));
  const currencies = guids.size > 0 ? await context.currencies() : ONE_CURRENCY;
  const by = analysis.totalBy ?? (before ? 'restaurant' : undefined);
  const added = addUp(rows, {
    by,
    currencyOf: currencies.of,
    span: query.span,
    compared: before,
  });
  const byName = sortLines(added.lines, { word: by === 'date' ? 'date' : 'restaurant', isDescending: false });
  const lines: Lines = { ...added, lines: analysis.sorting ? sortLines(byName, analysis.sorting) : byName };
  context.spinner.stop();
  if (options.form === 'table') {
    const write = await fromStart(part, terminal, true);
    const dates = [shownSpan(query.span), ...(before ? [shownCompared(before.span)] : [])].join(', ');
    const footer = (): string[] => [now, ...(before ? [before] : [])].flatMap(footerOf);
    const stream = part ? undefined : terminal.out;
    const { table } = query;
    const titled = { title: { dates, splits: context.title.splits }, table, all: options.all };
    const page = { ...titled, stream, write, footer, spinner: context.spinner, currencies: async () => currencies };
    const names = namesOf([...rows, ...(then ?? [])]);
    if (lines.lines.length === 0) return await showNothing(page);
    return await showView(page, { ...linesTable(lines), notes: [] }, { dates: [], names });
  }
  if (!by) {
    // Only sorted: the rows are otherwise unchanged.
    const rowOf = new Map(added.lines.map((line, at) => [line, rows[at]]));
    return await writeRows(context, query, { ...now, rows: lines.lines.flatMap((line) => rowOf.get(line) ?? []) });
  }
  const form: RecordForm = {
    names: options.names,
    isoDates: options.isoDates,
    hasDaypart: query.daypart,
    isCsv: options.form === 'csv',
    span: query.span,
    compared: before,
  };
  const write = await fromStart(part, terminal);
  await writeRecords(
    lines.lines.map((line) => recordOf(line, form)),
    // A file of CSV has its headings without a line too.
    Object.keys(recordOf(emptyLine(form.compared !== undefined), form)),
    options.form as TextForm,
    write,
  );
}

async function writeRecords(
  records: readonly Record<string, string | number | null>[],
  fields: readonly string[],
  form: TextForm,
  write: (text: string) => Promise<void>,
): Promise<void> {
  if (form === 'json') return await write(`${JSON.stringify(records, null, 1)}\n`);
  if (form === 'ndjson') return await write(records.map((one) => `${JSON.stringify(one)}\n`).join(''));
  await write(csvHead(fields) + records.map((one) => csvLine(fields, one)).join(''));
}
