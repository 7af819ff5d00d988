/** Recognises a full disk, by the errors of Node and SQLite. */

const SQLITE_FULL = 13;

/** Whether the error says that the disk, or the user's quota on it, is full. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as NodeJS.ErrnoException & { errcode?: number };
  return code === 'ENOSPC' || code === 'EDQUOT' || errcode === SQLITE_FULL;
}
