/** Delivers a report as requested: as a table, to standard output, or into a file. */
import type { Daypart } from '@daypart/client';
import { attend } from './bounds.ts';
import { following } from './client.ts';
import { CommandError, EXIT } from './command-error.ts';
import { copyForm } from './copy.ts';
import { type Currencies, currenciesOfReport, findCurrencies, ONE_CURRENCY } from './currencies.ts';
import { warnIncomplete } from './incomplete.ts';
import { openPart, type PartialFile } from './partial-file.ts';
import { shownBytes } from './progress.ts';
import { openRenewable, type RenewableGuid, renewedRows, type StartedReport } from './renew-guid.ts';
import { type DownloadContext, isBinary, type ReportOptions, type ReportTitle } from './report-options.ts';
import { writingOf } from './rows-as-text.ts';
import type { Parts, Single } from './source.ts';
import type { Row } from './tables/row.ts';
import type { Table } from './tables/table.ts';
import { plainPieces, type Terminal, writeTo } from './terminal.ts';

/** `find` returns the report, or its parts; it is called once the file to write is open. */
export async function deliver(
  client: Daypart,
  find: (remembered: string | undefined) => Promise<Single | Parts>,
  about: ReportTitle,
  how: ReportOptions,
  terminal: Terminal,
): Promise<void> {
  await withWork(client, about, how, terminal, async (work) => {
    const source = await find(work.part?.memory.guid);
    return 'parts' in source ? await deliverParts(work, source) : await deliverSingle(work, source);
  });
}

/**
 * Opens the file, if any, shows the progress while `bring` delivers the report, and renames the file when it is
 * complete.
 */
export async function withWork(
  client: Daypart,
  about: ReportTitle,
  how: ReportOptions,
  terminal: Terminal,
  bring: (work: DownloadContext) => Promise<void>,
): Promise<void> {
  const part = how.output === undefined ? undefined : await openPart(how.output, about.what, how.force);
  const spinner = terminal.spin('Requesting the report');
  const options = following(client, terminal, how.bounds, spinner);
  const currencies = (): Promise<Currencies> => findCurrencies(client, how.bounds.signal);
  const work: DownloadContext = { client, about, how, terminal, spinner, part, options, currencies };
  try {
    await bring(work);
    if (part && how.output !== undefined) {
      const size = part.size();
      await part.publish();
      spinner.stop();
      if (terminal.err.isTTY) terminal.err.write(`Wrote ${how.output}, ${shownBytes(size)}.\n`);
    }
  } catch (error) {
    await part?.leave().catch(() => undefined);
    throw error;
  } finally {
    options.done();
    spinner.stop();
  }
  await warnIncomplete(client, terminal, how.bounds.signal);
}

async function deliverSingle(work: DownloadContext, single: Single): Promise<void> {
  const { how, part, terminal } = work;
  const { table } = single;
  const renewable = announced(openRenewable(single, part?.memory.guid), terminal);
  const rows = (onStart: (report: StartedReport) => void): AsyncGenerator<Row> =>
    attend(renewedRows(work.client, { table, renewable }, how.names, work.options, onStart), how.bounds);
  // A new report has the currencies of now; those of an existing one may have changed since.
  const currencies = single.fresh
    ? work.currencies
    : async () => await currenciesOfReport(work.client, await renewable.guid(), how.bounds.signal);
  if (how.form === 'table') return await showTable({ ...work, currencies }, table, rows, part);
  const asSent = how.isPeople || !how.isoDates;
  if (part && asSent) terminal.again = 'Run the same command again: it resumes';
  if (asSent && (await copyForm(work, { table, renewable }, how.form))) return;
  // A form that is made from rows starts from the beginning.
  if (part) terminal.again = 'Run the same command again';
  if (isBinary(how.form))
    throw new CommandError(EXIT.failed, `this service does not have ${how.form}`, 'Use --format csv, ndjson or json.');
  const writing = writingOf(how.form, table, how, (how.isPeople ? await currencies() : ONE_CURRENCY).of);
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
  work: DownloadContext,
  table: Table,
  rows: (onStart: (report: StartedReport) => void) => AsyncIterable<Row>,
  part: PartialFile | undefined,
): Promise<void> {
  const { about, how, terminal, spinner, currencies } = work;
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
      how.bounds.signal.throwIfAborted();
      if (isOne) return ONE_CURRENCY;
      throw error;
    });
  await table.show(
    { table, about, all: how.all, stream, write, spinner, footer, currencies: currenciesFor },
    rows((report) => {
      started = report;
    }),
  );
}

/** A span in parts. A file resumes after the last complete part. */
async function deliverParts(work: DownloadContext, { table, parts }: Parts): Promise<void> {
  const { how, part, options, spinner, terminal } = work;
  terminal.again =
    part && how.form !== 'table'
      ? 'Run the same command again: it resumes after the last whole part'
      : 'Run the same command again';
  async function* each(cursor?: string): AsyncGenerator<{ rows: Row[]; cursor: string }> {
    for await (const one of attend(parts(how.names, options, cursor), how.bounds)) {
      spinner.say(`${one.start} to ${one.end} received`);
      yield one;
    }
  }
  if (isBinary(how.form))
    throw new CommandError(
      EXIT.failed,
      `a span that is requested in parts has no ${how.form}`,
      'Use --format csv, ndjson or json; or at most 366 dates at once, or hours of at most 31.',
    );
  if (how.form === 'table') {
    const all = async function* (): AsyncGenerator<Row> {
      for await (const { rows } of each()) yield* rows;
    };
    return await showTable(work, table, all, part);
  }
  const { of } = how.isPeople ? await work.currencies() : ONE_CURRENCY;
  const writing = writingOf(how.form, table, how, of);
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
