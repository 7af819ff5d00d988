/** `daypart migrate` and `daypart move`: prepare stores on servers, and move a data folder to them. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Effects, UsageError } from '@daypart/cli';
import { shownJson } from '@daypart/client/text';
import { storeAddresses } from '../config/server-settings.ts';
import { openLog } from '../log.ts';
import { readCommand, readSettings } from './arguments.ts';
import { requireLedger } from './ledger.ts';

/**
 * `daypart migrate`: creates or upgrades the tables of stores on servers, before nodes of this version start. Throws
 * UsageError if the stores are in a data folder, Error if a store could not be migrated.
 */
export async function migrateCommand(args: string[], out: (line: string) => void, effects: Effects): Promise<void> {
  const config = readSettings(readCommand('migrate', args).settings, effects, { logLevel: 'warn' });
  const addresses = storeAddresses(config);
  if (!addresses)
    throw new UsageError(
      'daypart migrate is for stores on servers: set DAYPART_LEDGER, DAYPART_FACTS and DAYPART_RESULTS; a data folder is migrated when the service starts',
    );
  const { migrateServers } = await import('../server-stores.ts');
  const scratch = await mkdtemp(join(tmpdir(), 'daypart-migrate-'));
  try {
    const { from, to } = await migrateServers(addresses, scratch, openLog(config.logLevel, effects.stderr));
    out(from === to ? `The ledger has schema ${to} already.` : `The ledger was migrated from schema ${from} to ${to}.`);
    out('The facts have the schema of this version.');
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

const rowCount = (rows: Readonly<Record<string, number>>): number => Object.values(rows).reduce((sum, n) => sum + n, 0);

/**
 * `daypart move`: moves a data folder to stores on servers. Throws UsageError if the servers are not configured, Error
 * if nothing was moved.
 */
export async function moveCommand(args: string[], out: (line: string) => void, effects: Effects): Promise<void> {
  const { settings, has } = readCommand('move', args);
  const config = readSettings(settings, effects, { logLevel: 'warn' });
  const addresses = storeAddresses(config);
  if (!addresses)
    throw new UsageError(
      'daypart move is for moving a data folder to servers: set DAYPART_LEDGER, DAYPART_FACTS and DAYPART_RESULTS, and run daypart migrate first',
    );
  await requireLedger(config.data);
  const { moveFolder } = await import('../move-stores.ts');
  const [dryRun, asJson] = [has('dry-run'), has('json')];
  const onStep = (text: string): void => {
    if (!asJson) out(`${text} …`);
  };
  const summary = await moveFolder(addresses, config, openLog(config.logLevel, effects.stderr), { dryRun, onStep });
  if (asJson) {
    out(shownJson(JSON.stringify({ dryRun, ...summary })));
    return;
  }
  const { ledger, facts, months, reports, files, bytes, lost } = summary;
  out(dryRun ? 'Nothing was moved. These would be:' : 'Moved, with the same totals in each month:');
  out(`Ledger     ${rowCount(ledger)} rows in ${Object.keys(ledger).length} tables`);
  out(`Facts      ${rowCount(facts)} rows in ${Object.keys(facts).length} tables, ${months} months`);
  out(`Reports    ${reports}, ${files} files, ${(bytes / 1e6).toFixed(1)} MB`);
  for (const guid of lost) out(`Lost       report ${guid}: its files are gone or damaged in the folder`);
  out(`${config.data} was opened as by a start of the service, and all of its data are as they were.`);
  if (!dryRun) out('Start nodes with other folders as --data; that one must not be served again.');
}
