/** Which changes a full disk must not prevent: they take space from the reserve. */
import { join } from 'node:path';
import type { AuditEntry } from '../audit.ts';
import type { Task } from '../task.ts';
import { forgetSums } from './page-sums.ts';
import { ledgerFile } from './place.ts';
import { openReserve, type Reserve, withPieces } from './reserve.ts';
import { type ChangeName, openLedgerIn, type SqliteLedger, withChanges } from './sqlite.ts';

export const reserveFile = (data: string): string => join(data, 'reserve');

/** Methods that free space or take access away, and those that a start requires. */
const RESERVED = new Set<ChangeName>([
  'cancelReport',
  'expireReports',
  'removeWebhook',
  'forgetReports',
  'forgetForms',
  'revokeClient',
  'rotateSecret',
  'rotateKey',
  'endSession',
  'removeConnection',
  'beginRemoval',
  'limitGroup',
  'limitClient',
  'reclaimOrphans',
  'seeTime',
  'failTask',
  'identify',
  'putClient',
]);
/** Entries of the audit log that are added before access is taken away. Others must not use up the reserve. */
const TAKES_AWAY = [
  'client.revoked',
  'client.secret_rotated',
  'client.limited',
  'group.limited',
  'group.removed',
  'connection.removed',
  'session.ended',
];

/** Whether a change may take space from the reserve. */
export function isReserved(name: ChangeName, args: readonly unknown[]): boolean {
  if (name === 'addAudit') return TAKES_AWAY.includes((args[0] as AuditEntry).action);
  if (name === 'addTask') return (args[0] as Pick<Task, 'kind'>).kind === 'remove-group';
  return RESERVED.has(name);
}

/**
 * Opens the ledger of a data folder for a command, like openLedgerIn, whether or not a service runs. On a full disk the
 * opening and such changes use the reserve.
 */
export async function openReservedLedger(data: string): Promise<SqliteLedger> {
  let reserve: Promise<Reserve> | undefined;
  const release = async (): Promise<boolean> => {
    reserve ??= openReserve(reserveFile(data));
    return await (await reserve).release();
  };
  const ledger = await withPieces(release, () => openLedgerIn(data));
  // The last connection that is closed changes the file. A service that runs has them in memory.
  forgetSums(ledgerFile(data));
  const methods = withChanges(ledger, async (name, args) => {
    const make = (): Promise<unknown> => (ledger.methods[name] as (...args: unknown[]) => Promise<unknown>)(...args);
    return await (isReserved(name, args) ? withPieces(release, make) : make());
  });
  return {
    ...ledger,
    ...methods,
    methods,
    async close() {
      forgetSums(ledgerFile(data));
      await ledger.close();
      await (await reserve)?.close();
    },
  };
}
