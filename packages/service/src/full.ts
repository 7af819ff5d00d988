/** What a full disk looks like, to Node and to SQLite. */

const SQLITE_FULL = 13;

/** Whether the error says that there is no room left on the disk, or in the user's share of it. */
export function isDiskFull(error: unknown): boolean {
  if (!(error instanceof Error)) return false;
  const { code, errcode } = error as NodeJS.ErrnoException & { errcode?: number };
  return code === 'ENOSPC' || code === 'EDQUOT' || errcode === SQLITE_FULL;
}
