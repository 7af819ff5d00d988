/** Standard output and standard error that fail. */
import { EXIT } from './exit-codes.ts';

/** Ends the command when its output cannot be written, with a sentence and not with a stack. */
export function watchStreams({ stdout, stderr }: Pick<NodeJS.Process, 'stdout' | 'stderr'> = process): void {
  stdout.on('error', (error: NodeJS.ErrnoException) => {
    // The reader has had enough, as `head` has.
    if (error.code === 'EPIPE') process.exit(EXIT.done);
    stderr.write(`daypart: standard output cannot be written: ${error.message}\n`);
    process.exit(EXIT.failed);
  });
  // A failure to print it does not change the exit code.
  stderr.on('error', () => undefined);
}
