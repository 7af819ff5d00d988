/** The parts of `ssh2` that are used here: an optional package, loaded only for exports over SFTP. */
import { createRequire } from 'node:module';
import { join } from 'node:path';
import type { Duplex } from 'node:stream';
import { Problem } from '../../../contract/problems.ts';

/** Properties of a file; a server may omit any of them. */
interface FileAttributes {
  mode?: number;
  size?: number;
  mtime?: number;
}

export interface DirectoryEntry {
  filename: string;
  attrs: FileAttributes;
}

type Done<T> = (error: (Error & { code?: number }) | undefined, result: T) => void;

/** Calls of the protocol, version 3. */
export interface SftpCalls {
  opendir(path: string, done: Done<Buffer>): void;
  /** The next entries; an error with the code 1 at the end. */
  readdir(handle: Buffer, done: Done<DirectoryEntry[]>): void;
  open(path: string, flags: 'r', done: Done<Buffer>): void;
  /** Reads into the buffer; 0 bytes at the end. */
  read(
    ...of: [handle: Buffer, into: Buffer, offset: number, length: number, position: number, done: Done<number>]
  ): void;
  close(handle: Buffer, done: Done<void>): void;
}

export interface SshClient {
  connect(options: {
    sock: Duplex;
    username: string;
    privateKey: string;
    readyTimeout: number;
    hostVerifier(key: Buffer): boolean;
  }): void;
  sftp(done: Done<SftpCalls>): void;
  on(event: 'ready' | 'close', listener: () => void): void;
  on(event: 'error', listener: (error: Error & { level?: string }) => void): void;
}

interface Ssh2 {
  Client: new () => SshClient;
}

const PACKAGE = 'ssh2';

/** Whether the package itself is missing, and not one of its dependencies. */
function isMissing(error: unknown, name: string): boolean {
  const { code, message } = error as NodeJS.ErrnoException;
  return ['ERR_MODULE_NOT_FOUND', 'MODULE_NOT_FOUND'].includes(code ?? '') && message.includes(`'${name}'`);
}

/**
 * Loads the package: from beside this one, or from the `node_modules` of the folder in which the service was started.
 * Throws Problem package_missing with the command that installs it.
 */
export async function loadSsh2(folder = process.cwd(), name = PACKAGE): Promise<Ssh2> {
  try {
    return ((await import(name)) as { default: Ssh2 }).default;
  } catch (error) {
    if (!isMissing(error, name)) throw error;
  }
  try {
    return createRequire(join(folder, 'package.json'))(name) as Ssh2;
  } catch (error) {
    if (!isMissing(error, name)) throw error;
    throw new Problem(
      'package_missing',
      'Exports over SFTP need the package ssh2, which is not installed beside the service: npm install ssh2 --ignore-scripts',
    );
  }
}
