/** `daypart import`: loads the nightly export folders of a restaurant. */
import { readFile } from 'node:fs/promises';
import { type Effects, UsageError } from '@daypart/cli';
import { FolderProblem, findDays } from '../import/day-folder.ts';
import { readMapping } from '../import/mapping.ts';
import { readCommand, readSettings } from './arguments.ts';
import type { RenamedColumns } from './import-found.ts';

/**
 * Runs `daypart import FOLDER --restaurant NAME`; `args` are those after `import`. Throws UsageError on misuse; after
 * printing the report, Error if anything was not read.
 */
export async function importCommand(args: string[], out: (line: string) => void, effects: Effects): Promise<void> {
  const parsed = readCommand('import', args);
  const { settings, value } = parsed;
  const [folder] = parsed.words;
  if (folder === undefined) throw new UsageError('import needs a folder: a day of the export, or a tree of days');
  const restaurant = value('restaurant');
  if (restaurant === undefined) throw new UsageError('import needs --restaurant, a name or a GUID');
  if (parsed.has('upload')) effects.stderr.write('Warning: --upload is deprecated and has no effect\n');
  const config = readSettings(settings, effects, { logLevel: 'warn' });
  const path = value('columns');
  const columns = path === undefined ? undefined : await readColumns(path);
  const found = await findDays(folder).catch((error: Error) => {
    throw error instanceof FolderProblem ? new UsageError(error.message) : error;
  });
  // The stores and the client take a second to load, which a misuse does not wait for.
  const { importFound } = await import('./import-found.ts');
  await importFound(found, { parsed, config, restaurant, columns }, out, effects);
}

async function readColumns(path: string): Promise<RenamedColumns> {
  try {
    const text = await readFile(path, 'utf8');
    return { text, mapping: readMapping(text) };
  } catch (error) {
    throw new UsageError(`--columns ${path}: ${(error as Error).message}`);
  }
}
