/**
 * How a command ends: exit codes, misuse, and outputs that fail. A file of its own, so that the help does not load the
 * client.
 */
import type { Effects } from './effects.ts';

/** The exit codes; docs/terminal.md and `--help` list them. */
export const EXIT = { done: 0, failed: 1, misused: 2, refused: 3, noReport: 4, notYet: 5, interrupted: 130 } as const;

/** The codes that only the commands for reports have, in words. */
export const MORE_EXITS = '3 credentials refused, 4 no such report, 5 not ready or unreachable, 130 interrupted';

/** The line about them in the help of these commands. */
export const EXIT_NOTE = `Exit codes: 0 done, 1 failed, 2 misused, ${MORE_EXITS}.`;

/** Misuse of the command: reported on standard error, exit code 2. */
export class UsageError extends Error {
  override readonly name = 'UsageError';
}

/**
 * Errors of an output whose reader has had enough, as `head` has: the first, and those of what is written afterwards.
 */
const UNREAD = new Set(['EPIPE', 'ERR_STREAM_DESTROYED']);

/**
 * Ends the command when its output cannot be written, with a sentence and not with a stack. When nobody reads the
 * output any more,
 * `unread` is called; by default the command ends.
 */
export function watchStreams({ stdout, stderr, exit }: Effects, unread: () => void = () => exit(EXIT.done)): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (UNREAD.has(error.code ?? '')) return unread();
    stderr.write(`daypart: standard output cannot be written: ${error.message}\n`);
    exit(EXIT.failed);
  });
  // A failure to print it does not change the exit code.
  stderr.on('error', () => undefined);
}
