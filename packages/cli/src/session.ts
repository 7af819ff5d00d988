/** What every command of the terminal is given: its streams, its clock, and a client of the service. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { Daypart, DeadlineError, type Progress, retryAfterOf, type WaitOptions } from '@daypart/client';
import type { ParsedArguments } from './arguments.ts';
import { shownLines } from './plain.ts';
import type { Connection } from './profiles.ts';
import { openSpinner, type Spinner } from './progress.ts';
import { type Column, layOut, lineOf } from './table.ts';
import type { TableEntry } from './tables/table.ts';
import { UsageError } from './usage-error.ts';

export interface Terminal {
  input: NodeJS.ReadStream;
  out: NodeJS.WriteStream;
  err: NodeJS.WriteStream;
  /** Milliseconds. */
  now: number;
  /** The time zone of the machine. */
  zone: string;
  /** Ends with Ctrl-C. */
  signal: AbortSignal;
  /** The tables of the report families. */
  tables: readonly TableEntry[];
  /** The report that is under way, for what is said when it is cut off. */
  guid: string | undefined;
  /** How an interrupted download resumes, if not by one GUID. */
  again: string | undefined;
  /** Called at each refusal for a limit, with the milliseconds until calls are accepted again, if the service says so. */
  limited: ((waitMs: number | undefined) => void) | undefined;
  /** The reports that were read and said to be incomplete: how many restaurants and dates, by their GUIDs. */
  incomplete: Map<string, number>;
  say(line: string): void;
  warn(line: string): void;
  spin(text: string): Spinner;
  /** A plain table, as wide as it is. */
  table(columns: readonly Column[], rows: readonly string[][]): void;
}

export function openTerminal(now: number, signal: AbortSignal, tables: readonly TableEntry[]): Terminal {
  const { stdin: input, stdout: out, stderr: err } = process;
  const say = (line: string): void => void out.write(`${out.isTTY ? shownLines(line) : line}\n`);
  return {
    ...{ input, out, err, now, signal, tables, say },
    ...{ guid: undefined, again: undefined, limited: undefined, incomplete: new Map() },
    zone: zoneOfMachine(),
    warn: (line) => void err.write(`Warning: ${shownLines(line)}\n`),
    spin: (text) => openSpinner(text, err),
    table(columns, rows) {
      const layout = layOut(columns, rows, Infinity);
      say(
        lineOf(
          columns,
          layout,
          columns.map(({ heading }) => heading),
        ),
      );
      for (const row of rows) say(lineOf(columns, layout, row));
    },
  };
}

/** UTC where the machine has none, or one that nobody knows. */
function zoneOfMachine(): string {
  try {
    const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
    return zone ? new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone : 'UTC';
  } catch {
    return 'UTC';
  }
}

/** Waits while the reader is slower. */
export async function writeTo(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (text.length > 0 && !stream.write(text)) await once(stream, 'drain');
}

/** Who is notified of the answers of the service. */
type Watched = { limited: Terminal['limited']; incomplete?: Terminal['incomplete'] };

/** `patient` says whether calls that fail for a while are tried again and again: some 15 s in all. */
export function openClient(connection: Connection, terminal: Watched, patient = true): Daypart {
  const { url: baseUrl, token, clientId = '', clientSecret = '', auth } = connection;
  const common = { baseUrl, maxRetries: patient ? undefined : 1, fetch: watchedFetch(terminal) };
  return new Daypart(token === undefined ? { ...common, clientId, clientSecret, auth } : { ...common, token });
}

/** The platform's fetch. The client waits for limits silently: here people learn of it. */
const watchedFetch =
  (terminal: Watched): typeof fetch =>
  async (...call) => {
    const response = await fetch(...call);
    if (response.status === 429) terminal.limited?.(retryAfterOf(response.headers) ?? undefined);
    const incomplete = Number(response.headers.get('x-report-incomplete') ?? 0);
    const guid = /[0-9a-f-]{36}(?=$|\?)/.exec(String(call[0] instanceof Request ? call[0].url : call[0]));
    if (incomplete > 0 && guid) terminal.incomplete?.set(guid[0], incomplete);
    return response;
  };

const DEFAULT_SECONDS = 900;
/** The longest that `--timeout` may be: a day. */
const MOST_SECONDS = 86_400;

export interface Bounds {
  /** Ends with Ctrl-C, and when nothing has come for as long as `--timeout` says. */
  signal: AbortSignal;
  ms: number;
  /** Something came: until `wait`, the time is the reader's. */
  rest(): void;
  /** From now on it is waited for again, as long as at first. */
  wait(): void;
}

/** The longest time without an answer, a byte or a row, from `--timeout`. */
export function readBounds(given: ParsedArguments, interrupted: AbortSignal): Bounds {
  const text = given.value('timeout') ?? String(DEFAULT_SECONDS);
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds <= 0 || seconds > MOST_SECONDS) {
    throw new UsageError(`--timeout is a number of seconds up to ${MOST_SECONDS}, not ${text}`);
  }
  const ms = seconds * 1000;
  const deadline = new AbortController();
  let came = false;
  const late = (): void =>
    deadline.abort(
      new DeadlineError(came ? `No data arrived for ${text} s.` : `There was no answer within ${text} s.`),
    );
  let resting = false;
  // Called for every row: a timer of its own for each would be most of what a row costs.
  const timer = setTimeout(() => !resting && late(), ms).unref();
  return {
    ...{ signal: AbortSignal.any([interrupted, deadline.signal]), ms },
    rest() {
      came = true;
      resting = true;
    },
    wait() {
      resting = false;
      timer.refresh();
    },
  };
}

/** The same, and the time that it is waited for counts, not what is done with it. */
export async function* attend<Item>(items: AsyncIterable<Item>, bounds: Bounds): AsyncGenerator<Item> {
  for await (const item of items) {
    bounds.rest();
    yield item;
    bounds.wait();
  }
  bounds.rest();
}

/** How long a report is waited for before its events are asked for: most are there sooner. */
const EVENTS_AFTER_MS = 700;
/** Waits for a limit that are too short for a line, and how long after the refusal a line is written. */
const [SHORT_MS, ANNOUNCE_AFTER_MS] = [3000, 250];

/**
 * Options of a wait whose state is shown while it lasts. On a terminal the share that is done comes from the report's events,
 * where the service has them.
 */
export function following(
  client: Daypart,
  terminal: Terminal,
  bounds: Bounds,
  spinner: Spinner,
): WaitOptions & { signal: AbortSignal; done: () => void } {
  let watched: string | undefined;
  const watching = new AbortController();
  async function watch(guid: string): Promise<void> {
    const signal = AbortSignal.any([watching.signal, bounds.signal]);
    try {
      for await (const { event, progress } of client.reports.events(guid, { signal })) {
        if (signal.aborted || watched !== guid) return;
        if (typeof progress === 'number')
          spinner.say(`${event === 'queued' ? 'Queued' : `Gathering ${Math.round(progress * 100)} %`}`);
      }
    } catch {
      // Without them the line says less.
    }
  }
  let announcing: NodeJS.Timeout | undefined;
  function limited(waitMs: number | undefined): void {
    if (waitMs !== undefined && waitMs < SHORT_MS) return;
    const seconds = waitMs === undefined ? 'a while' : `${Math.ceil(waitMs / 1000)} s`;
    const longer =
      waitMs !== undefined && waitMs > bounds.ms ? `, longer than the --timeout of ${bounds.ms / 1000} s` : '';
    clearTimeout(announcing);
    // Where it is not waited for the command has ended by then, with what it says itself.
    const announce = (): void => spinner.announce(`Rate limit reached; waiting ${seconds}${longer}`);
    announcing = setTimeout(announce, ANNOUNCE_AFTER_MS).unref();
  }
  terminal.limited = limited;
  return {
    signal: bounds.signal,
    timeoutMs: bounds.ms,
    onProgress({ state, guid, elapsedMs, attempt, nextMs }: Progress) {
      if (guid !== null) terminal.guid = guid;
      if (state === 'creating' && nextMs) limited(nextMs);
      else if (state === 'creating') spinner.say(attempt > 1 ? 'Asking for the report again' : 'Asking for the report');
      if (state === 'reading') spinner.say('Reading');
      if (state !== 'waiting' || guid === null || watched === guid) return;
      spinner.say('Waiting for the report');
      watched = guid;
      if (terminal.err.isTTY)
        setTimeout(
          () => watched === guid && !watching.signal.aborted && void watch(guid),
          Math.max(0, EVENTS_AFTER_MS - elapsedMs),
        ).unref();
    },
    done() {
      watching.abort();
      clearTimeout(announcing);
      terminal.limited = undefined;
    },
  };
}
