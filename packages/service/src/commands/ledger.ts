/** The ledger of a data folder that is there already: a command never makes one unless it is asked to. */
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import type { Ledger } from '../ledger/ledger.ts';
import { openLedgerIn } from '../ledger/sqlite/sqlite.ts';
import { refuseWithoutLedger } from '../maintenance/identity.ts';

/** Throws Error where the folder has no ledger: a wrong `--data` must not become a second, empty service. */
export function requireLedger(data: string, more = ''): void {
  if (!existsSync(join(data, 'ledger.sqlite')))
    throw new Error(`${data} is not a data folder: it has no ledger.sqlite; name one with --data${more}`);
}

/** Opens it. `init` makes the folder and its ledger where there are none. Throws Error, StoresApart where it was lost. */
export async function openLedgerOf(data: string, init?: boolean): Promise<Ledger> {
  await refuseWithoutLedger(data);
  if (!init) requireLedger(data, init === undefined ? '' : ', or make a new one with --init');
  return await openLedgerIn(data);
}
