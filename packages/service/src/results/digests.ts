/** The SHA-256 digests of the files of reports, in base64: made once, kept beside the files. */
import { writeFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Files } from '../files/files.ts';
import { keepFile } from './keep-file.ts';
import type { ResultFiles } from './results.ts';
import { createShare } from './share.ts';
import type { Place, Sound } from './sound.ts';

/** A snapshot up to this size is rendered in some 100 ms (25,000 checks have 1.5 MB), and a file is hashed in a few; larger ones wait for each other. */
export const LARGE_BYTES = 1024 * 1024;
/** How long the digest of a large form may take, with the codings that it waits behind. */
const DIGEST_MS = 30 * 60_000;

/** Keeps the SHA-256 of the file of the name. */
export const digestName = (name: string): string => `${name}.sha256`;

export interface Digests {
  /** Of what was made under the name, not of what is there; undefined where it is not known. */
  read(place: Place, name: string): Promise<string | undefined>;
  keep(place: Place, name: string, sha256: string): Promise<void>;
  /** Of a file that this process has made, and keeps it. Calls for the same file share one. Throws when it was changed since. */
  compute(place: Place, name: string, signal: AbortSignal): Promise<string>;
  /** The same in the background, unless it is known. */
  computeSoon(place: Place, name: string): void;
  /** Ends what runs in the background. */
  close(): Promise<void>;
}

export function createDigests(deps: { results: ResultFiles; files: Files; sound: Sound; log: Logger }): Digests {
  const { results, files, sound, log } = deps;
  const share = createShare<string>();
  const closing = new AbortController();
  const background = new Set<Promise<unknown>>();

  const keep: Digests['keep'] = (place, name, sha256) =>
    keepFile(results, place, digestName(name), (scratch) => writeFile(scratch, sha256, { mode: 0o600 }));

  async function hash(place: Place, name: string, signal: AbortSignal): Promise<string> {
    const { guid, attempt } = place;
    const isLarge = ((await results.open(guid, attempt, name))?.bytes ?? 0) > LARGE_BYTES;
    const sha256 = isLarge
      ? (await files.digest(await results.local(guid, attempt, name), { deadlineMs: DIGEST_MS, signal })).sha256
      : await sound.hash(place, name);
    // Unless it was changed since it was made: a digest of the damage would hide it for ever.
    if (!(await sound.trusted(place, name))) throw new Error(`${name} of ${guid} was changed before it had a digest`);
    await keep(place, name, sha256);
    return sha256;
  }
  const compute: Digests['compute'] = (place, name, signal) =>
    share(`${place.guid}/${place.attempt}/${name}`, (working) => hash(place, name, working), signal);

  return {
    keep,
    compute,
    async read({ guid, attempt, digests }, name) {
      return digests?.[name] ?? (await (await results.open(guid, attempt, digestName(name)))?.read())?.toString();
    },
    computeSoon(place, name) {
      if (place.digests?.[name] !== undefined) return;
      const work = compute(place, name, closing.signal)
        .catch((error) => {
          // Without one the form is made again where it is not known to be sound; who has discarded the report wants none.
          if (!closing.signal.aborted) log.debug({ err: error, reportRequestGuid: place.guid }, 'a form has no digest');
        })
        .finally(() => background.delete(work));
      background.add(work);
    },
    async close() {
      closing.abort();
      await Promise.all(background);
    },
  };
}
