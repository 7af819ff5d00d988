#!/usr/bin/env node
// The launcher: plain JavaScript, so that an older Node can still read it and hand over to Node 24.
import { spawn } from 'node:child_process';
import { existsSync } from 'node:fs';
import module from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import v8 from 'node:v8';

const here = dirname(fileURLToPath(import.meta.url));

/** The Node 24 that the checkout installed from the npm registry, if this is a checkout. */
function bundledNode() {
  for (let folder = here; folder !== dirname(folder); folder = dirname(folder)) {
    const candidate = join(folder, 'node_modules', '.bin', 'node');
    if (existsSync(candidate)) return candidate;
  }
  return undefined;
}

if (Number(process.versions.node.split('.')[0]) >= 24) {
  process.removeAllListeners('warning'); // node:sqlite and type stripping announce themselves on every start
  // V8 may conclude from the first requests that objects of a request are long-lived, and then allocates them as such
  // for good: in three of four runs each collection took 8 ms instead of 0.7, and a small retrieval a third more
  // processor time.
  v8.setFlagsFromString('--no-allocation-site-pretenuring');
  // The heap is small, and V8 lets a small one grow by 8 MB between two collections of all of it: one a second while
  // orders are loaded, which held requests up for 4 to 17 ms each. It may double now: 4 instead of 17 in 18 s, and the
  // service has up to 50 MB more.
  v8.setFlagsFromString('--heap-growing-percent=100');
  const cache = join(here, '..', '..', '..', 'node_modules', '.cache', 'daypart');
  module.enableCompileCache?.(cache);
  // The engine and the file helper are processes of their own: they start from the same cache.
  process.env.NODE_COMPILE_CACHE ??= cache;
  // A checkout runs its sources; a package has what was built of them.
  const { main } = await import(existsSync(join(here, '../src')) ? '../src/main.ts' : '../dist/main.js');
  await main(process.argv.slice(2));
} else {
  const node = bundledNode();
  if (!node) {
    console.error(`daypart needs Node 24 or newer; this is ${process.version}.`);
    process.exit(1);
  }
  const child = spawn(node, [fileURLToPath(import.meta.url), ...process.argv.slice(2)], { stdio: 'inherit' });
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(signal, () => child.kill(signal));
  child.on('exit', (code, signal) => process.exit(signal ? 1 : (code ?? 1)));
}
