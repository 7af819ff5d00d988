/**
 * What a command uses of the process that runs it, as a value: several commands can then run in one process, side by
 * side.
 */
import type { Writable } from 'node:stream';

/** Environment variables by name. */
export type Environment = Record<string, string | undefined>;
/** Standard input; a terminal can be typed on. */
export type Input = NodeJS.ReadableStream & { isTTY?: boolean; unref?(): unknown };
/** Standard output or standard error; of a terminal `columns` is the width. */
export type Output = Writable & { isTTY?: boolean; columns?: number };

export interface Effects {
  env: Environment;
  stdin: Input;
  stdout: Output;
  stderr: Output;
  /** The current instant, in milliseconds UTC. */
  now(): number;
  /** The time zone of the machine; UTC if it has none, or an unknown one. */
  zone(): string;
  /** Calls the listener at every such signal, until the returned function is called. */
  onSignal(signal: 'SIGINT' | 'SIGTERM', listener: () => void): () => void;
  /** Sets the exit code of a command that has ended; what is still open may be finished. */
  end(code: number): void;
  /**
   * Ends the command with this exit code immediately, whatever is still open. Code after a call must do nothing more.
   */
  exit(code: number): void;
}

/** Those of this process. Its streams are opened when they are used. */
export const PROCESS: Effects = {
  get env() {
    return process.env;
  },
  get stdin() {
    return process.stdin;
  },
  get stdout() {
    return process.stdout;
  },
  get stderr() {
    return process.stderr;
  },
  now: Date.now,
  zone() {
    try {
      const zone = Intl.DateTimeFormat().resolvedOptions().timeZone;
      return zone ? new Intl.DateTimeFormat('en', { timeZone: zone }).resolvedOptions().timeZone : 'UTC';
    } catch {
      return 'UTC';
    }
  },
  onSignal(signal, listener) {
    process.on(signal, listener);
    return () => void process.off(signal, listener);
  },
  end(code) {
    process.exitCode = code;
  },
  exit: (code) => process.exit(code),
};
