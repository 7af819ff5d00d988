/** Standard output and standard error that fail. */
import type { Effects } from './effects.ts';
import { EXIT } from './exit-codes.ts';

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
