/** The helper process: handles the files that its parent sends, until that ends it or exits. */
import { lowerPriority } from '../nice.ts';
import { serveCalls } from '../threads/calls.ts';
import { parentProcess } from '../threads/peers.ts';
import { compressFile } from './compress.ts';
import type { HelperCalls } from './files.ts';
import { writeWorkbook } from './workbook.ts';

// Before the first file, so that the threads that read and write it are started with this priority.
lowerPriority(process.pid);
process.on('disconnect', () => process.exit());
// Ctrl-C in a terminal reaches the whole process group; the parent decides when the helper ends.
process.on('SIGINT', () => undefined);
process.on('SIGTERM', () => undefined);
serveCalls(parentProcess(), {
  handle: compressFile,
  workbook: ({ rows, book }) => writeWorkbook(rows, book.workbook, book.to),
} satisfies HelperCalls);
