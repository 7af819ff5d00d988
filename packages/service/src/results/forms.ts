/** The rendered forms of a snapshot and their compressed files: made when first asked for, kept beside it. */
import type { Logger } from 'pino';
import type { Bounds } from '../facts/bounds.ts';
import type { Facts } from '../facts/facts.ts';
import type { Form } from '../facts/form.ts';
import type { Coding, Files } from '../files/files.ts';
import { createDigests, type Digests, digestName, LARGE_BYTES } from './digests.ts';
import { keepFile } from './keep-file.ts';
import type { ResultFile, ResultFiles } from './results.ts';
import { createShare } from './share.ts';
import { createSound, type Place, ReportLost, type Sound } from './sound.ts';

/** The file name of what every form is rendered from. */
export const SNAPSHOT = 'snapshot.parquet';

const CODED: Record<Coding, string> = { gzip: '.gz', br: '.br', zstd: '.zst' };

/** The file name of a form, or of its coded file. */
export const formName = (form: Pick<Form, 'format' | 'dialect' | 'names' | 'bom'>, coding?: Coding): string =>
  `${form.dialect}${form.names ? '-names' : ''}${form.bom ? '-bom' : ''}.${form.format}${coding ? CODED[coding] : ''}`;

/**
 * Calls for the same file share one making of it, which ends when all of them have gone. Throws EngineTimeout after the
 * deadline, EngineGone when the engine stopped, ReportLost when the snapshot is gone or damaged.
 */
export interface Forms {
  /** The form; made, or made again, from the snapshot where it is not there or is damaged. */
  open(place: Place, form: Form, bounds: Bounds): Promise<ResultFile>;
  /** The compressed file of a form that is there and sound; made, or made again, likewise. Throws FileWorkError too. */
  coded(place: Place, form: Form, coding: Coding, bounds: Bounds): Promise<ResultFile>;
  /** The path of what every form is rendered from, and its length in bytes. Throws ReportLost. */
  snapshot(place: Place): Promise<{ path: string; bytes: number }>;
  /** The SHA-256 of the form, or of its coded file, in base64, where it is known: of what was made, not of what is there. */
  digest(place: Place, form: Form, coding?: Coding): Promise<string | undefined>;
  /** The same of the form, waited for while it is being made. Undefined where it cannot be had. */
  awaitDigest(place: Place, form: Form, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Takes over snapshot and form of an attempt that has just been kept. Answers the digests to publish with it: of the
   * snapshot, and of a small form; that of a large one is made by `digestSoon`, once it is published.
   */
  adopt(place: Place, form: Form): Promise<Record<string, string>>;
  digestSoon(place: Place, form: Form): void;
  /** Ends what runs in the background. */
  close(): Promise<void>;
}

/** The stored files that forms are found among, made from, and kept as. */
function createStored(results: ResultFiles, sound: Sound, digests: Digests, log: Logger) {
  /** What this process has just kept under the name, which it trusts from then on. */
  async function made(place: Place, name: string): Promise<ResultFile> {
    const file = await results.open(place.guid, place.attempt, name);
    if (!file) throw new Error(`${name} of ${place.guid} was kept and is not there`);
    sound.trust(place, name, file);
    return file;
  }
  return {
    made,
    /** The file where it is sound. One that is damaged, or has no digest to tell it by, is removed. */
    async find(place: Place, name: string): Promise<ResultFile | undefined> {
      const { guid, attempt } = place;
      const known = await digests.read(place, name);
      const found =
        known === undefined ? await results.open(guid, attempt, name) : await sound.check(place, name, known);
      if (found === undefined || (found !== 'damaged' && known !== undefined)) return found as ResultFile | undefined;
      const why = known === undefined ? 'has no digest' : 'is damaged';
      log.warn({ reportRequestGuid: guid, file: name }, `a stored form ${why}; it is made again`);
      await results.discard(guid, attempt, [name, digestName(name)]);
      return undefined;
    },
    /** The path of the snapshot, and how long it is. Throws ReportLost. */
    async snapshot(place: Place): Promise<{ path: string; bytes: number }> {
      const { guid, attempt, digests: kept } = place;
      const known = kept?.[SNAPSHOT];
      const found =
        known === undefined ? await results.open(guid, attempt, SNAPSHOT) : await sound.check(place, SNAPSHOT, known);
      if (found === undefined) throw new ReportLost(`the snapshot of ${guid} is gone`);
      if (found === 'damaged') throw new ReportLost(`the snapshot of ${guid} is damaged`);
      return { path: await results.local(guid, attempt, SNAPSHOT), bytes: found.bytes };
    },
  };
}

export function createForms(deps: { results: ResultFiles; facts: Facts; files: Files; log: Logger }): Forms {
  const { results, facts, files, log } = deps;
  const share = createShare<ResultFile>();
  const sound = createSound(results);
  const digests = createDigests({ results, files, sound, log });
  const stored = createStored(results, sound, digests, log);

  /** The file of the name where it is sound, else what `make` has kept under it. Calls for the same file share one. */
  async function findOrMake(
    place: Place,
    name: string,
    { make, onMade }: { make: (working: AbortSignal) => Promise<void>; onMade?: () => void },
    signal: AbortSignal | undefined,
  ): Promise<ResultFile> {
    const file = await sound.trusted(place, name);
    if (file) return file;
    const work = async (working: AbortSignal): Promise<ResultFile> => {
      const found = await stored.find(place, name);
      if (found) return found;
      await make(working);
      const made = await stored.made(place, name);
      onMade?.();
      return made;
    };
    return await share(`${place.guid}/${place.attempt}/${name}`, work, signal);
  }

  return {
    async open(place, form, { deadlineMs, signal }) {
      const name = formName(form);
      const make = async (working: AbortSignal): Promise<void> => {
        const { path, bytes } = await stored.snapshot(place);
        const bounds: Bounds = { deadlineMs, signal: working, lane: bytes > LARGE_BYTES ? 'render' : 'quick' };
        await keepFile(results, place, name, (to) => facts.render(path, form, to, bounds));
      };
      return await findOrMake(place, name, { make, onMade: () => digests.computeSoon(place, name) }, signal);
    },

    async coded(place, form, coding, { deadlineMs, signal }) {
      const name = formName(form, coding);
      const make = async (working: AbortSignal): Promise<void> => {
        const plain = await results.local(place.guid, place.attempt, formName(form));
        await keepFile(results, place, name, async (to) => {
          const { sha256 } = await files.compress(plain, { coding, to }, { deadlineMs, signal: working });
          await digests.keep(place, name, sha256);
        });
      };
      return await findOrMake(place, name, { make }, signal);
    },

    snapshot: (place) => stored.snapshot(place),

    digest: (place, form, coding) => digests.read(place, formName(form, coding)),

    async awaitDigest(place, form, signal) {
      const name = formName(form);
      return (await digests.read(place, name)) ?? (await digests.compute(place, name, signal).catch(() => undefined));
    },

    async adopt(place, form) {
      const name = formName(form);
      const [, { bytes }] = await Promise.all([stored.made(place, SNAPSHOT), stored.made(place, name)]);
      const names = bytes > LARGE_BYTES ? [SNAPSHOT] : [SNAPSHOT, name];
      return Object.fromEntries(await Promise.all(names.map(async (one) => [one, await sound.hash(place, one)])));
    },

    digestSoon: (place, form) => digests.computeSoon(place, formName(form)),
    close: digests.close,
  };
}
