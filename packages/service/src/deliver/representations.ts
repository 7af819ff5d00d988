/**
 * Representations of reports: a form in a content encoding, with its headers. Small ones are cached in memory, large
 * ones are files.
 */
import { createHash } from 'node:crypto';
import { brotliCompressSync, constants, gzipSync, zstdCompressSync } from 'node:zlib';
import { create as contentDisposition } from 'content-disposition';
import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import { dashedDate } from '../contract/dates.ts';
import { Problem } from '../contract/problems.ts';
import type { Form, Format } from '../facts/form.ts';
import type { Coding } from '../files/files.ts';
import type { ReportRequest } from '../ledger/report.ts';
import { type Forms, formName } from '../results/forms.ts';
import type { ResultFile } from '../results/results.ts';
import { createShare } from '../results/share.ts';
import { type Choice, XLSX } from './negotiate.ts';

/** A rendered form of a report, in any encoding. */
export interface Rendered {
  report: ReportRequest;
  form: Form;
  file: ResultFile;
  /** Only for a small form. */
  body: Buffer | undefined;
  fingerprint: string;
  /** Headers of every answer with it, including 304. */
  common: Record<string, string>;
}

export interface Representation {
  of: Rendered;
  etag: string;
  bytes: number;
  /** Headers of a 200. */
  headers: Record<string, string>;
  content: Buffer | ResultFile;
}

export interface Representations {
  /** The cached representation of the key, if any. */
  held(key: string): Representation | undefined;
  /** The form, rendered if it does not exist yet. */
  render(report: ReportRequest, form: Form, signal: AbortSignal): Promise<Rendered>;
  /** The form in the best content encoding of the choice; cached under the key if it is small. Throws a 406 Problem. */
  code(rendered: Rendered, choice: Choice, key: string, wants: Wants): Promise<Representation>;
}

interface Wants {
  /** Whether to wait for the digest; otherwise that of a large form may be missing. */
  digest: boolean;
  signal: AbortSignal;
}

/** Reports up to this size are answered from memory: reading a file takes four trips to the thread pool. */
const SMALL_BYTES = 64 * 1024;
const SMALL_TOTAL_BYTES = 32 * 1024 * 1024;
/** Shorter ones are not compressed: head and body fit one packet either way. */
const LEAST_CODED_BYTES = 1024;
/**
 * How long the first request for a compressed form waits for it: a client at 100 Mbit/s saves 11 s of 12 with 155 MB.
 */
const CODING_MS = 5000;
/** How long compressing may continue after its first caller got the plain form. */
const LONG_MS = 10 * 60_000;

const CONTENT_TYPES: Record<Format, string> = {
  json: 'application/json; charset=utf-8',
  ndjson: 'application/x-ndjson; charset=utf-8',
  csv: 'text/csv; charset=utf-8; header=present',
  parquet: 'application/vnd.apache.parquet',
  xlsx: XLSX,
};

/** 64 KiB take 0.1 ms, 0.4 ms and 0.8 ms at these levels. */
const CODERS: Record<Coding, (body: Buffer) => Buffer> = {
  zstd: (body) => zstdCompressSync(body),
  gzip: (body) => gzipSync(body),
  br: (body) => brotliCompressSync(body, { params: { [constants.BROTLI_PARAM_QUALITY]: 5 } }),
};

/** The entity tag of a form in a content encoding. */
export const etagOf = ({ fingerprint }: Rendered, coding: Coding | 'identity'): string =>
  coding === 'identity' ? `"${fingerprint}"` : `"${fingerprint}-${coding}"`;

/**
 * Equal only for equal bytes, and known before they are read: a form that is made again has another key. Includes the
 * versions of Node's compression libraries, because compressed bytes differ between them.
 */
const fingerprintOf = ({ guid, attempt }: ReportRequest, name: string, { key }: ResultFile): string =>
  createHash('sha256').update([guid, attempt, name, key, process.version].join('/')).digest('base64url').slice(0, 22);

const words = (group: string): string => group.toLowerCase().replaceAll('_', '-');

/** `metrics-week-2026-11-01-to-2026-11-07-by-dining-option.csv`, after the group in the layout `people`. */
export function fileName(
  { group, kind, plan }: Pick<ReportRequest, 'group' | 'kind' | 'plan'>,
  { format, currencies, only }: Pick<Form, 'format' | 'currencies' | 'only'>,
): string {
  const { span, startDate, endDate, groups, aggregate } = plan;
  const dates = startDate === endDate ? dashedDate(startDate) : `${dashedDate(startDate)}-to-${dashedDate(endDate)}`;
  const by = [
    ...(groups.length > 0 ? [groups.map(words).join('-and-')] : []),
    ...(aggregate === 'DAY' ? [] : [words(aggregate)]),
  ];
  return `${[...(currencies ? [group] : []), kind, span, dates, ...by.map((one) => `by-${one}`), ...(only ? ['filtered'] : [])].join('-')}.${format}`;
}

interface RepresentationDeps {
  forms: Forms;
  log: Logger;
  config: { answerSeconds: number };
}

/** The compressed file; undefined if it takes too long or fails. */
async function codedFile(
  { forms, log }: Pick<RepresentationDeps, 'forms' | 'log'>,
  rendered: Rendered,
  coding: Coding,
  signal: AbortSignal,
): Promise<ResultFile | undefined> {
  const { timer, elapsed } = timeout(CODING_MS);
  const made = forms.coded(rendered.report, rendered.form, coding, { deadlineMs: LONG_MS, signal }).catch((error) => {
    if (!signal.aborted) log.warn({ err: error, reportRequestGuid: rendered.report.guid }, 'a form was not compressed');
    return undefined;
  });
  try {
    return await Promise.race([made, elapsed]);
  } finally {
    clearTimeout(timer);
  }
}

/** The content in a content encoding, with its headers. */
function represent(
  rendered: Rendered,
  coding: Coding | 'identity',
  content: Buffer | ResultFile,
  digest?: string,
): Representation {
  const etag = etagOf(rendered, coding);
  const bytes = Buffer.isBuffer(content) ? content.length : content.bytes;
  const { form, report } = rendered;
  const type = form.format === 'json' || form.format === 'ndjson' ? 'inline' : 'attachment';
  const headers = {
    ...rendered.common,
    etag,
    'content-type': CONTENT_TYPES[form.format],
    'content-length': String(bytes),
    'content-disposition': contentDisposition(fileName(report, form), { type }),
    ...(coding === 'identity' ? {} : { 'content-encoding': coding }),
    ...(digest ? { 'repr-digest': `sha-256=:${digest}:` } : {}),
  };
  return { of: rendered, etag, bytes, headers, content };
}

/** Opens representations of reports and caches the small ones. */
export function createRepresentations(deps: RepresentationDeps): Representations {
  const { forms } = deps;
  const share = createShare<Rendered>();
  const deadlineMs = deps.config.answerSeconds * 1000;
  const small = new LRUCache<string, Representation>({
    maxSize: SMALL_TOTAL_BYTES,
    sizeCalculation: ({ of, bytes }) => of.file.bytes + bytes + 1000,
  });

  async function open(report: ReportRequest, form: Form, signal: AbortSignal): Promise<Rendered> {
    const file = await forms.open(report, form, { deadlineMs, signal });
    return {
      report,
      form,
      file,
      body: file.bytes <= SMALL_BYTES ? await file.read() : undefined,
      fingerprint: fingerprintOf(report, formName(form), file),
      common: {
        'accept-ranges': 'bytes',
        // Clients may store the answer but must revalidate it, so that a discarded report is gone at once.
        'cache-control': 'private, no-cache',
        'x-report-as-of': new Date(report.asOf ?? 0).toISOString(),
        ...(form.only ? {} : { 'x-report-rows': String(report.rows ?? 0) }),
        ...(report.incomplete ? { 'x-report-incomplete': String(report.incomplete.count) } : {}),
      },
    };
  }

  return {
    held: (key) => small.get(key),

    render: (report, form, signal) =>
      // A thousand waiters that wake at once share one read of a small file; reading it separately took most of their
      // time.
      share(`${report.guid}/${report.attempt}/${formName(form)}`, (working) => open(report, form, working), signal),

    async code(rendered, choice, key, { digest, signal }) {
      const held = small.get(key);
      if (held) return held;
      const { form, body, file, report } = rendered;
      const plain = choice.codings.includes('identity');
      const coding = plain && file.bytes < LEAST_CODED_BYTES ? 'identity' : choice.codings[0];
      if (body) {
        const content = coding && coding !== 'identity' ? CODERS[coding](body) : body;
        const sha256 = createHash('sha256').update(content).digest('base64');
        const made = represent(rendered, coding ?? 'identity', content, sha256);
        small.set(key, made);
        return made;
      }
      if (coding && coding !== 'identity') {
        const coded = await codedFile(deps, rendered, coding, signal);
        if (coded) return represent(rendered, coding, coded, await forms.digest(report, form, coding));
        signal.throwIfAborted();
        if (!plain) throw new Problem('engine_timeout', `The report is still being compressed as ${coding}.`);
      }
      const known = await forms.digest(report, form);
      // The digest is optional: the form is sent even if the engine is not available to compute it.
      const wanted = async () => (digest ? await forms.awaitDigest(report, form, signal) : undefined);
      return represent(rendered, 'identity', file, known ?? (await wanted()));
    },
  };
}

function timeout(ms: number): { timer: NodeJS.Timeout; elapsed: Promise<undefined> } {
  const { promise, resolve } = Promise.withResolvers<undefined>();
  return { timer: setTimeout(() => resolve(undefined), ms), elapsed: promise };
}
