/** The ledger of a service, for what every ledger must do. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';
import { openReserve } from '../../packages/service/src/ledger/sqlite/reserve.ts';
import { openThreadedLedger } from '../../packages/service/src/ledger/sqlite/thread.ts';

/** Opens an empty ledger that is written in a thread of its own, in a folder which goes with it. */
export async function openThreaded(): Promise<{ ledger: Ledger; close(): Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-ledger-'));
  const reserve = await openReserve(join(folder, 'reserve'));
  const ledger = await openThreadedLedger(folder, reserve);
  const close = async (): Promise<void> => {
    await ledger.close();
    await reserve.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { ledger, close };
}
