/**
 * Which files are what they were when they were kept. Each is hashed on its first use in a process, when the system says that it
 * was changed, and once a day; in between a look at it is enough. A report of 155 MB costs 0.2 s then.
 */
import { stat } from 'node:fs/promises';
import { LRUCache } from 'lru-cache';
import { hashFile } from '../../files/hash.ts';
import { createShare } from '../share.ts';

/** Some 200 bytes each. */
const MOST_TRUSTED = 100_000;
const TRUSTED_MS = 86_400_000;

export interface Sound {
  /** Takes the file, which this process has just written, for sound. Returns its length in bytes; throws when it is not there. */
  trust(path: string): Promise<number>;
  /**
   * The length of a file in bytes where it has the digest (base64), or was not changed since it was trusted; undefined when it is
   * not there, `damaged` otherwise.
   */
  check(path: string, sha256: string | null): Promise<number | 'damaged' | undefined>;
}

/** The length of a file, and what changes when it is written to or replaced, as far as the system knows. */
async function look(path: string): Promise<{ bytes: number; version: string } | undefined> {
  try {
    const { size, mtimeNs, ctimeNs, ino } = await stat(path, { bigint: true });
    return { bytes: Number(size), version: [size, mtimeNs, ctimeNs, ino].join('/') };
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined;
    throw error;
  }
}

async function hash(path: string): Promise<string | undefined> {
  try {
    return (await hashFile(path, 'base64')).sha256;
  } catch (error) {
    // A disk that cannot read it has lost it.
    if (['EIO', 'ENOENT'].includes((error as NodeJS.ErrnoException).code ?? '')) return undefined;
    throw error;
  }
}

export function createSound(): Sound {
  const versions = new LRUCache<string, string>({ max: MOST_TRUSTED, ttl: TRUSTED_MS });
  const share = createShare<string | undefined>();
  return {
    async trust(path) {
      const seen = await look(path);
      if (!seen) throw new Error(`${path} was written and is not there`);
      versions.set(path, seen.version);
      return seen.bytes;
    },
    async check(path, sha256) {
      const seen = await look(path);
      if (!seen) return undefined;
      if (versions.get(path) === seen.version) return seen.bytes;
      // A thousand that ask for it at once have it hashed once.
      if (sha256 === null || (await share(path, () => hash(path))) !== sha256) return 'damaged';
      versions.set(path, seen.version);
      return seen.bytes;
    },
  };
}
