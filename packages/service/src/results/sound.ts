/**
 * Which stored files are what they were when they were made. Each is hashed on its first use in a process, when the system
 * says that it was changed, and once a day; in between a look at it is enough. A report of 155 MB costs 0.2 s then.
 */
import { LRUCache } from 'lru-cache';
import { hashFile } from '../files/hash.ts';
import type { ResultFile, ResultFiles } from './results.ts';

/** A completed report's attempt. */
export interface Place {
  guid: string;
  attempt: number;
  /** The SHA-256, in base64, of files that were made with the report, by name. Null where none were kept. */
  digests: Record<string, string> | null;
}

/** The report's files are gone or damaged, and nothing is left to make them from: it must be asked for again. */
export class ReportLost extends Error {
  override readonly name = 'ReportLost';
}

/** Some 200 bytes each. */
const MOST_TRUSTED = 100_000;
const TRUSTED_MS = 86_400_000;

export interface Sound {
  /** The file, when it is known to be sound; undefined when it is not there, or must be checked. */
  trusted(place: Place, name: string): Promise<ResultFile | undefined>;
  /** The file, read through where it must be; undefined when it is not there, `damaged` when it is not what it was. */
  check(place: Place, name: string, sha256: string): Promise<ResultFile | 'damaged' | undefined>;
  /** Takes the file that this process has just made for sound. */
  trust(place: Place, name: string, file: ResultFile): void;
  /** The SHA-256 of a file as it is, in base64. */
  hash(place: Place, name: string): Promise<string>;
}

export function createSound(results: ResultFiles): Sound {
  const versions = new LRUCache<string, string>({ max: MOST_TRUSTED, ttl: TRUSTED_MS });
  const keyOf = ({ guid, attempt }: Place, name: string): string => `${guid}/${attempt}/${name}`;

  async function hash({ guid, attempt }: Place, name: string): Promise<string> {
    return (await hashFile(await results.local(guid, attempt, name), 'base64')).sha256;
  }
  const trust: Sound['trust'] = (place, name, file) => versions.set(keyOf(place, name), file.version);

  return {
    hash,
    trust,
    async trusted(place, name) {
      const file = await results.open(place.guid, place.attempt, name);
      return file && versions.get(keyOf(place, name)) === file.version ? file : undefined;
    },
    async check(place, name, sha256) {
      const file = await results.open(place.guid, place.attempt, name);
      if (!file || versions.get(keyOf(place, name)) === file.version) return file;
      try {
        if ((await hash(place, name)) !== sha256) return 'damaged';
      } catch (error) {
        // A disk that cannot read it has lost it.
        if ((error as NodeJS.ErrnoException).code === 'EIO') return 'damaged';
        throw error;
      }
      trust(place, name, file);
      return file;
    },
  };
}
