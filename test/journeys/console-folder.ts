/** A built console of two files, for journeys that need one to be served but not to work. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export const CONSOLE_SCRIPT = 'main-3f2a9c10.js';
const SHELL = `<!doctype html><html lang="en"><title>Daypart</title><script type="module" src="/console/${CONSOLE_SCRIPT}"></script>`;

/** Writes it; answers its folder, for the setting `console`, and what removes it. */
export async function writeConsole(): Promise<{ folder: string; remove(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-console-'));
  await writeFile(join(folder, 'index.html'), SHELL);
  await writeFile(join(folder, CONSOLE_SCRIPT), `export const text = '${'figures '.repeat(200)}';\n`);
  return { folder, remove: () => rm(folder, { recursive: true, force: true }) };
}
