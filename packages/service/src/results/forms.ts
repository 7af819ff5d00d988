/** The rendered forms of a snapshot and their coded files: made when first asked for, kept beside it. */
import { rm, writeFile } from 'node:fs/promises';
import type { Bounds, Coding, Facts, Form, Pressed } from '../facts/facts.ts';
import { sync } from './folder.ts';
import type { ResultFile, Results } from './results.ts';
import { createShare } from './share.ts';

/** A snapshot up to this size is rendered in some 100 ms (25,000 checks have 1.5 MB); larger ones wait for each other. */
const LARGE_BYTES = 1024 * 1024;

/** The file name of what every form is rendered from. */
export const SNAPSHOT = 'snapshot.parquet';

const CODED: Record<Coding, string> = { gzip: '.gz', br: '.br', zstd: '.zst' };

/** The file name of a form, or of its coded file. */
export const formName = (form: Pick<Form, 'format' | 'dialect' | 'names'>, coding?: Coding): string =>
  `${form.dialect}${form.names ? '-names' : ''}.${form.format}${coding ? CODED[coding] : ''}`;

/** Keeps the SHA-256 of the file of the name, in base64. */
const digestName = (name: string): string => `${name}.sha256`;

/** A completed report's attempt. */
export interface Place {
  guid: string;
  attempt: number;
}

/**
 * Calls for the same file share one making of it, which ends when all of them have gone. Throws EngineTimeout after the
 * deadline, EngineGone when the engine stopped.
 */
export interface Forms {
  /** The form, rendered when it is not there yet. */
  open(place: Place, form: Form, bounds: Bounds): Promise<ResultFile>;
  /** The coded file of a form that is there, made when it is not there yet. */
  coded(place: Place, form: Form, coding: Coding, bounds: Bounds): Promise<ResultFile>;
  /** The SHA-256 of the form, or of its coded file, in base64, where it is known. */
  digest(place: Place, form: Form, coding?: Coding): Promise<string | undefined>;
  /** The same of the form, computed where it is not known. */
  computeDigest(place: Place, form: Form, bounds: Bounds): Promise<string>;
}

export function createForms(results: Results, facts: Facts): Forms {
  const shareFile = createShare<ResultFile>();
  const shareDigest = createShare<string>();

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

  async function kept({ guid, attempt }: Place, name: string): Promise<ResultFile> {
    const file = await results.open(guid, attempt, name);
    if (!file) throw new Error(`${name} of ${guid} was kept and is not there`);
    return file;
  }

  const keepDigest = (place: Place, name: string, { sha256 }: Pressed): Promise<void> =>
    keep(place, digestName(name), (scratch) => writeFile(scratch, sha256));

  async function readDigest({ guid, attempt }: Place, name: string): Promise<string | undefined> {
    return (await (await results.open(guid, attempt, digestName(name)))?.read())?.toString();
  }

  return {
    async open(place, form, { deadlineMs, signal }) {
      const { guid, attempt } = place;
      const name = formName(form);
      const file = await results.open(guid, attempt, name);
      if (file) return file;
      const render = async (working: AbortSignal): Promise<ResultFile> => {
        const snapshot = await results.local(guid, attempt, SNAPSHOT);
        const { bytes = 0 } = (await results.open(guid, attempt, SNAPSHOT)) ?? {};
        const lane = bytes > LARGE_BYTES ? 'render' : 'quick';
        await keep(place, name, (to) => facts.render(snapshot, form, to, { deadlineMs, signal: working, lane }));
        return await kept(place, name);
      };
      return await shareFile(`${guid}/${attempt}/${name}`, render, signal);
    },

    async coded(place, form, coding, { deadlineMs, signal }) {
      const { guid, attempt } = place;
      const name = formName(form, coding);
      const file = await results.open(guid, attempt, name);
      if (file) return file;
      const press = async (working: AbortSignal): Promise<ResultFile> => {
        const plain = await results.local(guid, attempt, formName(form));
        await keep(place, name, async (to) => {
          const pressed = await facts.press(plain, { coding, to }, { deadlineMs, signal: working });
          await keepDigest(place, name, pressed);
        });
        return await kept(place, name);
      };
      return await shareFile(`${guid}/${attempt}/${name}`, press, signal);
    },

    digest: (place, form, coding) => readDigest(place, formName(form, coding)),

    async computeDigest(place, form, { deadlineMs, signal }) {
      const { guid, attempt } = place;
      const name = formName(form);
      const compute = async (working: AbortSignal): Promise<string> => {
        const known = await readDigest(place, name);
        if (known) return known;
        const read = await facts.digest(await results.local(guid, attempt, name), { deadlineMs, signal: working });
        await keepDigest(place, name, read);
        return read.sha256;
      };
      return await shareDigest(`${guid}/${attempt}/${name}`, compute, signal);
    },
  };
}
