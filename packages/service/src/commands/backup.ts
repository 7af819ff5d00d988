/** `daypart backup` and `daypart restore`. */

import { resolve } from 'node:path';
import { type Effects, UsageError } from '@daypart/cli';
import { shownJson } from '@daypart/client/text';
import type { BackupAnswer } from '../maintenance/backup.ts';
import { restore } from '../maintenance/restore.ts';
import { PLACES } from '../stores.ts';
import { readCommand, readSettings } from './arguments.ts';
import { quotedPath, shownInstant } from './lines.ts';
import { requestTask } from './request-task.ts';

/** What to use instead. */
const ON_SERVERS =
  'Back up servers with their own tools, PostgreSQL first: pg_dump, then BACKUP of ClickHouse, and versions of the bucket (docs/scaling.md)';

/** The settings, flags and the one folder that both commands take. */
function readFolder(args: string[], command: string, what: string, { env }: Effects) {
  const { settings, words, has } = readCommand(command, args);
  const [folder] = words;
  if (folder === undefined || folder === '') throw new UsageError(`${command} needs ${what}`);
  const config = readSettings(settings, { env }, { logLevel: 'warn' });
  if (config.ledger !== undefined) throw new UsageError(`daypart ${command} is for a data folder. ${ON_SERVERS}`);
  // The service may have another working directory, so it gets the absolute path.
  return { config, folder: resolve(folder), asJson: has('json') };
}

const megabytes = (bytes: number): string => `${(bytes / 1e6).toFixed(1)} MB`;

/** Runs `daypart backup TO`. Throws UsageError on misuse, Error when no backup was made. */
export async function backupCommand(args: string[], out: (line: string) => void, effects: Effects): Promise<void> {
  const { config, folder, asJson } = readFolder(args, 'backup', 'the folder that it makes', effects);
  const made = (await requestTask(config, { kind: 'backup', argument: { to: folder } }, effects)) as BackupAnswer;
  if (asJson) {
    out(shownJson(JSON.stringify(made)));
    return;
  }
  out(`Backup     ${made.to}`);
  out(`As of      ${shownInstant(Date.parse(made.createdAt))}`);
  out(`Reports    ${made.reports}`);
  out(`Files      ${made.files}, ${megabytes(made.bytes)}`);
  out('It holds the keys that sign access tokens: keep it as private as the data folder.');
}

/** Runs `daypart restore FROM`. Throws UsageError on misuse, Error when nothing was restored. */
export async function restoreCommand(args: string[], out: (line: string) => void, effects: Effects): Promise<void> {
  const { config, folder, asJson } = readFolder(args, 'restore', 'the folder of a backup', effects);
  const data = resolve(config.data);
  const manifest = await restore(folder, data, PLACES);
  const { createdAt, reports, files, daypart } = manifest;
  const bytes = files.reduce((sum, file) => sum + file.bytes, 0);
  if (asJson) {
    out(shownJson(JSON.stringify({ data, createdAt, daypart, reports, files: files.length, bytes })));
    return;
  }
  out(`Restored   ${data}`);
  out(`As of      ${shownInstant(Date.parse(createdAt))}, by daypart ${daypart}`);
  out(`Reports    ${reports}`);
  out(`Files      ${files.length}, ${megabytes(bytes)}, each as it was written`);
  out(`Start it with: daypart serve --data ${quotedPath(config.data)}`);
}
