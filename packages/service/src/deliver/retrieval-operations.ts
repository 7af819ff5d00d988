/** The operations of retrieval. */
import type { ProblemCode } from '../contract/problems.ts';
import { ByDialect, Count, Instant, Text, Type, Words } from '../contract/schemas.ts';
import type { Scope } from '../contract/words.ts';
import { LAYOUTS } from '../facts/form.ts';
import { type ReportFamily, takesNames, timeRangesOf } from '../families/family.ts';
import { ifNoneMatch, TAGGED } from '../http/conditional.ts';
import type { Answer, Header, Operation, Parameter } from '../http/operation.ts';
import { booleanParameter, wordParameter } from '../http/query-parameters.ts';
import { guidInPath, InProgress, prefer, preferenceApplied } from '../requests/wait-operations.ts';
import { formatParameter, XLSX } from './negotiate.ts';

const namesWanted = booleanParameter(
  'fetchRestaurantNames',
  'Whether each record has `restaurantName`; false by default',
);
const namesIgnored = booleanParameter(
  'fetchRestaurantNames',
  'Accepted and without effect: the fields of these records are always the same',
);
export const namesParameter = (family: ReportFamily) => (takesNames(family) ? namesWanted : namesIgnored);
export const byteOrderMark = booleanParameter(
  'bom',
  'Whether CSV begins with a byte order mark, which spreadsheets require to recognise UTF-8; false by default, 400 with any other format',
);
export const layoutParameter = wordParameter(
  'layout',
  '`people`: the name of the restaurant and `currencyCode` first, GUIDs last, in CSV dates as 2026-03-10; with names unless `fetchRestaurantNames=false`. `record` by default; JSON and NDJSON have no other, and xlsx has only `people`: 400',
  LAYOUTS,
  'record',
);
const PARAMETERS: Parameter[] = [
  formatParameter,
  layoutParameter,
  byteOrderMark,
  {
    in: 'header',
    name: 'Accept-Encoding',
    description: '`gzip`, `br` or `zstd`',
    schema: Text('gzip'),
  },
  {
    in: 'header',
    name: 'If-Match',
    description: 'The required `ETag`: 412 if the current one differs',
    schema: Text('"4f1c"'),
  },
  ifNoneMatch,
  {
    in: 'header',
    name: 'Range',
    description: 'A range of the result, in bytes',
    schema: Text('bytes=0-1023'),
  },
  {
    in: 'header',
    name: 'If-Range',
    description: 'The `ETag` of the partial download; if it differs, the answer is the whole result',
    schema: Text('"4f1c"'),
  },
  {
    in: 'header',
    name: 'Want-Repr-Digest',
    description: '`sha-256=1` requests the digest, even if it has to be computed (RFC 9530)',
    schema: Text('sha-256=1'),
  },
  prefer,
];

const rows: Record<string, Header> = {
  ETag: TAGGED.ETag,
  'X-Report-As-Of': { description: 'The time of the snapshot that the rows were computed from', schema: Instant },
  'X-Report-Rows': { description: 'How many records there are', schema: Count },
  'X-Report-Incomplete': {
    description:
      'Number of restaurants and dates of which items or payments are missing, or that a connection has yet to read, if any: see `GET /reports/{guid}`',
    schema: Count,
    optional: true,
  },
  'Accept-Ranges': { description: 'Ranges are in bytes', schema: Type.Literal('bytes') },
  'Cache-Control': TAGGED['Cache-Control'],
};
/** Headers of answers that have a body. */
const file: Record<string, Header> = {
  'Content-Disposition': {
    description: 'A file name for the report',
    schema: Text('attachment; filename="check-day-2026-03-10.csv"'),
  },
  'Content-Encoding': { description: 'Missing if the body is not compressed', schema: Text('zstd'), optional: true },
  'Repr-Digest': {
    description: 'SHA-256 of the whole form as encoded, if known (RFC 9530)',
    schema: Text('sha-256=:47DEQpj8HBSa+/TImW+5JCeuQeRkm5NMpJWZG3hSuFU=:', {
      pattern: '^sha-256=:[A-Za-z0-9+/]{43}=:$',
    }),
    optional: true,
  },
};
const vary: Header = {
  description: 'What the answer depends on',
  schema: Text('Accept, Accept-Encoding, Authorization'),
};
/** The forms of any report but JSON. */
export const FORM_SCHEMAS = {
  'application/x-ndjson': Text('{"…":"…", …}\n', {
    title: 'RecordLines',
    description: 'One JSON record per line',
  }),
  'text/csv': Text('…,…,…\n…,…,…\n', {
    title: 'RecordTable',
    description: 'A line of field names, then one record per line; null is an empty cell',
  }),
  'application/vnd.apache.parquet': Type.String({
    title: 'ParquetFile',
    format: 'binary',
    description: 'A Parquet file',
  }),
  [XLSX]: Type.String({
    title: 'Workbook',
    format: 'binary',
    description: 'A workbook, always in the layout `people`',
  }),
};

function contentOf({ title, records }: ReportFamily): NonNullable<Answer['content']> {
  const report = { title: `${title}Report` };
  return {
    'application/json':
      records.reference === records.live
        ? Type.Array(records.reference, report)
        : ByDialect(Type.Array(records.reference), Type.Array(records.live), {
            ...report,
            description: 'In the dialect of the credential: reference or live',
          }),
    ...FORM_SCHEMAS,
  };
}

/** GET {path}/{guid}. All of the scopes are required. */
export function retrieve(family: ReportFamily, scopes: readonly Scope[]): Operation {
  const form: Answer = {
    description: 'The records; an empty array if there are none. With 206 the requested range of these bytes',
    headers: {
      ...rows,
      ...file,
      'Content-Range': {
        description: 'With 206: which bytes of how many',
        schema: Text('bytes 0-1023/4096'),
        optional: true,
      },
      'Preference-Applied': preferenceApplied,
    },
    content: contentOf(family),
  };
  return {
    id: `retrieve${family.title}`,
    summary: family.summary,
    description:
      'The form is chosen by `format` or `Accept`. The same report request returns the same bytes every time.',
    tag: 'Retrieval',
    scopes,
    allScopes: true,
    parameters: [guidInPath, namesParameter(family), ...PARAMETERS],
    answers: {
      200: form,
      202: InProgress,
      206: form,
      304: { description: 'The `ETag` in `If-None-Match` is still current', headers: rows },
    },
    problems: [
      'too_many_at_once',
      'invalid_parameter',
      'report_not_found',
      'report_expired',
      'report_of_another_kind',
      'not_acceptable',
      'report_failed',
      'precondition_failed',
      'range_not_satisfiable',
      // On paths that are not deprecated, only the sandbox answers this.
      'sunset_passed',
      'engine_timeout',
      'storage_full',
    ] satisfies ProblemCode[],
    headers: { Vary: vary },
    limited: 'retrieval',
  };
}

/** GET {path}/{timeRange}/{guid}, deprecated. */
export function retrieveInRange(family: ReportFamily, scopes: readonly Scope[]): Operation {
  const { parameters = [], ...rest } = retrieve(family, scopes);
  return {
    ...rest,
    id: `retrieve${family.title}InRange`,
    summary: `${family.summary}, by its time range`,
    description: `Answers as \`GET ${family.path}/{reportRequestGuid}\` does, which replaces it; 410 after the sunset. Every answer says so, problems too: by \`Deprecation\`, \`Sunset\` and \`Link\`.`,
    deprecated: true,
    parameters: [
      {
        in: 'path',
        name: 'timeRange',
        description: 'The time range that the report request was created with',
        schema: Words(timeRangesOf(family), { title: 'TimeRange', examples: ['day'] }),
      },
      ...parameters,
    ],
  };
}
