/**
 * `node bench/read-orders.ts '{"file":…,"spoolFolder":…}'` reads a body of orders as a load does, merges nothing, and
 * prints the milliseconds.
 */
import { createReadStream } from 'node:fs';
import { readBody } from '../packages/service/src/ingest/read.ts';
import { removeSpool } from '../packages/service/src/ingest/spool.ts';
import { TEMPLATE } from './folders.ts';

const { file, spoolFolder } = JSON.parse(process.argv[2] ?? '{}') as { file: string; spoolFolder: string };
const { timeZone, closeoutHour } = TEMPLATE;

async function read(): Promise<number> {
  const began = performance.now();
  const place = { timeZone, closeoutHour, overtimeMultiplier: 1.5 };
  const { spool } = await readBody({ kind: 'orders', format: 'ndjson', place, spoolFolder }, createReadStream(file));
  const took = performance.now() - began;
  await removeSpool(spool);
  return took;
}

// Once to warm up, as the service is.
await read();
console.log(JSON.stringify(await read()));
