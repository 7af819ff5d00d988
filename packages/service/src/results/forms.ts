/**
 * The rendered forms of a snapshot and their compressed files: made at the first request, kept with it, and removed
 * with it.
 */
import { createHash } from 'node:crypto';
import { rm, stat } from 'node:fs/promises';
import type { Logger } from 'pino';
import type { Bounds } from '../facts/bounds.ts';
import type { Facts } from '../facts/facts.ts';
import type { Form } from '../facts/form.ts';
import type { Coding, Files } from '../files/files.ts';
import type { FormLedger, KeptForm, ReportForm } from '../ledger/form.ts';
import { createDigests } from './digests.ts';
import type { NewFile, ResultFile, ResultFiles } from './results.ts';
import { createFormRows, type FormRows, ReportLost, type ReportPlace } from './rows.ts';
import { createShare } from './share.ts';

/** The file name of the snapshot, from which every form is rendered. */
export const SNAPSHOT = 'snapshot.parquet';
/**
 * A snapshot up to this size is rendered in some 100 ms (25,000 checks have 1.5 MB), and a file hashed in a few; larger
 * ones are processed one at a time.
 */
const LARGE_BYTES = 1024 * 1024;

const CODED: Record<Coding, string> = { gzip: '.gz', br: '.br', zstd: '.zst' };

/** The file name of a form, or of its compressed file. */
export function formName(
  {
    dialect,
    names,
    currencies,
    bom,
    format,
    only,
  }: Pick<Form, 'format' | 'dialect' | 'names' | 'bom' | 'currencies' | 'only'>,
  coding?: Coding,
): string {
  const words = [dialect, ...(names ? ['names'] : []), ...(currencies ? ['people'] : []), ...(bom ? ['bom'] : [])];
  if (only) words.push(createHash('sha256').update(JSON.stringify(only)).digest('hex').slice(0, 32));
  return `${words.join('-')}.${format}${coding ? CODED[coding] : ''}`;
}

/** What was made: a scratch file, with its SHA-256 in base64 if known, or the bytes of a small form. */
export type Made = { path: string; sha256?: string | undefined } | { content: Buffer };

/**
 * Calls for the same file share the work, which ends when all of them have been aborted. Throws EngineTimeout after the
 * deadline, EngineGone if the engine stopped, ReportLost if the snapshot is missing or damaged.
 */
export interface Forms {
  /** The form; rendered from the snapshot if it does not exist or is damaged. */
  open(place: ReportPlace, form: Form, bounds: Bounds): Promise<ResultFile>;
  /** The compressed file of a form that exists and is undamaged; made again likewise. Throws FileWorkError too. */
  coded(place: ReportPlace, form: Form, coding: Coding, bounds: Bounds): Promise<ResultFile>;
  /** The path of the snapshot, and its length in bytes. Throws ReportLost. */
  snapshot(place: ReportPlace): Promise<{ path: string; bytes: number }>;
  /**
   * The SHA-256, in base64, of the form or its compressed file, if known: of what was made, not of what is stored now.
   */
  digest(place: ReportPlace, form: Form, coding?: Coding): Promise<string | undefined>;
  /** The digest of the form, waiting until it is computed. Undefined if that fails. */
  awaitDigest(place: ReportPlace, form: Form, signal: AbortSignal): Promise<string | undefined>;
  /**
   * Keeps the files of an attempt, by name; returns the rows to publish with its report. The scratch files are gone
   * then.
   */
  keep(guid: string, attempt: number, made: Record<string, Made>): Promise<KeptForm[]>;
  /** Call when a report is completed: digests of its large forms are computed in the background. */
  published(forms: ReportForm[]): void;
  /** Ends background work. */
  close(): Promise<void>;
}

interface FormDeps {
  results: ResultFiles;
  facts: Facts;
  files: Files;
  ledger: FormLedger;
  log: Logger;
}

/** Describes a file to keep. The digests of the snapshot and of small files are computed before it is kept. */
async function newFile(name: string, scratch: string, sha256?: string): Promise<NewFile> {
  return { name, scratch, sha256, digest: name === SNAPSHOT || (await stat(scratch)).size <= LARGE_BYTES };
}

/** The forms that have rows; files kept by an older version get rows here. */
function createStored({ results, ledger, log }: FormDeps, rows: FormRows) {
  /** The row for a file of a version without rows, if the file is undamaged. */
  async function adopt(place: ReportPlace, name: string): Promise<ReportForm | undefined> {
    const { guid, attempt, digests } = place;
    const older = await results.older(guid, attempt, name, digests?.[name]);
    // Without a digest a form is rendered again; a snapshot cannot be made again.
    if (!older || !(older.isKnown || name === SNAPSHOT)) return undefined;
    const form = await ledger.addForm({ guid, attempt, ...older.form });
    rows.hold(form);
    return form;
  }
  const rowOf = async (place: ReportPlace, name: string): Promise<ReportForm | undefined> =>
    (await rows.find(place, name)) ?? (await adopt(place, name));

  return {
    rowOf,
    /** The file if it is undamaged. The row of one that is missing or damaged is deleted. */
    async find(place: ReportPlace, name: string): Promise<ResultFile | undefined> {
      const form = await rowOf(place, name);
      const file = form && (await results.open(form));
      if (form === undefined || (file !== undefined && file !== 'damaged')) return file as ResultFile | undefined;
      const why = file === undefined ? 'is gone' : 'is damaged';
      log.warn({ reportRequestGuid: place.guid, file: name }, `a stored form ${why}; it is made again`);
      await results.discard([form]);
      await rows.forget(form);
      return undefined;
    },
    /** Keeps a file under a name. If another node was first, its file is the form. */
    async keep(place: ReportPlace, name: string, write: (scratch: string) => Promise<string | undefined>) {
      const { guid, attempt } = place;
      const scratch = await results.scratch(name);
      try {
        const file = await newFile(name, scratch, await write(scratch));
        const mine = (await results.keep(guid, attempt, [file])).map((one) => ({ guid, attempt, ...one }));
        for (const one of mine) rows.hold(await ledger.addForm(one));
        await results.discard(mine.filter(({ key }) => key !== rows.held(place, name)?.key));
      } finally {
        await rm(scratch, { force: true });
      }
      const form = await rows.find(place, name);
      const file = form && (await results.open(form));
      if (!file || file === 'damaged') throw new Error(`${name} of ${guid} was kept and is not there`);
      return { form, file };
    },
    /** The path of the snapshot, and its length. Throws ReportLost. */
    async snapshot(place: ReportPlace): Promise<{ path: string; bytes: number }> {
      const form = await rowOf(place, SNAPSHOT);
      const found = form && (await results.open(form));
      if (form === undefined || found === undefined) throw new ReportLost(`the snapshot of ${place.guid} is gone`);
      if (found === 'damaged') throw new ReportLost(`the snapshot of ${place.guid} is damaged`);
      return { path: await results.local(form), bytes: found.bytes };
    },
  };
}

/** The forms of completed reports, made at the first request. */
export function createForms(deps: FormDeps): Forms {
  const { results, facts, files, ledger } = deps;
  const share = createShare<ResultFile>();
  const rows = createFormRows(ledger);
  const digests = createDigests({ ...deps, onDigest: rows.hold });
  const stored = createStored(deps, rows);

  /**
   * The file of the name if it is undamaged, otherwise what `write` makes; `write` returns the digest if it knows it.
   * Calls for the same file share the work.
   */
  async function findOrMake(
    place: ReportPlace,
    name: string,
    write: (scratch: string, working: AbortSignal) => Promise<string | undefined>,
    signal: AbortSignal | undefined,
  ): Promise<ResultFile> {
    const known = rows.held(place, name);
    const file = known && (await results.open(known));
    if (file && file !== 'damaged') return file;
    const work = async (working: AbortSignal): Promise<ResultFile> => {
      const found = await stored.find(place, name);
      if (found) return found;
      const made = await stored.keep(place, name, (scratch) => write(scratch, working));
      digests.computeSoon(made.form);
      return made.file;
    };
    return await share(`${place.guid}/${place.attempt}/${name}`, work, signal);
  }

  /** Writes a form of a snapshot into a file. */
  async function render(snapshot: string, form: Form, to: string, bounds: Bounds): Promise<void> {
    const { workbook } = form;
    if (!workbook) {
      await facts.render(snapshot, form, to, bounds);
      return;
    }
    const file = await results.scratch('rows.xml');
    try {
      const count = await facts.render(snapshot, form, file, bounds);
      await files.workbook({ file, count }, { workbook, to }, bounds);
    } finally {
      await rm(file, { force: true });
    }
  }

  return {
    async open(place, form, { deadlineMs, signal }) {
      const name = formName(form);
      const write = async (scratch: string, working: AbortSignal): Promise<undefined> => {
        const { path, bytes } = await stored.snapshot(place);
        const bounds: Bounds = { deadlineMs, signal: working, lane: bytes > LARGE_BYTES ? 'render' : 'quick' };
        await render(path, form, scratch, bounds);
      };
      return await findOrMake(place, name, write, signal);
    },

    async coded(place, form, coding, { deadlineMs, signal }) {
      const write = async (scratch: string, working: AbortSignal): Promise<string> => {
        const plain = await stored.rowOf(place, formName(form));
        if (!plain) throw new Error(`${formName(form)} of ${place.guid} is gone while it is compressed`);
        const bounds = { deadlineMs, signal: working };
        return (await files.compress(await results.local(plain), { coding, to: scratch }, bounds)).sha256;
      };
      return await findOrMake(place, formName(form, coding), write, signal);
    },

    snapshot: (place) => stored.snapshot(place),

    async digest(place, form, coding) {
      return (await stored.rowOf(place, formName(form, coding)))?.sha256 ?? undefined;
    },

    async awaitDigest(place, form, signal) {
      const row = await stored.rowOf(place, formName(form));
      if (!row) return undefined;
      const digested = row.sha256 === null ? await digests.compute(row, signal).catch(() => undefined) : row;
      return digested?.sha256 ?? undefined;
    },

    async keep(guid, attempt, made) {
      const files = Object.entries(made).map(([name, one]) =>
        'content' in one ? { name, ...one } : newFile(name, one.path, one.sha256),
      );
      return await results.keep(guid, attempt, await Promise.all(files));
    },

    published(forms) {
      for (const form of forms) {
        rows.hold(form);
        digests.computeSoon(form);
      }
    },
    close: digests.close,
  };
}

/**
 * Removes all forms of reports that can no longer be read, and their rows. Rows are deleted last, so the hourly cleanup
 * can finish what a kill interrupted.
 */
export async function removeForms(
  { ledger, results }: { ledger: FormLedger; results: ResultFiles },
  guids: string[],
): Promise<void> {
  let rows = 0;
  for (const guid of guids) {
    const forms = await ledger.forms(guid);
    await results.remove(guid, forms);
    rows += forms.length;
  }
  if (rows > 0) await ledger.forgetForms(guids);
}
