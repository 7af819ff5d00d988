/** The operations of imports. */
import { readBusinessDate } from '../contract/dates.ts';
import { fieldProblem } from '../contract/problems.ts';
import { BusinessDate, exact, Guid, Instant, Nullable, Text, Type } from '../contract/schemas.ts';
import { SCOPE_INGEST, SCOPE_READ } from '../contract/words.ts';
import { ifNoneMatch, taggedAnswers } from '../http/conditional.ts';
import { json, type Operation } from '../http/operation.ts';
import { booleanParameter, guidParameter } from '../http/query-parameters.ts';
import { restaurantInPath } from '../ingest/load-operations.ts';
import { exportBody } from './export-body.ts';

const Menus = Type.Object(
  {
    file: Text('MenuExport_185129.json'),
    date: Type.Integer({ examples: [20260310] }),
    menus: Type.Integer({ minimum: 0, examples: [3] }),
    groups: Type.Integer({ minimum: 0, examples: [14] }),
    items: Type.Integer({ minimum: 0, examples: [210] }),
    skipped: Type.Optional(
      Type.Integer({
        minimum: 0,
        description:
          'Menus, groups and items that are not stored, as in the answer of `PUT /restaurants/{restaurantGuid}/menus`',
        examples: [0],
      }),
    ),
    state: Type.Enum(['loaded', 'older', 'not read', 'not loaded'], {
      description: '`older`: the stored menus remain, because a later date is loaded',
    }),
    message: Nullable(Text('it is not JSON')),
  },
  { ...exact, title: 'ImportedMenus', description: 'The menus of the menu export' },
);
const Report = Type.Object(
  {
    dryRun: Type.Boolean({ examples: [false] }),
    restaurantGuid: Guid,
    days: Type.Array(Type.Object({}, { additionalProperties: true })),
    notTried: Type.Array(Type.Integer()),
    foldersNotRead: Type.Optional(
      Type.Array(Type.Object({}, { additionalProperties: true }), { description: 'Of `daypart import`; empty here' }),
    ),
    complete: Type.Boolean({
      description: 'Whether every row of every file, and the menus, were read and loaded',
      examples: [true],
    }),
    cannotGive: Type.Array(Type.Object({}, { additionalProperties: true })),
    menus: Type.Optional(Nullable(Menus)),
  },
  { ...exact, title: 'ImportReport', description: 'As `daypart import --json` prints it' },
);
const Listed = Type.Object(
  {
    importId: Type.String({ format: 'uuid' }),
    businessDate: BusinessDate,
    at: Instant,
    restaurantGuid: Guid,
    clientId: Text('client-3f1c2a9b8d7e'),
    report: Report,
  },
  { ...exact, title: 'Import' },
);
export const dryRunParameter = booleanParameter(
  'dryRun',
  'Read and check everything, load nothing; false by default',
  true,
);
export const forceDateParameter = booleanParameter(
  'forceDate',
  'Load the files even if most orders or time entries have no time within two days of the date; false by default',
  true,
);
export const forceLocationParameter = booleanParameter(
  'forceLocation',
  'Load the files even if their rows are of several locations; false by default',
  true,
);
export const restaurantOnly = guidParameter('restaurant', 'Only imports of this restaurant');

/** The date of POST /restaurants/{restaurantGuid}/exports/{exportDate}, described and read here. */
export const exportDateInPath = {
  in: 'path' as const,
  name: 'exportDate',
  description: 'The business date, YYYYMMDD',
  schema: BusinessDate,
  required: true,
  /** Throws a Problem that names it unless the text is an existing date. */
  read(text: string): number {
    const date = /^\d{8}$/.test(text) ? readBusinessDate(text) : undefined;
    if (date !== undefined) return date;
    throw fieldProblem('invalid_date', 'exportDate', 'The last part of the path must be an existing date, YYYYMMDD.');
  },
};

/** POST /restaurants/{restaurantGuid}/exports/{exportDate}. */
export const importExport: Operation = {
  id: 'importExport',
  summary: 'Import the export files of a business date',
  description:
    'The files of one day folder of the export (`OrderDetails.csv` and others), at most 32 MiB together. The date is read whole before anything ' +
    'of it is loaded; importing it again replaces what was imported before. What could not be read is in the report, with file and line. A date ' +
    'whose files are of other dates or of several locations is refused in the report (`refusal` of the day), unless a parameter says to load it.',
  tag: 'Loading',
  scopes: [SCOPE_INGEST],
  parameters: [restaurantInPath, exportDateInPath, dryRunParameter, forceDateParameter, forceLocationParameter],
  body: {
    description: 'The files.',
    required: true,
    content: { 'multipart/form-data': exportBody.schema },
    streamed: true,
  },
  answers: { 200: { description: 'The report.', content: json(Report) } },
  problems: [
    'invalid_body',
    'invalid_date',
    'invalid_parameter',
    'restaurant_not_found',
    'body_too_large',
    'storage_full',
  ],
};

/** GET /imports. */
export const listImports: Operation = {
  id: 'listImports',
  summary: 'List the imports of the last 30 days',
  tag: 'Loading',
  scopes: [SCOPE_READ, SCOPE_INGEST],
  parameters: [restaurantOnly, ifNoneMatch],
  answers: taggedAnswers(
    'The last 200 over HTTP, newest first; of each file at most 50 rows that were skipped, and that were not read.',
    Type.Array(Listed),
  ),
  problems: ['invalid_parameter'],
};
