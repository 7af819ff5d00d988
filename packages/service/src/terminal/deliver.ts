/** Brings a report to where it was asked for: a table, standard output, a file. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import {
  ConnectionError,
  type Daypart,
  type Format,
  InvalidRequestError,
  type WaitOptions,
} from '../../../client/src/index.ts';
import { UsageError } from '../config.ts';
import type { Given } from './arguments.ts';
import type { Kind } from './ask.ts';
import { Ending, EXIT } from './endings.ts';
import { openPart, type Part } from './part.ts';
import { type Spinner, shownBytes } from './progress.ts';
import { type TextForm, writingOf } from './render.ts';
import { type Bounds, following, readBounds, type Terminal } from './session.ts';
import { showReport } from './show.ts';
import { openReport, type Parts, type Row, type Single } from './source.ts';
import { type Begun, steadyRows, type Turns, takeTurns } from './steady.ts';
import { transfer } from './transfer.ts';

export interface How {
  form: 'table' | Format;
  output: string | undefined;
  force: boolean;
  names: boolean;
  all: boolean;
  bounds: Bounds;
}

const FORMS = ['json', 'ndjson', 'csv', 'parquet'] as const;
/** The media type of each form; an answer of another is not of that form. */
const TYPES: Record<Format, RegExp> = {
  json: /^application\/json/,
  ndjson: /^application\/x-ndjson/,
  csv: /^text\/csv/,
  parquet: /parquet/,
};

/** Throws UsageError for flags that do not go together. */
export function readHow(given: Given, { out, signal }: Terminal): How {
  const output = given.value('output');
  const ending = FORMS.find((form) => output?.toLowerCase().endsWith(`.${form}`));
  const stated = given.value('format') as How['form'] | undefined;
  const form = stated ?? ending ?? (output === undefined && out.isTTY ? 'table' : 'json');
  if (given.has('force') && output === undefined) throw new UsageError('--force goes with --output');
  if (given.has('names') && given.has('no-names')) throw new UsageError('--names or --no-names, not both');
  if (form === 'parquet' && output === undefined && out.isTTY)
    throw new UsageError('parquet is not for a terminal; keep it with --output FILE');
  const names = form === 'table' ? !given.has('no-names') : given.has('names');
  return { form, output, force: given.has('force'), names, all: given.has('all'), bounds: readBounds(given, signal) };
}

export interface About {
  /** What the command is of, for finding again what it left. */
  what: string;
  dates?: string | undefined;
  splits?: string | undefined;
}

/** `find` answers the report, or its parts; it is called once the file that it goes into is open. */
export async function deliver(
  client: Daypart,
  find: (remembered: string | undefined) => Promise<Single | Parts>,
  about: About,
  how: How,
  terminal: Terminal,
): Promise<void> {
  const part = how.output === undefined ? undefined : await openPart(how.output, about.what, how.force);
  const spinner = terminal.spin('Asking for the report');
  const options = following(client, terminal, how.bounds, spinner);
  const work: Work = {
    client,
    about,
    how,
    terminal,
    spinner,
    part,
    options: { ...options, signal: how.bounds.signal },
  };
  try {
    const source = await find(part?.memory.guid);
    if ('parts' in source) await deliverParts(work, source);
    else await deliverSingle(work, source);
    spinner.stop();
    if (part && how.output !== undefined) {
      const size = part.size();
      await part.publish();
      if (terminal.err.isTTY) terminal.err.write(`Wrote ${how.output}, ${shownBytes(size)}.\n`);
    }
  } catch (error) {
    await part?.leave().catch(() => undefined);
    throw error;
  } finally {
    options.done();
    spinner.stop();
  }
}

interface Work {
  client: Daypart;
  about: About;
  how: How;
  terminal: Terminal;
  spinner: Spinner;
  part: Part | undefined;
  options: WaitOptions & { signal: AbortSignal };
}

async function deliverSingle(work: Work, single: Single): Promise<void> {
  const { how, part, terminal } = work;
  const { kind } = single;
  const turns = telling(takeTurns(single, part?.memory.guid), terminal);
  const rows = (begun: (what: Begun) => void): AsyncGenerator<Row> =>
    steadyRows(work.client, { kind, turns }, how.names, work.options, begun);
  if (how.form === 'table') return await table(work, kind, rows, part);
  if (await copyForm(work, { kind, turns }, how.form)) return;
  if (how.form === 'parquet') {
    throw new Ending(EXIT.failed, 'this service does not have parquet', 'Take --format csv, ndjson or json.');
  }
  const writing = writingOf(how.form, kind, how.names);
  const write = await fromStart(part, terminal);
  let first = true;
  await write(writing.head);
  for await (const row of rows(() => undefined)) {
    await write(writing.row(row, first));
    first = false;
  }
  await write(writing.tail(first));
}

/** The same, and the terminal knows which report is under way. */
const telling = (turns: Turns, terminal: Terminal): Turns => ({
  ...turns,
  async guid() {
    terminal.guid = await turns.guid();
    return terminal.guid;
  },
});

async function table(
  work: Work,
  kind: Kind,
  rows: (begun: (what: Begun) => void) => AsyncIterable<Row>,
  part: Part | undefined,
): Promise<void> {
  const { about, how, terminal, spinner } = work;
  let told: Begun | undefined;
  const write = await fromStart(part, terminal);
  const footer = (): string[] => {
    if (!told) return [];
    const at = told.asOf === null ? '' : `As of ${told.asOf.slice(0, 16).replace('T', ' ')} UTC. `;
    return [`${at}Again, or in another form: daypart get ${told.guid}`];
  };
  const stream = part ? undefined : terminal.out;
  await showReport(
    { kind, about, all: how.all, stream, write, spinner, footer },
    rows((what) => {
      told = what;
    }),
  );
}

/** Copies the bytes of the service's own form. False where the service does not have it; nothing is written then. */
async function copyForm(work: Work, { kind, turns }: { kind: Kind; turns: Turns }, form: Format): Promise<boolean> {
  const { client, how, part, options } = work;
  for (;;) {
    const guid = await turns.guid();
    if (part && part.memory.guid !== guid) {
      await part.cut(0);
      await part.remember({ guid, etag: undefined, cursor: undefined, bytes: undefined });
    }
    const open = (headers: Record<string, string>): Promise<Response> =>
      openReport(
        client,
        kind,
        guid,
        { ...(form === 'json' ? {} : { format: form }), names: how.names, headers },
        options,
      );
    try {
      return await copyFrom(work, open, form, guid);
    } catch (error) {
      if (error instanceof InvalidRequestError && form !== 'json' && [400, 406].includes(error.status ?? 0))
        return false;
      if (!turns.renew(error)) throw error;
    }
  }
}

const OTHER_FORM = Symbol('the answer has another form');

async function copyFrom(
  { part, terminal, spinner, how, options }: Work,
  open: (headers: Record<string, string>) => Promise<Response>,
  form: Format,
  guid: string,
): Promise<boolean> {
  const have = { bytes: part?.size() ?? 0, etag: part?.memory.etag };
  const moving = transfer({ open, have, guid: () => guid, signal: options.signal }, (response) => {
    const isError = response.status === 416;
    if (isError || TYPES[form].test(response.headers.get('content-type') ?? '')) return;
    void response.body?.cancel();
    throw OTHER_FORM;
  });
  let count = have.etag === undefined ? 0 : have.bytes;
  let [known, given] = [have.etag, false];
  try {
    for await (const { restart, bytes } of moving.pieces) {
      if (restart && !part && given)
        throw new ConnectionError('The transfer was cut off, and the service has other bytes now.', { guid });
      if (restart) {
        count = 0;
        await part?.cut(0);
      }
      if (part && moving.etag !== known) {
        known = moving.etag;
        await part.remember({ etag: known });
      }
      given = true;
      count += bytes.length;
      if (part) await part.append(bytes);
      else {
        spinner.stop();
        await writeTo(terminal.out, bytes);
      }
      spinner.say(
        `${how.output ?? 'Reading'} ${shownBytes(count)}${moving.total ? ` of ${shownBytes(moving.total)}, ${Math.floor((count / moving.total) * 100)} %` : ''}`,
      );
    }
  } catch (error) {
    if (error === OTHER_FORM) return false;
    throw error;
  }
  if (part && moving.digest !== undefined && (await part.digest()) !== moving.digest) {
    await part.discard();
    throw new Ending(
      EXIT.failed,
      `${how.output} is not what the service has; it was taken away again`,
      'Run the same command again.',
    );
  }
  return true;
}

/** A span in parts. A file of them goes on after the last whole one. */
async function deliverParts(work: Work, { kind, parts }: Parts): Promise<void> {
  const { how, part, options, spinner, terminal } = work;
  async function* each(cursor?: string): AsyncGenerator<{ rows: Row[]; cursor: string }> {
    for await (const one of parts(how.names, options, cursor)) {
      spinner.say(`${one.start} to ${one.end} is there`);
      yield one;
    }
  }
  if (how.form === 'parquet')
    throw new Ending(
      EXIT.failed,
      'a span that goes in parts has no parquet',
      'Take --format csv, ndjson or json, or at most 366 dates at once.',
    );
  if (how.form === 'table') {
    return await table(
      work,
      kind,
      async function* () {
        for await (const { rows } of each()) yield* rows;
      },
      part,
    );
  }
  const writing = writingOf(how.form as TextForm, kind, how.names);
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
  (part: Part): Write =>
  (text) =>
    part.append(Buffer.from(text));

/** Writes to the file, emptied, or to standard output. */
async function fromStart(part: Part | undefined, { out }: Terminal): Promise<Write> {
  if (!part) return (text) => writeTo(out, text);
  await part.cut(0);
  return intoPart(part);
}

async function writeTo(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (text.length > 0 && !stream.write(text)) await once(stream, 'drain');
}
