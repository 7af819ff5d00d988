/** What every command of the terminal is given: its streams, its clock, and a client of the service. */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { Daypart, DeadlineError, type Progress, type WaitOptions } from '../../../client/src/index.ts';
import { UsageError } from '../config.ts';
import type { Given } from './arguments.ts';
import type { Connection } from './profiles.ts';
import { openSpinner, type Spinner } from './progress.ts';
import { type Column, layOut, lineOf } from './table.ts';

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
  /** The report that is under way, for what is said when it is cut off. */
  guid: string | undefined;
  say(line: string): void;
  warn(line: string): void;
  spin(text: string): Spinner;
  /** A plain table, as wide as it is. */
  table(columns: readonly Column[], rows: readonly string[][]): void;
}

export function openTerminal(now: number, signal: AbortSignal): Terminal {
  const { stdin: input, stdout: out, stderr: err } = process;
  const say = (line: string): void => void out.write(`${line}\n`);
  return {
    ...{ input, out, err, now, signal, say },
    guid: undefined,
    zone: Intl.DateTimeFormat().resolvedOptions().timeZone,
    warn: (line) => void err.write(`Warning: ${line}\n`),
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

/** Waits where whoever reads is slower. */
export async function writeTo(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (text.length > 0 && !stream.write(text)) await once(stream, 'drain');
}

/** `patient` says whether calls that fail for a while are tried again and again: some 15 s in all. */
export function openClient(connection: Connection, patient = true): Daypart {
  const { url: baseUrl, token, clientId = '', clientSecret = '', auth } = connection;
  const maxRetries = patient ? undefined : 1;
  return new Daypart(
    token === undefined ? { baseUrl, clientId, clientSecret, auth, maxRetries } : { baseUrl, token, maxRetries },
  );
}

const DEFAULT_SECONDS = 900;
/** The longest that `--timeout` may be: a day. */
const MOST_SECONDS = 86_400;

export interface Bounds {
  signal: AbortSignal;
  /** Ends with the deadline too: for the calls before there is a report to wait for. */
  asking: AbortSignal;
  /** Milliseconds that are left until the deadline; at least 1. */
  leftMs(): number;
}

/** The deadline of a command, from `--timeout`. */
export function readBounds(given: Given, signal: AbortSignal): Bounds {
  const text = given.value('timeout') ?? String(DEFAULT_SECONDS);
  const seconds = Number(text);
  if (!/^\d+(\.\d+)?$/.test(text) || seconds <= 0 || seconds > MOST_SECONDS) {
    throw new UsageError(`--timeout is a number of seconds up to ${MOST_SECONDS}, not ${text}`);
  }
  const endsAt = performance.now() + seconds * 1000;
  const deadline = new AbortController();
  const late = (): void => deadline.abort(new DeadlineError(`There was no answer within ${text} s.`));
  setTimeout(late, seconds * 1000).unref();
  const asking = AbortSignal.any([signal, deadline.signal]);
  return { signal, asking, leftMs: () => Math.max(1, Math.ceil(endsAt - performance.now())) };
}

/** How long a report is waited for before its events are asked for: most are there sooner. */
const EVENTS_AFTER_MS = 700;

/**
 * Options of a wait whose state is shown while it lasts. On a terminal the share that is done comes from the report's events,
 * where the service has them.
 */
export function following(
  client: Daypart,
  terminal: Terminal,
  bounds: Bounds,
  spinner: Spinner,
): WaitOptions & { done: () => void } {
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
  return {
    signal: bounds.signal,
    timeoutMs: bounds.leftMs(),
    onProgress({ state, guid, elapsedMs, attempt }: Progress) {
      if (guid !== null) terminal.guid = guid;
      if (state === 'creating') spinner.say(attempt > 1 ? 'Asking for the report again' : 'Asking for the report');
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
    done: () => watching.abort(),
  };
}
