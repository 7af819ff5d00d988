/** The ledger of a command: of an existing data folder, which is created only on request, or on a server. */
import type { Config } from '../config.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { refuseWithoutLedger } from '../maintenance/identity.ts';
import { openLedger, PLACES } from '../stores.ts';

/** Throws Error where the folder has no ledger: a wrong `--data` must not become a second, empty service. */
export async function requireLedger(data: string, more = ''): Promise<void> {
  if (!(await PLACES.ledger.isIn(data)))
    throw new Error(`${data} is not a data folder: it has no ${PLACES.ledger.file}; name one with --data${more}`);
}

/** Opens it. `init` makes the folder and its ledger where there are none. Throws Error, StoresApart where it was lost. */
export async function openLedgerOf(config: Pick<Config, 'data' | 'ledger'>, init?: boolean): Promise<Ledger> {
  if (config.ledger !== undefined) return await openLedger(config);
  const { data } = config;
  await refuseWithoutLedger(data, PLACES);
  if (!init) await requireLedger(data, init === undefined ? '' : ', or make a new one with --init');
  return await openLedger({ data });
}
