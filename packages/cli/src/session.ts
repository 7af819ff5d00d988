/** What every command gets: its streams, its clock, and a client of the service. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { Daypart, DeadlineError, type Progress, retryAfterOf, type WaitOptions } from '@daypart/client';
import { shownLines } from '@daypart/client/text';
import type { ParsedArguments } from './arguments.ts';
import type { Effects, Environment, Input, Output } from './effects.ts';
import type { Connection } from './profiles.ts';
import { openSpinner, type Spinner } from './progress.ts';
import { type Column, layOut, lineOf } from './table.ts';
import type { TableEntry } from './tables/table.ts';
import { refusedFor, type Trouble, unreached } from './trouble.ts';
import { UsageError } from './usage-error.ts';

export interface Terminal {
  env: Environment;
  input: Input;
  out: Output;
  err: Output;
  /** Milliseconds. */
  now: number;
  /** The time zone of the machine. */
  zone: string;
  /** Aborted by Ctrl-C. */
  signal: AbortSignal;
  /** The tables of the report families. */
  tables: readonly TableEntry[];
  /** The report in progress, for the message after an interruption. */
  guid: string | undefined;
  /** How an interrupted download resumes, unless by one GUID. */
  again: string | undefined;
  /** Called at each refusal by a rate limit, with the milliseconds until calls are accepted again, if the service says so. */
  limited: ((waitMs: number | undefined) => void) | undefined;
  /** The incomplete reports that were read: how many restaurants and dates, by GUID. */
  incomplete: Map<string, number>;
  /** The base URL of the service, once there is a client of it. */
  base: string | undefined;
  /** What the last call came to, if it failed in a way that is retried. */
  trouble: Trouble | undefined;
  say(line: string): void;
  warn(line: string): void;
  spin(text: string): Spinner;
  /** A plain table, as wide as its content. */
  table(columns: readonly Column[], rows: readonly string[][]): void;
}

/** What one command uses. `signal` is aborted by Ctrl-C; `tables` are the families that it knows. */
export function openTerminal(effects: Effects, signal: AbortSignal, tables: readonly TableEntry[]): Terminal {
  const { env, stdin: input, stdout: out, stderr: err } = effects;
  const say = (line: string): void => void out.write(`${out.isTTY ? shownLines(line) : line}\n`);
  return {
    ...{ env, input, out, err, now: effects.now(), zone: effects.zone(), signal, tables, say },
    ...{
      guid: undefined,
      again: undefined,
      limited: undefined,
      incomplete: new Map(),
      base: undefined,
      trouble: undefined,
    },
    warn: (line) => void err.write(`Warning: ${shownLines(line)}\n`),
    spin: (text) => openSpinner(text, err, env),
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

/** Waits while the reader is slower. */
export async function writeTo(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (text.length > 0 && !stream.write(text)) await once(stream, 'drain');
}

/** Callbacks for the answers of the service, and what is kept of them. */
type Watched = Pick<Terminal, 'limited'> & Partial<Pick<Terminal, 'incomplete' | 'base' | 'trouble'>>;

/** `patient`: failing calls are retried for some 15 s. */
export function openClient(connection: Connection, terminal: Watched, patient = true): Daypart {
  const { url: baseUrl, token, clientId = '', clientSecret = '', auth } = connection;
  terminal.base = baseUrl;
  const common = { baseUrl, maxRetries: patient ? undefined : 1, fetch: watchedFetch(terminal) };
  return new Daypart(token === undefined ? { ...common, clientId, clientSecret, auth } : { ...common, token });
}

/** The platform's fetch. The client waits for rate limits and retries silently; this informs people. */
const watchedFetch =
  (terminal: Watched): typeof fetch =>
  async (...call) => {
    const [to, init] = call;
    const url = String(to instanceof Request ? to.url : to);
    const response = await fetch(...call).catch((error) => {
      // A call that ends with the deadline says nothing about the service.
      if (!init?.signal?.aborted) terminal.trouble = unreached(url, error);
      throw error;
    });
    terminal.trouble = refusedFor(url, response.status);
    if (response.status === 429) terminal.limited?.(retryAfterOf(response.headers) ?? undefined);
    const incomplete = Number(response.headers.get('x-report-incomplete') ?? 0);
    const guid = /[0-9a-f-]{36}(?=$|\?)/.exec(url);
    if (incomplete > 0 && guid) terminal.incomplete?.set(guid[0], incomplete);
    return response;
  };

const DEFAULT_SECONDS = 900;
/** The largest `--timeout`: a day. */
const MOST_SECONDS = 86_400;

export interface Bounds {
  /** Aborted by Ctrl-C, and when nothing has arrived for as long as `--timeout` says. */
  signal: AbortSignal;
  ms: number;
  /** Call when something arrived: until `wait`, time does not count, because the reader is slow. */
  rest(): void;
  /** From now on time counts again, from the start. */
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
  // Called for every row: a new timer for each would be most of the cost of a row.
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

/** The same, but only the time spent waiting counts, not the time spent on the result. */
export async function* attend<Item>(items: AsyncIterable<Item>, bounds: Bounds): AsyncGenerator<Item> {
  for await (const item of items) {
    bounds.rest();
    yield item;
    bounds.wait();
  }
  bounds.rest();
}

/** How long a report is waited for before its events are requested: most are ready sooner. */
const EVENTS_AFTER_MS = 700;
/** The shortest wait for a rate limit that gets a line, and how long after the refusal the line is written. */
const [SHORT_MS, ANNOUNCE_AFTER_MS] = [3000, 250];

/**
 * Options of a wait whose state is shown while it lasts. On a terminal the progress comes from the report's events,
 * if the service has them.
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
      // Without events the line has no percentage.
    }
  }
  let announcing: NodeJS.Timeout | undefined;
  function limited(waitMs: number | undefined): void {
    if (waitMs !== undefined && waitMs < SHORT_MS) return;
    const seconds = waitMs === undefined ? 'a while' : `${Math.ceil(waitMs / 1000)} s`;
    const longer =
      waitMs !== undefined && waitMs > bounds.ms ? `, longer than the --timeout of ${bounds.ms / 1000} s` : '';
    clearTimeout(announcing);
    // If the command does not wait, it has ended by then, with its own message.
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
      else if (state === 'creating') spinner.say(attempt > 1 ? 'Requesting the report again' : 'Requesting the report');
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
