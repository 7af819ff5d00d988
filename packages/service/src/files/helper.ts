/** The helper process: handles one file at a time until its parent ends it or exits. */
import { compressFile } from './compress.ts';
import type { FileOrder, FromHelper } from './files.ts';

const send = (message: FromHelper): void => {
  if (process.connected) process.send?.(message);
};

process.on('message', (order: FileOrder) => {
  compressFile(order).then(
    (digest) => send({ kind: 'done', ...digest }),
    ({ message, code }: NodeJS.ErrnoException) => send({ kind: 'failed', message, ...(code ? { code } : {}) }),
  );
});
process.on('disconnect', () => process.exit());
// Ctrl-C in a terminal reaches the whole process group; the parent decides when the helper ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
send({ kind: 'ready' });
