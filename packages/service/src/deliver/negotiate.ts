/** Chooses the form and the content encoding: `format`, `Accept` and `Accept-Encoding` (RFC 9110 12.4 and 12.5). */
import Negotiator from 'negotiator';
import { Problem } from '../contract/problems.ts';
import { FORMATS, type Format } from '../facts/form.ts';
import { type AcceptedCoding, acceptedCodings, acceptsAnything } from '../http/content-coding.ts';
import { wordParameter } from '../http/query-parameters.ts';
import { keepMost } from '../kept.ts';

/** The media type of a workbook. */
export const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** The first is the default. */
const TYPES: Record<string, Format> = {
  'application/json': 'json',
  'application/x-ndjson': 'ndjson',
  'text/csv': 'csv',
  'application/vnd.apache.parquet': 'parquet',
  [XLSX]: 'xlsx',
};
export const formatParameter = wordParameter(
  'format',
  'The format of the answer; it takes precedence over `Accept`. `json` by default',
  FORMATS,
  'json',
);

export interface Choice {
  format: Format;
  /** The encodings that the client accepts, best first. */
  codings: readonly AcceptedCoding[];
  /** Equal for all requests with the same choice. */
  key: string;
}

const choiceOf = (format: Format, codings: Choice['codings']): Choice => ({
  format,
  codings,
  key: `${format}:${codings.join()}`,
});
const PLAIN = choiceOf('json', ['identity']);

/**
 * Cached because clients send the same few values: parsing them took longer than the rest of a small answer except the
 * token.
 */
const known = keepMost<Choice>(500);
const LONGEST_KNOWN = 500;

/** Throws a Problem: 400 for an unknown format, 406 if no form or no encoding is acceptable. */
export function negotiate(
  format: unknown,
  {
    accept,
    'accept-encoding': encoding,
  }: { accept?: string | undefined; 'accept-encoding'?: string | string[] | undefined },
): Choice {
  if (format === undefined && accept === undefined && encoding === undefined) return PLAIN;
  // As JSON, in which a missing value is no text.
  const key = JSON.stringify([format, accept, encoding]);
  const found = known.get(key);
  if (found) return found;
  const choice = readChoice(readFormat(format, accept), readCodings(encoding));
  if (key.length <= LONGEST_KNOWN && (format === undefined || typeof format === 'string')) known.set(key, choice);
  return choice;
}

function readChoice(format: Format, codings: Choice['codings']): Choice {
  if (format !== 'parquet' && format !== 'xlsx') return choiceOf(format, codings);
  if (codings.includes('identity')) return choiceOf(format, ['identity']);
  throw new Problem(
    'not_acceptable',
    `A file of ${format} is already compressed and sent unencoded, which the Accept-Encoding header refuses.`,
  );
}

function readFormat(format: unknown, accept: string | undefined): Format {
  const named = formatParameter.read({ format });
  if (named) return named;
  if (accept === undefined || acceptsAnything(accept)) return 'json';
  // Parameters like `charset=utf-8` do not distinguish one form from another.
  const bare = accept.replaceAll(/;\s*(?!q\s*=)[\w!#$&^.+-]+\s*=\s*("(?:[^"\\]|\\.)*"|[^;,]*)/gi, '');
  const type = new Negotiator({ headers: { accept: bare } }).mediaType(Object.keys(TYPES));
  const taken = type === undefined ? undefined : TYPES[type];
  if (taken) return taken;
  throw new Problem(
    'not_acceptable',
    `A report is answered as ${Object.keys(TYPES).join(', ')}; the Accept header allows none of them.`,
  );
}

function readCodings(header: string | string[] | undefined): Choice['codings'] {
  const codings = acceptedCodings(header);
  if (codings.length > 0) return codings;
  throw new Problem('not_acceptable', 'The Accept-Encoding header allows none of zstd, br, gzip and identity.');
}
