#!/usr/bin/env node
// The command for reports. The package `daypart` has a command of this name too, with these commands and those of the
// service. npm links one of the two: where the other package is installed beside this one, its command runs.
import { existsSync } from 'node:fs';
import module, { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

const here = dirname(fileURLToPath(import.meta.url));

/** The command of the service's package, where it is installed. */
function wholeCommand() {
  try {
    return pathToFileURL(createRequire(import.meta.url).resolve('daypart/bin/daypart.mjs')).href;
  } catch {
    return undefined;
  }
}

const whole = wholeCommand();
if (whole) await import(whole);
else {
  module.enableCompileCache?.(join(here, '..', '..', '..', '.cache', 'daypart'));
  const { runCli } = await import(existsSync(join(here, '../src')) ? '../src/cli.ts' : '../dist/cli.js');
  await runCli(process.argv.slice(2));
}
