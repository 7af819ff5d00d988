/** The rendered forms of a snapshot and their coded files: made when first asked for, kept beside it. */
import { rm, writeFile } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Bounds, Facts, Form } from '../facts/facts.ts';
import type { Coding, Files } from '../files/files.ts';
import { sync } from '../files/sync.ts';
import type { ResultFile, ResultFiles } from './results.ts';
import { createShare } from './share.ts';
import { createSound, type Place, ReportLost } from './sound.ts';

/** A snapshot up to this size is rendered in some 100 ms (25,000 checks have 1.5 MB); larger ones wait for each other. */
const LARGE_BYTES = 1024 * 1024;
/** How long the digest of a large form may take, with the codings that it waits behind. */
const DIGEST_MS = 30 * 60_000;

/** The file name of what every form is rendered from. */
export const SNAPSHOT = 'snapshot.parquet';

const CODED: Record<Coding, string> = { gzip: '.gz', br: '.br', zstd: '.zst' };

/** The file name of a form, or of its coded file. */
export const formName = (form: Pick<Form, 'format' | 'dialect' | 'names' | 'bom'>, coding?: Coding): string =>
  `${form.dialect}${form.names ? '-names' : ''}${form.bom ? '-bom' : ''}.${form.format}${coding ? CODED[coding] : ''}`;

/** Keeps the SHA-256 of the file of the name, in base64. */
const digestName = (name: string): string => `${name}.sha256`;

/**
 * Calls for the same file share one making of it, which ends when all of them have gone. Throws EngineTimeout after the
 * deadline, EngineGone when the engine stopped, ReportLost when the snapshot is gone or damaged.
 */
export interface Forms {
  /** The form; made, or made again, from the snapshot where it is not there or is damaged. */
  open(place: Place, form: Form, bounds: Bounds): Promise<ResultFile>;
  /** The compressed file of a form that is there and sound; made, or made again, likewise. Throws FileWorkError too. */
  coded(place: Place, form: Form, coding: Coding, bounds: Bounds): Promise<ResultFile>;
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
  /** Ends what goes on in the background. */
  close(): Promise<void>;
}

export function createForms(deps: { results: ResultFiles; facts: Facts; files: Files; log: Logger }): Forms {
  const { results, facts, files, log } = deps;
  const shareFile = createShare<ResultFile>();
  const shareDigest = createShare<string>();
  const sound = createSound(results);
  const closing = new AbortController();
  const background = new Set<Promise<unknown>>();

  /** Has a scratch file written, and keeps it under the name. On disk first: what is found under a name is whole. */
  async function keep({ guid, attempt }: Place, name: string, write: (scratch: string) => Promise<void>) {
    const scratch = await results.scratch(name);
    try {
      await write(scratch);
      await sync(scratch);
      await results.keep(guid, attempt, name, scratch);
      await results.settle(guid, attempt, [name]);
    } finally {
      await rm(scratch, { force: true });
    }
  }

  /** What this process has just kept under the name, which it trusts from then on. */
  async function made(place: Place, name: string): Promise<ResultFile> {
    const file = await results.open(place.guid, place.attempt, name);
    if (!file) throw new Error(`${name} of ${place.guid} was kept and is not there`);
    sound.trust(place, name, file);
    return file;
  }

  const keepDigest = (place: Place, name: string, sha256: string): Promise<void> =>
    keep(place, digestName(name), (scratch) => writeFile(scratch, sha256, { mode: 0o600 }));

  async function readDigest(place: Place, name: string): Promise<string | undefined> {
    const { guid, attempt, digests } = place;
    return digests?.[name] ?? (await (await results.open(guid, attempt, digestName(name)))?.read())?.toString();
  }

  /** The file where it is sound. One that is damaged, or has no digest to tell it by, is removed. */
  async function find(place: Place, name: string): Promise<ResultFile | undefined> {
    const { guid, attempt } = place;
    const known = await readDigest(place, name);
    const found = known === undefined ? await results.open(guid, attempt, name) : await sound.check(place, name, known);
    if (found === undefined || (found !== 'damaged' && known !== undefined)) return found as ResultFile | undefined;
    const why = known === undefined ? 'has no digest' : 'is damaged';
    log.warn({ reportRequestGuid: guid, file: name }, `a stored form ${why}; it is made again`);
    await results.discard(guid, attempt, [name, digestName(name)]);
    return undefined;
  }

  /** The path of the snapshot, and how long it is. Throws ReportLost. */
  async function snapshotOf(place: Place): Promise<{ path: string; bytes: number }> {
    const { guid, attempt, digests } = place;
    const known = digests?.[SNAPSHOT];
    const found =
      known === undefined ? await results.open(guid, attempt, SNAPSHOT) : await sound.check(place, SNAPSHOT, known);
    if (found === undefined) throw new ReportLost(`the snapshot of ${guid} is gone`);
    if (found === 'damaged') throw new ReportLost(`the snapshot of ${guid} is damaged`);
    return { path: await results.local(guid, attempt, SNAPSHOT), bytes: found.bytes };
  }

  /** The digest of a form that this process has made. */
  async function computeDigest(place: Place, name: string, signal: AbortSignal): Promise<string> {
    const { guid, attempt } = place;
    const isLarge = ((await results.open(guid, attempt, name))?.bytes ?? 0) > LARGE_BYTES;
    const sha256 = isLarge
      ? (await files.digest(await results.local(guid, attempt, name), { deadlineMs: DIGEST_MS, signal })).sha256
      : await sound.hash(place, name);
    // Unless it was changed since it was made: a digest of the damage would hide it for ever.
    if (!(await sound.trusted(place, name))) throw new Error(`${name} of ${guid} was changed before it had a digest`);
    await keepDigest(place, name, sha256);
    return sha256;
  }
  const digestOf = (place: Place, name: string, signal: AbortSignal): Promise<string> =>
    shareDigest(`${place.guid}/${place.attempt}/${name}`, (working) => computeDigest(place, name, working), signal);

  function digestSoon(place: Place, name: string): void {
    if (place.digests?.[name] !== undefined) return;
    const work = digestOf(place, name, closing.signal)
      .catch((error) => {
        // Without one the form is made again where it is not known to be sound; who has discarded the report wants none.
        if (!closing.signal.aborted) log.debug({ err: error, reportRequestGuid: place.guid }, 'a form has no digest');
      })
      .finally(() => background.delete(work));
    background.add(work);
  }

  return {
    async open(place, form, { deadlineMs, signal }) {
      const name = formName(form);
      const file = await sound.trusted(place, name);
      if (file) return file;
      const render = async (working: AbortSignal): Promise<ResultFile> => {
        const found = await find(place, name);
        if (found) return found;
        const { path, bytes } = await snapshotOf(place);
        const lane = bytes > LARGE_BYTES ? 'render' : 'quick';
        await keep(place, name, (to) => facts.render(path, form, to, { deadlineMs, signal: working, lane }));
        const rendered = await made(place, name);
        digestSoon(place, name);
        return rendered;
      };
      return await shareFile(`${place.guid}/${place.attempt}/${name}`, render, signal);
    },

    async coded(place, form, coding, { deadlineMs, signal }) {
      const name = formName(form, coding);
      const file = await sound.trusted(place, name);
      if (file) return file;
      const compress = async (working: AbortSignal): Promise<ResultFile> => {
        const found = await find(place, name);
        if (found) return found;
        const plain = await results.local(place.guid, place.attempt, formName(form));
        await keep(place, name, async (to) => {
          const { sha256 } = await files.compress(plain, { coding, to }, { deadlineMs, signal: working });
          await keepDigest(place, name, sha256);
        });
        return await made(place, name);
      };
      return await shareFile(`${place.guid}/${place.attempt}/${name}`, compress, signal);
    },

    digest: (place, form, coding) => readDigest(place, formName(form, coding)),

    async awaitDigest(place, form, signal) {
      const name = formName(form);
      return (await readDigest(place, name)) ?? (await digestOf(place, name, signal).catch(() => undefined));
    },

    async adopt(place, form) {
      const name = formName(form);
      const [, { bytes }] = await Promise.all([made(place, SNAPSHOT), made(place, name)]);
      const names = bytes > LARGE_BYTES ? [SNAPSHOT] : [SNAPSHOT, name];
      return Object.fromEntries(await Promise.all(names.map(async (one) => [one, await sound.hash(place, one)])));
    },

    digestSoon: (place, form) => digestSoon(place, formName(form)),

    async close() {
      closing.abort();
      await Promise.all(background);
    },
  };
}
