/** `daypart export-group` and `daypart groups remove`: tasks, with or without a running service. */
import { resolve } from 'node:path';
import { type Effects, UsageError } from '@daypart/cli';
import { shownJson } from '@daypart/client/text';
import type { ExportAnswer } from '../maintenance/export-group.ts';
import type { RemovalAnswer } from '../maintenance/remove-group.ts';
import { readCommand, readSettings } from './arguments.ts';
import { openLedgerOf } from './ledger.ts';
import { requestTask } from './request-task.ts';

/** Runs `daypart export-group GROUP --output FOLDER`. Throws UsageError on misuse, Error when nothing was exported. */
export async function exportGroupCommand(args: string[], out: (line: string) => void, effects: Effects): Promise<void> {
  const { settings, words, value, has } = readCommand('export-group', args);
  const [group] = words;
  const folder = value('output');
  if (!group) throw new UsageError('export-group needs the management group');
  if (!folder) throw new UsageError('export-group needs --output, the folder that it makes');
  const config = readSettings(settings, effects, { logLevel: 'warn' });
  // The service may have another working directory, so it gets the absolute path.
  const argument = { group, to: resolve(folder) };
  const made = (await requestTask(config, { kind: 'export-group', argument }, effects)) as ExportAnswer;
  if (has('json')) return out(shownJson(JSON.stringify(made)));
  out(`Exported   ${made.group}`);
  out(`To         ${made.to}`);
  out(
    `Files      ${made.files.length}, of ${made.restaurants} ${made.restaurants === 1 ? 'restaurant' : 'restaurants'}`,
  );
}

/** Runs `daypart groups remove GROUP --confirm NAME`. Throws UsageError on misuse, Error when it was not removed. */
export async function removeGroupCommand(args: string[], out: (line: string) => void, effects: Effects): Promise<void> {
  const { settings, words, value, has } = readCommand('groups', args);
  const [group] = words;
  if (!group) throw new UsageError('groups remove needs the management group');
  const config = readSettings(settings, effects, { logLevel: 'warn' });
  const ledger = await openLedgerOf(config);
  try {
    const known = await ledger.group(group);
    if (!known && !(await ledger.removals()).includes(group)) throw new Error(`there is no management group ${group}`);
    if (known && value('confirm') !== known.name)
      throw new UsageError(
        `groups remove needs --confirm with the name of the group, ${known.name}: all of its data is removed`,
      );
  } finally {
    await ledger.close();
  }
  const made = (await requestTask(config, { kind: 'remove-group', argument: { group } }, effects)) as RemovalAnswer;
  if (has('json')) out(shownJson(JSON.stringify(made)));
  else
    out(
      `Removed ${made.group}: ${made.restaurants} restaurants, ${made.reports} reports. Earlier backups still have it.`,
    );
}
