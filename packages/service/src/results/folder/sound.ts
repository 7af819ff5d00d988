/**
 * Detects damaged files. Each file is hashed at its first use in a process, when the system says that it was changed,
 * and once a day; otherwise its length and modification time are compared. Hashing a report of 155 MB takes 0.2 s.
 */
import type { BigIntStats } from 'node:fs';
import { type FileHandle, stat } from 'node:fs/promises';
import { DAY_MS } from '../../contract/time.ts';
import { hashFile } from '../../files/hash.ts';
import { keepMost } from '../../kept.ts';
import { createShare } from '../share.ts';

/** How many files are remembered, some 200 bytes each: see `keepMost`. */
const MOST_TRUSTED = 100_000;
const TRUSTED_MS = DAY_MS;

interface Sound {
  /** Trusts an open file that this process has just written. Returns its length in bytes. */
  trust(path: string, file: FileHandle): Promise<number>;
  /**
   * The length of a file in bytes if it has the digest (base64), or was not changed since it was trusted; undefined if
   * it does not exist, otherwise `damaged`.
   */
  check(path: string, sha256: string | null): Promise<number | 'damaged' | undefined>;
}

/** The length of a file, and a version that changes when it is written to or replaced, as far as the system notices. */
const lookOf = ({ size, mtimeNs, ctimeNs, ino }: BigIntStats): { bytes: number; version: string } => ({
  bytes: Number(size),
  version: [size, mtimeNs, ctimeNs, ino].join('/'),
});

async function look(path: string): Promise<ReturnType<typeof lookOf> | undefined> {
  try {
    return lookOf(await stat(path, { bigint: true }));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function hash(path: string): Promise<string | undefined> {
  try {
    return (await hashFile(path, 'base64')).sha256;
  } catch (error) {
    // A file that the disk cannot read is lost.
    if (['EIO', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

export function createSound(): Sound {
  const versions = keepMost<string>(MOST_TRUSTED, TRUSTED_MS);
  const share = createShare<string | undefined>();
  return {
    async trust(path, file) {
      const seen = lookOf(await file.stat({ bigint: true }));
      versions.set(path, seen.version);
      return seen.bytes;
    },
    async check(path, sha256) {
      const seen = await look(path);
      if (!seen) return undefined;
      if (versions.get(path) === seen.version) return seen.bytes;
      // A thousand concurrent requests for it hash it once.
      if (sha256 === null || (await share(path, () => hash(path))) !== sha256) return 'damaged';
      versions.set(path, seen.version);
      return seen.bytes;
    },
  };
}
