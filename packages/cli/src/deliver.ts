/** Delivers a report as requested: as a table, to standard output, or into a file. */
import { attend } from './bounds.ts';
import { following } from './client.ts';
import { CommandError, EXIT } from './command-error.ts';
import { copyForm } from './copy.ts';
import { type Currencies, currenciesOfReport, findCurrencies, ONE_CURRENCY } from './currencies.ts';
import { warnIncomplete } from './incomplete.ts';
import { openPart, type PartialFile } from './partial-file.ts';
import { shownBytes } from './progress.ts';
import { openRenewable, type RenewableGuid, renewedRows, type StartedReport } from './renew-guid.ts';
import { type DownloadContext, type DownloadStart, isBinary } from './report-options.ts';
import { writingOf } from './rows-as-text.ts';
import type { Parts, Single } from './source.ts';
import type { Row } from './tables/row.ts';
import type { Table } from './tables/table.ts';
import { plainPieces, type Terminal, writeTo } from './terminal.ts';

/** `find` returns the report, or its parts; it is called once the file to write is open. */
export async function deliver(
  start: DownloadStart,
  find: (remembered: string | undefined) => Promise<Single | Parts>,
): Promise<void> {
  await withContext(start, async (context) => {
    const source = await find(context.part?.memory.guid);
    return 'parts' in source ? await deliverParts(context, source) : await deliverSingle(context, source);
  });
}

/**
 * Opens the file, if any, shows the progress while `bring` delivers the report, and renames the file when it is
 * complete.
 */
export async function withContext(
  start: DownloadStart,
  bring: (context: DownloadContext) => Promise<void>,
): Promise<void> {
  const { client, title, options, terminal } = start;
  const part = options.output === undefined ? undefined : await openPart(options.output, title.what, options.force);
  const spinner = terminal.spin('Requesting the report');
  const waitOptions = following(client, terminal, options.bounds, spinner);
  const currencies = (): Promise<Currencies> => findCurrencies(client, options.bounds.signal);
  const context: DownloadContext = { ...start, spinner, part, waitOptions, currencies };
  try {
    await bring(context);
    if (part && options.output !== undefined) {
      const size = part.size();
      await part.publish();
      spinner.stop();
      if (terminal.err.isTTY) terminal.err.write(`Wrote ${options.output}, ${shownBytes(size)}.\n`);
    }
  } catch (error) {
    await part?.leave().catch(() => undefined);
    throw error;
  } finally {
    waitOptions.done();
    spinner.stop();
  }
  await warnIncomplete(client, terminal, options.bounds.signal);
}

async function deliverSingle(context: DownloadContext, single: Single): Promise<void> {
  const { options, part, terminal } = context;
  const { table } = single;
  const renewable = announced(openRenewable(single, part?.memory.guid), terminal);
  const rows = (onStart: (report: StartedReport) => void): AsyncGenerator<Row> =>
    attend(
      renewedRows(context.client, { table, renewable }, options.names, context.waitOptions, onStart),
      options.bounds,
    );
  // A new report has the current currencies; those of an existing one may have changed since.
  const currencies = single.fresh
    ? context.currencies
    : async () => await currenciesOfReport(context.client, await renewable.guid(), options.bounds.signal);
  if (options.form === 'table') return await showTable({ ...context, currencies }, table, rows);
  const asSent = options.isPeople || !options.isoDates;
  if (part && asSent) terminal.again = 'Run the same command again: it resumes';
  if (asSent && (await copyForm(context, { table, renewable }, options.form))) return;
  // A form that is made from rows starts from the beginning.
  if (part) terminal.again = 'Run the same command again';
  if (isBinary(options.form))
    throw new CommandError(
      EXIT.failed,
      `this service does not have ${options.form}`,
      'Use --format csv, ndjson or json.',
    );
  const writing = writingOf(options.form, table, options, (options.isPeople ? await currencies() : ONE_CURRENCY).of);
  const write = await fromStart(part, terminal);
  let first = true;
  await write(writing.head);
  for await (const row of rows(() => undefined)) {
    await write(writing.row(row, first));
    first = false;
  }
  await write(writing.tail(first));
}

/** The same GUID, also remembered by the terminal for messages after an interruption. */
const announced = (renewable: RenewableGuid, terminal: Terminal): RenewableGuid => ({
  ...renewable,
  async guid() {
    terminal.guid = await renewable.guid();
    return terminal.guid;
  },
});

/** Reads the rows of a report and writes them as a table, on the terminal or into the partial file. */
export async function showTable(
  context: DownloadContext,
  table: Table,
  rows: (onStart: (report: StartedReport) => void) => AsyncIterable<Row>,
): Promise<void> {
  const { title, options, terminal, spinner, part, currencies } = context;
  let started: StartedReport | undefined;
  const write = await fromStart(part, terminal, true);
  const footer = (): string[] => {
    if (!started) return [];
    const at = started.asOf === null ? '' : `As of ${started.asOf.slice(0, 16).replace('T', ' ')} UTC. `;
    return [`${at}Again, or in another form: daypart get ${started.guid}`];
  };
  const stream = part ? undefined : terminal.out;
  const currenciesFor = (isOne = false): Promise<Currencies> =>
    currencies().catch((error) => {
      options.bounds.signal.throwIfAborted();
      if (isOne) return ONE_CURRENCY;
      throw error;
    });
  await table.show(
    { table, title, all: options.all, stream, write, spinner, footer, currencies: currenciesFor },
    rows((report) => {
      started = report;
    }),
  );
}

/** A span in parts. A file resumes after the last complete part. */
async function deliverParts(context: DownloadContext, { table, parts }: Parts): Promise<void> {
  const { options, part, waitOptions, spinner, terminal } = context;
  terminal.again =
    part && options.form !== 'table'
      ? 'Run the same command again: it resumes after the last whole part'
      : 'Run the same command again';
  async function* each(cursor?: string): AsyncGenerator<{ rows: Row[]; cursor: string }> {
    for await (const one of attend(parts(options.names, waitOptions, cursor), options.bounds)) {
      spinner.say(`${one.start} to ${one.end} received`);
      yield one;
    }
  }
  if (isBinary(options.form))
    throw new CommandError(
      EXIT.failed,
      `a span that is requested in parts has no ${options.form}`,
      'Use --format csv, ndjson or json; or at most 366 dates at once, or hours of at most 31.',
    );
  if (options.form === 'table') {
    const all = async function* (): AsyncGenerator<Row> {
      for await (const { rows } of each()) yield* rows;
    };
    return await showTable(context, table, all);
  }
  const { of } = options.isPeople ? await context.currencies() : ONE_CURRENCY;
  const writing = writingOf(options.form, table, options, of);
  const { cursor, bytes = 0 } = part?.memory ?? {};
  const goOn = part !== undefined && cursor !== undefined && bytes <= part.size();
  if (goOn) await part.cut(bytes);
  const write = goOn ? intoPart(part) : await fromStart(part, terminal);
  if (!goOn) await write(writing.head);
  let first = !goOn || bytes === Buffer.byteLength(writing.head);
  for await (const one of each(goOn ? cursor : undefined)) {
    for (const row of one.rows) {
      await write(writing.row(row, first));
      first = false;
    }
    await part?.remember({ cursor: one.cursor, bytes: part.size() });
  }
  await write(writing.tail(first));
}

type Write = (text: string) => Promise<void>;
const intoPart =
  (part: PartialFile): Write =>
  (text) =>
    part.append(Buffer.from(text));

/** Writes to the file, emptied first, or to standard output. A table needs no cleaning except of its own colours. */
export async function fromStart(part: PartialFile | undefined, { out }: Terminal, isTable = false): Promise<Write> {
  if (!part) {
    const plain = plainPieces(isTable ? {} : out);
    return (text) => writeTo(out, plain(text));
  }
  await part.cut(0);
  return intoPart(part);
}
