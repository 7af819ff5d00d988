/** The operations of downloads. */
import { exact, Guid, Text, Type } from '../contract/schemas.ts';
import { FORMATS, LAYOUTS } from '../facts/form.ts';
import {
  bodyReader,
  field,
  flagField,
  listField,
  objectField,
  optional,
  textField,
  wordField,
} from '../http/body-fields.ts';
import { json, noStore, type Operation } from '../http/operation.ts';
import { FORM_SCHEMAS } from './retrieval-operations.ts';

/** Names that are loaded have no limit; this is more than a screen can show. */
const LONGEST_SHOWN_NAME = 1000;
const HOURS = Array.from({ length: 24 }, (_, hour) => hour);
const HOUR = field(Type.Integer({ minimum: 0, maximum: 23, examples: [12] }), 'an hour from 0 to 23', (value) =>
  HOURS.find((hour) => hour === value),
);
/** The rows of the file, by what the report is split by. */
const ONLY = objectField(
  {
    businessHour: optional(listField(HOUR, { bounds: [1, 24], noun: 'hours' }), undefined),
    diningOption: optional(textField('Dine In', LONGEST_SHOWN_NAME), undefined),
    orderSource: optional(textField('IN_STORE', LONGEST_SHOWN_NAME), undefined),
  },
  {
    schema: {
      title: 'DownloadRows',
      description: 'Only the rows with these values, of a report that is split by these fields',
    },
  },
);
/** The body of POST /session/downloads, for reports of these kinds. */
export const downloadBody = (kinds: readonly string[]) =>
  bodyReader('DownloadRequest', {
    guid: field(Guid, 'a reportRequestGuid', (value) => (typeof value === 'string' ? value : undefined)),
    kind: wordField(kinds, '', Text('metrics', { description: 'The kind of the report' })),
    format: wordField(FORMATS, 'csv', Text('csv', { description: '`json`, `ndjson`, `csv`, `parquet` or `xlsx`' })),
    layout: optional(wordField(LAYOUTS, 'record'), undefined),
    fetchRestaurantNames: optional(flagField(true), undefined),
    bom: optional(flagField(false, { description: 'With csv: a byte order mark' }), false),
    only: optional(ONLY, undefined),
  });
const Download = Type.Object(
  {
    path: Text('/session/downloads/…'),
    expiresIn: Type.Integer({ minimum: 1, description: 'Seconds', examples: [60] }),
  },
  { ...exact, title: 'Download' },
);

/** POST /session/downloads. */
export const prepareDownload: Operation = {
  id: 'prepareDownload',
  summary: 'Get a path at which the browser saves a report to disk',
  description:
    'The path can be used once, within 60 seconds, in the same session: a link sends no token, and a large file does not fit into a page. ' +
    'The request needs `Content-Type: application/json`, and `Sec-Fetch-Site: same-origin` or an `Origin` that equals the address of the service.',
  tag: 'Sessions',
  headers: noStore,
  body: {
    description: 'The report and its format.',
    required: true,
    content: json(downloadBody([]).schema),
  },
  answers: {
    200: { description: 'The path.', headers: noStore, content: json(Download) },
  },
  problems: [
    ...(['invalid_body', 'unknown_field', 'session_missing', 'cross_site_refused', 'scope_missing'] as const),
    ...(['report_not_found', 'report_expired', 'report_of_another_kind', 'report_not_ready'] as const),
  ],
};

/** GET /session/downloads/{key}. */
export const readDownload: Operation = {
  id: 'readDownload',
  summary: 'Save a report to disk',
  description: 'Answers as the retrieval of the report does. `HEAD` does not use it up.',
  tag: 'Sessions',
  parameters: [
    { in: 'path', name: 'key', description: 'From `POST /session/downloads`', schema: Text('Xq3…'), required: true },
  ],
  answers: {
    200: {
      description: 'The file.',
      content: {
        'application/json': Type.Array(Type.Object({}, { additionalProperties: true })),
        ...FORM_SCHEMAS,
      },
    },
  },
  limited: 'retrieval',
  problems: ['session_missing', 'download_not_found', 'report_not_found', 'engine_timeout'],
};
