/** Explains why a data folder cannot be used, in a sentence for the person who named it. */
import { lstat, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { isDiskFull } from './disk-fault.ts';

const DENIED = ['EACCES', 'EPERM', 'EROFS'];
/**
 * SQLITE_PERM, SQLITE_READONLY and SQLITE_CANTOPEN: what SQLite says of a file or folder that it may not read or write.
 */
const DENIED_BY_SQLITE = [3, 8, 14];

/** What to do about a damaged file of a data folder. */
export const RESTORE = 'restore a backup into a new folder (daypart restore FROM --data NEW)';

/** The error of an engine that cannot read its file. */
export const damaged = (file: string, cause: Error): Error =>
  new Error(`${file} is damaged (${cause.message}): ${RESTORE}`, { cause });

/** Whether the error says that the process may not read or write a file or folder. */
function isDenied(error: unknown): boolean {
  const { code = '', errcode = 0 } = error as NodeJS.ErrnoException & { errcode?: number };
  return DENIED.includes(code) || DENIED_BY_SQLITE.includes(errcode & 0xff);
}

/** Who owns the folder, if that is another user. Numbers: a user of a container has no name. */
async function ownerOf(folder: string): Promise<string> {
  const owner = await stat(folder).then(
    ({ uid }) => uid,
    () => undefined,
  );
  const own = process.geteuid?.();
  if (owner === undefined || owner === own) return '';
  return `; it belongs to the user with id ${owner}, and this command runs as the user with id ${own}`;
}

/**
 * The error as a sentence that names the folder, if the disk is full or the folder may not be read or written; any
 * other error is returned unchanged. Without `tried`, a folder that can be read counts as one that cannot be written.
 */
export async function explainFault(error: unknown, data: string, tried?: 'read' | 'written'): Promise<Error> {
  const { message } = error as Error;
  const failure = (text: string): Error => new Error(text, { cause: error });
  if (isDiskFull(error))
    return failure(`the disk with the data folder ${data} is full: make space on it, then run the command again`);
  if (!isDenied(error)) return error as Error;
  const verb = tried ?? ((await canRead(data)) ? 'written' : 'read');
  return failure(`the data folder ${data} cannot be ${verb}: ${message}${await ownerOf(data)}`);
}

/** Whether the process may list the folder and open what is in it. */
async function canRead(folder: string): Promise<boolean> {
  try {
    await readdir(folder);
    await stat(join(folder, '.'));
    return true;
  } catch {
    return false;
  }
}

/**
 * Throws Error with a sentence if there is something else than a folder at the path, so that no folder can be made
 * there either. A missing one is not refused.
 */
export async function refuseNoFolder(path: string): Promise<void> {
  const failure = (what: string): Error => new Error(`${path} ${what}; name another folder with --data`);
  try {
    if (!(await stat(path)).isDirectory()) throw failure('is not a folder');
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException;
    if (code === 'ENOTDIR') throw failure('cannot be a folder: a part of its path is a file');
    if (code === 'ELOOP') throw failure('is not a folder but a link that leads to itself');
    if (code !== 'ENOENT') throw error;
    const isLink = await lstat(path).then(
      () => true,
      () => false,
    );
    if (isLink) throw failure('is a link to a folder that does not exist');
  }
}

/**
 * Bytes of a file in the data folder, undefined if there is none. Throws Error with a sentence if the folder may not be
 * read, or is not a folder.
 */
export async function bytesIn(data: string, file: string): Promise<number | undefined> {
  try {
    return (await stat(join(data, file))).size;
  } catch (error) {
    if (isMissing(error)) {
      await refuseNoFolder(data);
      return undefined;
    }
    throw await explainFault(error, data, 'read');
  }
}

/**
 * The names in a folder of the data folder; none if it does not exist. Throws Error with a sentence if it may not be
 * read.
 */
export async function namesIn(data: string, folder: string): Promise<string[]> {
  try {
    return await readdir(join(data, folder));
  } catch (error) {
    if (isMissing(error)) return [];
    throw await explainFault(error, data, 'read');
  }
}

function isMissing(error: unknown): boolean {
  const { code } = error as NodeJS.ErrnoException;
  return code === 'ENOENT' || code === 'ENOTDIR' || code === 'ELOOP';
}

/** Does the work; throws what explainFault makes of an error. */
export async function explaining<T>(data: string, work: () => Promise<T>): Promise<T> {
  try {
    return await work();
  } catch (error) {
    throw await explainFault(error, data);
  }
}
