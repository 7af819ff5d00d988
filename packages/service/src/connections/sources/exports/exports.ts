/**
 * Nightly exports over SFTP: `<location number>/<yyyymmdd>/<files>`, one folder for each restaurant, kept for seven
 * days. The files are those of docs/import.md.
 */
import { open } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceError } from '@daypart/client/source';
import { readBusinessDate } from '../../../contract/dates.ts';
import { isExportFile } from '../../../import/day-folder.ts';
import type { FolderSource, ListedDay } from '../../folder-source.ts';
import { SFTP_LIMITS, type SftpLimits, type SftpSession, withSftp } from './sftp.ts';
import { type DirectoryEntry, loadSsh2 } from './ssh2.ts';

const PORT = 22;
/** Names of folders that are asked for as they are: the path stays below the folder of the user. */
const FOLDER = /^[\p{L}\p{N}][\p{L}\p{N} ._-]{0,99}$/u;
const DAY = /^\d{8}$/;
const MOST_FOLDERS = 2000;
/** Of a restaurant, the latest. The point of sale keeps seven. */
const MOST_DAYS = 40;

/** The kinds of entries (POSIX, st_mode). */
const TYPE_OF_FILE = 0o170000;
const FOLDER_KIND = 0o040000;
const FILE_KIND = 0o100000;

/** Whether an entry is of a kind; a server need not say. Links are neither. */
const isOfKind = ({ attrs: { mode } }: DirectoryEntry, kind: number): boolean =>
  mode === undefined || (mode & TYPE_OF_FILE) === kind || (mode & TYPE_OF_FILE) === 0;

async function listDay(session: SftpSession, folder: string, name: string): Promise<ListedDay> {
  const entries = await session.list(`./${folder}/${name}`);
  const files = entries
    .filter((entry) => isOfKind(entry, FILE_KIND) && isExportFile(entry.filename))
    .map(({ filename, attrs }) => ({ name: filename, size: attrs.size ?? 0, modifiedAt: attrs.mtime ?? 0 }))
    .sort((a, b) => (a.name < b.name ? -1 : 1));
  // A name that is listed twice is one file.
  return { date: Number(name), files: files.filter((file, index) => file.name !== files[index - 1]?.name) };
}

const isSameDay = (one: ListedDay, other: ListedDay): boolean =>
  JSON.stringify(one.files.map(({ name, size, modifiedAt }) => [name, size, modifiedAt])) ===
  JSON.stringify(other.files.map(({ name, size, modifiedAt }) => [name, size, modifiedAt]));

/** The source; tests give it less time. */
export const exportsWith = (limits: SftpLimits): FolderSource => ({
  kind: 'exports',
  title: 'Exports',
  credentials: {
    host: { label: 'Host' },
    port: { label: 'Port', isOptional: true },
    user: { label: 'User' },
    keyId: { label: 'Id of the key pair', secret: true },
    hostKey: { label: 'Fingerprint of the host key', isOptional: true },
  },
  addressOf: ({ host = '', port }) => ({ scheme: 'sftp', host, port: port === undefined ? PORT : Number(port) }),
  async check() {
    await loadSsh2();
  },
  folders: (ctx) =>
    withSftp(ctx, limits, async (session) => {
      const entries = await session.list('.');
      const folders = entries
        .filter((entry) => isOfKind(entry, FOLDER_KIND) && FOLDER.test(entry.filename))
        .map(({ filename }) => filename)
        .sort();
      if (folders.length > MOST_FOLDERS)
        throw new SourceError(
          'upstream_changed',
          'The server has more folders than any point of sale has restaurants.',
        );
      return { folders, hostKey: session.hostKey };
    }),
  days: (ctx, folder) =>
    withSftp(ctx, limits, async (session) => {
      const names = (await session.list(`./${folder}`))
        .filter((entry) => isOfKind(entry, FOLDER_KIND) && DAY.test(entry.filename))
        .map(({ filename }) => filename)
        .filter((name) => readBusinessDate(name) !== undefined)
        .sort()
        .slice(-MOST_DAYS);
      const days: ListedDay[] = [];
      for (const name of names) days.push(await listDay(session, folder, name));
      return days;
    }),
  fetch: (ctx, folder, day, path) =>
    withSftp(ctx, limits, async (session) => {
      for (const { name, size } of day.files) {
        const file = await open(join(path, name), 'wx', 0o600);
        try {
          await session.copy(`./${folder}/${day.date}/${name}`, size, file);
        } finally {
          await file.close();
        }
      }
      // A file that was written again meanwhile may be half of each.
      if (!isSameDay(day, await listDay(session, folder, String(day.date))))
        throw new SourceError('upstream_error', 'The files of a date changed while they were read.');
    }),
});

export const exportsSource: FolderSource = exportsWith(SFTP_LIMITS);
