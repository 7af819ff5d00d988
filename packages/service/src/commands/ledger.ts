/**
 * Opens the ledger for a command: that of an existing data folder, which is created only on request, or one on a
 * server.
 */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Config } from '../config/config.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { refuseWithoutLedger } from '../maintenance/identity.ts';
import { RESTORE } from '../storage/folder-fault.ts';
import { openLedger, PLACES } from '../stores.ts';

/** Throws Error if the folder has no ledger, so that a wrong `--data` does not create a second, empty service. */
export async function requireLedger(data: string, more = ''): Promise<void> {
  const { isIn, file } = PLACES.ledger;
  if (await isIn(data)) return;
  if (existsSync(join(data, file))) throw new Error(`the ledger ${join(data, file)} is empty: ${RESTORE}${more}`);
  throw new Error(`${data} is not a data folder: it has no ${file}; name one with --data${more}`);
}

/**
 * Opens the ledger. With `init`, creates the folder and its ledger if missing. Throws Error, StoresApart if the ledger
 * was lost.
 */
export async function openLedgerOf(config: Pick<Config, 'data' | 'ledger'>, init?: boolean): Promise<Ledger> {
  if (config.ledger !== undefined) return await openLedger(config);
  const { data } = config;
  await refuseWithoutLedger(data, PLACES);
  if (!init) await requireLedger(data, init === undefined ? '' : ', or make a new one with --init');
  return await openLedger({ data });
}
