/** `daypart migrate`: creates or upgrades the tables of stores on servers, before nodes of this version start. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Effects, UsageError } from '@daypart/cli';
import { storeAddresses } from '../config/server-settings.ts';
import { openLog } from '../log.ts';
import { readCommand, readSettings } from './arguments.ts';

/** Runs the command. Throws UsageError if the stores are in a data folder, Error if a store could not be migrated. */
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
    const { from, to } = await migrateServers(addresses, config, scratch, openLog(config.logLevel, effects.stderr));
    out(from === to ? `The ledger has schema ${to} already.` : `The ledger was migrated from schema ${from} to ${to}.`);
    out('The facts have the schema of this version.');
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}
