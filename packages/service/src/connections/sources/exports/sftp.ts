/**
 * One session with an SFTP server: its key is checked, its lists and files are bounded, and it ends whatever the server
 * does.
 */
import { createHash } from 'node:crypto';
import type { FileHandle } from 'node:fs/promises';
import type { Duplex } from 'node:stream';
import { isSourceError, SourceError } from '@daypart/client/source';
import { reasonOf } from '../../../http/public-request.ts';
import { type FolderContext, hostKeyText } from '../../folder-source.ts';
import { type DirectoryEntry, loadSsh2, type SftpCalls, type SshClient } from './ssh2.ts';

/** How long and how much is read of a server. */
export interface SftpLimits {
  /** Milliseconds without a byte, and of a session in all. */
  idleMs: number;
  wholeMs: number;
  /** Entries of a folder, and answers that list them. */
  mostEntries: number;
}

export const SFTP_LIMITS: SftpLimits = { idleMs: 60_000, wholeMs: 300_000, mostEntries: 10_000 };

export interface SftpSession {
  /** The fingerprint of the server's key, as `ssh-keygen -l` shows it. */
  hostKey: string;
  /** The entries of a folder. Throws SourceError, restaurant_unknown if there is none. */
  list(path: string): Promise<DirectoryEntry[]>;
  /** Copies a file of so many bytes. Throws SourceError upstream_error if it has another size. */
  copy(path: string, size: number, into: FileHandle): Promise<void>;
}

const CHUNK = 32 * 1024;
const END = 1;
const NO_SUCH_FILE = 2;
const NO_PERMISSION = 3;

/** `SHA256:` and the digest of the key in base64 without padding. */
const fingerprintOf = (key: Buffer): string =>
  `SHA256:${createHash('sha256').update(key).digest('base64').replace(/=+$/, '')}`;

function errorOf(error: Error & { code?: number | string }): SourceError {
  const of = (code: SourceError['code'], text: string): SourceError => new SourceError(code, text, { cause: error });
  if (error.code === NO_SUCH_FILE) return of('restaurant_unknown', 'The server does not have this folder.');
  if (error.code === NO_PERMISSION) return of('no_permission', 'The server does not allow this folder to be read.');
  return of('upstream_error', `The server answers with an error: ${error.message.slice(0, 200)}`);
}

/** A call of the protocol as a promise. */
const call = <T>(begin: (done: (error: Error | undefined, result: T) => void) => void): Promise<T> =>
  new Promise((resolve, reject) => begin((error, result) => (error ? reject(error) : resolve(result))));

async function list(sftp: SftpCalls, path: string, { mostEntries }: SftpLimits): Promise<DirectoryEntry[]> {
  const handle = await call<Buffer>((done) => sftp.opendir(path, done));
  const entries: DirectoryEntry[] = [];
  for (let answers = 0; ; answers++) {
    const more = await call<DirectoryEntry[]>((done) => sftp.readdir(handle, done)).catch((error: unknown) => {
      if ((error as { code?: number }).code === END) return undefined;
      throw error;
    });
    if (!more) break;
    entries.push(...more);
    if (entries.length > mostEntries || answers > mostEntries)
      throw new SourceError('upstream_changed', 'A folder of the server has no end.');
  }
  await call<void>((done) => sftp.close(handle, done));
  return entries;
}

async function copy(sftp: SftpCalls, path: string, size: number, into: FileHandle): Promise<void> {
  const handle = await call<Buffer>((done) => sftp.open(path, 'r', done));
  const chunk = Buffer.alloc(CHUNK);
  let at = 0;
  for (;;) {
    const read = await call<number>((done) => sftp.read(handle, chunk, 0, CHUNK, at, done));
    if (read === 0) break;
    at += read;
    if (at > size) break;
    await into.write(chunk, 0, read);
  }
  await call<void>((done) => sftp.close(handle, done));
  if (at !== size)
    throw new SourceError('upstream_error', 'A file of the server does not have the size that it listed.');
}

/** Signs in; rejects when the connection ends, for whatever reason. */
function signIn(
  client: SshClient,
  { credentials }: FolderContext,
  sock: Duplex,
  seen: { hostKey: string },
): Promise<SftpCalls> {
  const { user = '', privateKey = '', hostKey } = credentials;
  return new Promise((resolve, reject) => {
    let isRefused = false;
    client.on('error', (error) => {
      if (isRefused) reject(new SourceError('host_key_changed', hostKeyText(seen.hostKey)));
      else if (error.level === 'client-authentication')
        reject(new SourceError('key_refused', 'The server does not accept the key for this user.'));
      else if (error.level === 'client-socket')
        reject(new SourceError('upstream_unreachable', `The server cannot be reached: ${reasonOf(error)}.`));
      else reject(new SourceError('upstream_error', `The server ended the session: ${error.message.slice(0, 200)}`));
    });
    client.on('close', () => reject(new SourceError('upstream_unreachable', 'The server closed the connection.')));
    client.on('ready', () =>
      client.sftp((error, sftp) => {
        if (error)
          reject(new SourceError('no_permission', 'The server offers no SFTP to this user.', { cause: error }));
        else resolve(sftp);
      }),
    );
    client.connect({
      sock,
      username: user,
      privateKey,
      readyTimeout: 0,
      hostVerifier(key) {
        seen.hostKey = fingerprintOf(key);
        isRefused = hostKey !== undefined && hostKey !== seen.hostKey;
        return !isRefused;
      },
    });
  });
}

/**
 * Opens a session, does the work with it and closes it. Throws SourceError, what the work throws, the reason of the
 * signal, and Problem package_missing.
 */
export async function withSftp<T>(
  ctx: FolderContext,
  limits: SftpLimits,
  work: (session: SftpSession) => Promise<T>,
): Promise<T> {
  const { Client } = await loadSsh2();
  ctx.signal.throwIfAborted();
  const client = new Client();
  const seen = { hostKey: '' };
  const ended = Promise.withResolvers<never>();
  ended.promise.catch(() => undefined);
  const socket = ctx.dial();
  const late = (): void => ended.reject(new SourceError('upstream_unreachable', 'The server did not answer in time.'));
  const whole = setTimeout(late, limits.wholeMs);
  let idle = setTimeout(late, limits.idleMs);
  socket.on('data', () => {
    clearTimeout(idle);
    idle = setTimeout(late, limits.idleMs);
  });
  const abort = (): void => ended.reject(ctx.signal.reason);
  ctx.signal.addEventListener('abort', abort, { once: true });
  const during = <R>(step: Promise<R>): Promise<R> => Promise.race([step, ended.promise]);
  const untilEnded = <R>(step: Promise<R>): Promise<R> =>
    during(step).catch((error: unknown) => {
      throw isSourceError(error) || ctx.signal.aborted ? error : errorOf(error as Error);
    });
  try {
    const sftp = await during(signIn(client, ctx, socket, seen));
    client.on('error', (error) => ended.reject(errorOf(error)));
    client.on('close', () =>
      ended.reject(new SourceError('upstream_unreachable', 'The server closed the connection.')),
    );
    return await work({
      hostKey: seen.hostKey,
      list: (path) => untilEnded(list(sftp, path, limits)),
      copy: (path, size, into) => untilEnded(copy(sftp, path, size, into)),
    });
  } finally {
    clearTimeout(whole);
    clearTimeout(idle);
    ctx.signal.removeEventListener('abort', abort);
    socket.destroy();
  }
}
