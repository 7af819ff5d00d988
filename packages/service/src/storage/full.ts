/** Recognises a full disk, by the errors of Node, SQLite and the reporting engine. */

const SQLITE_FULL = 13;
/** The file that the connections to a ledger share, which SQLite writes when it opens the ledger, could not grow. */
const SQLITE_IOERR_SHMSIZE = 4874;

/** Whether the error says that the disk, or the user's quota on it, is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode, full } = error as NodeJS.ErrnoException & { errcode?: number; full?: boolean };
  if (full) return true;
  return code === 'ENOSPC' || code === 'EDQUOT' || errcode === SQLITE_FULL || errcode === SQLITE_IOERR_SHMSIZE;
}
