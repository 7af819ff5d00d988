/**
 * What every command gets: its streams, its clock, the families that it knows, and what it says to people; and how it
 * writes what is not its own, such as names of the data, safely for a terminal.
 */
import { once } from 'node:events';
import type { Writable } from 'node:stream';
import { shownLines } from '@daypart/client/text';
import type { Effects, Environment, Input, Output } from './effects.ts';
import { openSpinner, type Spinner } from './progress.ts';
import { layOut, type TableColumn, tableLine } from './table.ts';
import type { TableEntry } from './tables/table.ts';
import type { Trouble } from './trouble.ts';

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
  /**
   * Called at each refusal by a rate limit, with the milliseconds until calls are accepted again, if the service says
   * so.
   */
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
  table(columns: readonly TableColumn[], rows: readonly string[][]): void;
}

/** What one command uses. `signal` is aborted by Ctrl-C; `tables` are the families that it knows. */
export function openTerminal(effects: Effects, signal: AbortSignal, tables: readonly TableEntry[]): Terminal {
  const { env, stdin: input, stdout: out, stderr: err } = effects;
  const say = (line: string): void => void out.write(`${out.isTTY ? shownLines(line) : line}\n`);
  return {
    env,
    input,
    out,
    err,
    now: effects.now(),
    zone: effects.zone(),
    signal,
    tables,
    say,
    guid: undefined,
    again: undefined,
    limited: undefined,
    incomplete: new Map(),
    base: undefined,
    trouble: undefined,
    warn: (line) => void err.write(`Warning: ${shownLines(line)}\n`),
    spin: (text) => openSpinner(text, err, env),
    table(columns, rows) {
      const layout = layOut(columns, rows, Infinity);
      say(
        tableLine(
          columns,
          layout,
          columns.map(({ heading }) => heading),
        ),
      );
      for (const row of rows) say(tableLine(columns, layout, row));
    },
  };
}

/** Waits while the reader is slower. */
export async function writeTo(stream: Writable, text: string | Uint8Array): Promise<void> {
  if (text.length > 0 && !stream.write(text)) await once(stream, 'drain');
}

/**
 * Makes text or bytes of a report, piece by piece, safe for a terminal; to a file or a pipe they are written unchanged.
 * CRLF becomes LF, because a carriage return alone would let a line be overwritten.
 */
export function plainPieces({ isTTY }: { isTTY?: boolean }): (piece: string | Uint8Array) => string | Uint8Array {
  if (!isTTY) return (piece) => piece;
  const decoder = new TextDecoder();
  return (piece) => {
    const text = typeof piece === 'string' ? piece : decoder.decode(piece, { stream: true });
    return shownLines(text.replaceAll('\r', ''));
  };
}
