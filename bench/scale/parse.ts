/**
 * `node bench/scale/parse.ts '{"file":…}'` parses every line of an NDJSON file with JSON.parse and prints lines per
 * second.
 */
import { readFileSync } from 'node:fs';

const { file } = JSON.parse(process.argv[2] ?? '{}') as { file: string };
const bytes = readFileSync(file);

function parse(): number {
  const began = performance.now();
  const lines = bytes.toString('utf8').split('\n');
  let parsed = 0;
  for (const line of lines) if (line !== '' && JSON.parse(line)) parsed++;
  return (parsed / (performance.now() - began)) * 1000;
}

// Once to warm up, as the service is.
parse();
console.log(JSON.stringify(parse()));
