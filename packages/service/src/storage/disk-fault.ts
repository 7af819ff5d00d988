/**
 * Recognises a disk that is full or fails, and a process that has opened all its files, by the errors of Node, SQLite
 * and the reporting engine.
 */

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

/** Read-only, denied, or broken. */
const FAILING = ['EROFS', 'EIO', 'EACCES', 'EPERM', 'ESTALE'];
/** SQLITE_PERM, SQLITE_READONLY, SQLITE_IOERR, SQLITE_CORRUPT, SQLITE_CANTOPEN and SQLITE_NOTADB. */
const FAILING_IN_SQLITE = [3, 8, 10, 11, 14, 26];
/** What the engine says of it; its errors have no codes. */
const FAILING_IN_ENGINE =
  /Read-only file system|Input\/output error|Permission denied|Operation not permitted|checksum|corrupt/i;

/** Whether the error says that the disk is read-only, refuses access, reports errors, or has a damaged file. */
export function isDiskFailing(error: unknown): boolean {
  if (!(error instanceof Error) || isDiskFull(error)) return false;
  const {
    code = '',
    errcode = 0,
    fromEngine,
  } = error as NodeJS.ErrnoException & {
    errcode?: number;
    fromEngine?: boolean;
  };
  if (fromEngine) return FAILING_IN_ENGINE.test(error.message);
  // The lower byte of an extended code is the primary one.
  return FAILING.includes(code) || FAILING_IN_SQLITE.includes(errcode & 0xff);
}

/** Whether the error says that the process, or the system, has opened as many files as it may. */
export function isOutOfFiles(error: unknown): boolean {
  const { code = '' } = Object(error) as NodeJS.ErrnoException;
  return code === 'EMFILE' || code === 'ENFILE';
}
