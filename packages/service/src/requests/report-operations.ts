/** The operations that read, list, compare and delete reports. */
import type { TProperties } from 'typebox';
import { MOST_INCOMPLETE, STILL_READING } from '../contract/report-outcome.ts';
import {
  BusinessDate,
  ByDialect,
  Count,
  Currency,
  exact,
  Guid,
  Instant,
  Nullable,
  Text,
  Type,
  Words,
} from '../contract/schemas.ts';
import { SCOPE_READ } from '../contract/words.ts';
import { FORMATS, LAYOUTS } from '../facts/form.ts';
import { FAMILIES, type Families } from '../families/index.ts';
import { ifNoneMatch, taggedAnswers } from '../http/conditional.ts';
import { json, type Operation, type Parameter } from '../http/operation.ts';
import {
  clientParameter,
  guidParameter,
  pageParameter,
  required,
  wholeParameter,
  wordParameter,
} from '../http/query-parameters.ts';
import { pageCursor } from './report-cursor.ts';
import { guidInPath, InProgress, prefer, preferenceApplied } from './wait-operations.ts';

const MaybeInstant = Nullable(Instant);
const Figure = Type.Union([Type.Number(), Type.String(), Type.Boolean(), Type.Null()]);
const Totals = Type.Array(
  Type.Object(
    { currencyCode: Currency, rows: Nullable(Type.Integer()) },
    {
      additionalProperties: Type.Union([Type.Number(), Type.String(), Type.Null()]),
      title: 'CurrencyTotals',
      description:
        'How many rows of one currency there are (null in reports of an earlier version), and their sums, by the names and types of the fields in the dialect of the credential',
      examples: [{ currencyCode: 'USD', rows: 1, ordersCount: 2, netSalesAmount: 18 }],
    },
  ),
  {
    title: 'ControlTotals',
    description: 'One entry for each currency of the restaurants: amounts of different currencies are never added',
  },
);

const IncompleteDays = Type.Array(
  Type.Object(
    {
      restaurantGuid: Guid,
      businessDate: BusinessDate,
      missing: Words(['items', 'payments', STILL_READING], { examples: ['items'] }),
    },
    { ...exact, title: 'IncompleteDay' },
  ),
  {
    maxItems: MOST_INCOMPLETE,
    description: `The first ${MOST_INCOMPLETE} restaurants and dates with orders that were loaded before items or payments were kept (only of reports made from them: load those orders again), or that a connection has yet to read (absent from other reports if there are none). Dates of orders that were paid in the span may be outside it`,
  },
);

const ShownDaypart = Type.Object(
  { name: Text('Breakfast'), from: Text('05:00'), to: Text('11:00') },
  { ...exact, title: 'ReportDaypart' },
);

const STATUSES = ['IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED'] as const;

export const ReportStatus = Type.Object(
  {
    reportRequestGuid: Guid,
    kind: Words(Object.keys(FAMILIES), { examples: ['metrics'] }),
    clientId: Text('client-3f1c2a9b8d7e', { description: 'The client that requested it' }),
    request: Type.Object(
      {
        method: Type.Literal('POST'),
        path: Text('/metrics/day'),
        body: Type.Object({}, { additionalProperties: true, examples: [{ startBusinessDate: '20260310' }] }),
        dayparts: Type.Optional(
          Type.Array(ShownDaypart, {
            description: 'Only for a completed report by daypart: the dayparts of the group when it was gathered',
          }),
        ),
        restaurantDayparts: Type.Optional(
          Type.Array(
            Type.Object(
              { restaurantGuid: Guid, dayparts: Type.Array(ShownDaypart) },
              { ...exact, title: 'OwnDayparts' },
            ),
            { description: 'The dayparts of restaurants that differed' },
          ),
        ),
      },
      { ...exact, title: 'ReportCall', description: 'The call that created it; the path is relative to the base' },
    ),
    status: Words(STATUSES, { examples: ['COMPLETED'] }),
    rows: Nullable(Count),
    bytes: Nullable(Count),
    createdAt: Instant,
    completedAt: MaybeInstant,
    expiresAt: Instant,
    asOf: MaybeInstant,
    controlTotals: Nullable(Totals),
    incomplete: Type.Optional(Nullable(IncompleteDays)),
    failure: Type.Union([Type.Object({ code: Type.String(), message: Type.String() }, exact), Type.Null()], {
      examples: [null],
    }),
  },
  { ...exact, title: 'ReportStatus' },
);

const ReportFile = Type.Object(
  {
    format: Words(FORMATS, { examples: ['csv'] }),
    layout: Words(LAYOUTS, { examples: ['record'] }),
    fetchRestaurantNames: Type.Boolean({ examples: [false] }),
    bom: Type.Boolean({ examples: [false], description: 'Whether it begins with a byte order mark' }),
    bytes: Count,
  },
  { ...exact, title: 'ReportFile' },
);
const ReportWithFiles = Type.Object(
  {
    ...ReportStatus.properties,
    files: Type.Array(ReportFile, {
      description:
        'The uncompressed files of a completed report that exist; others are made when they are first retrieved',
    }),
  },
  { ...exact, title: 'ReportWithFiles' },
);

/** GET /reports/{guid}. */
export const getReport: Operation = {
  id: 'getReport',
  summary: 'Get a report request and its status',
  tag: 'Reports',
  scopes: [SCOPE_READ],
  parameters: [guidInPath],
  answers: { 200: { description: 'The report request', content: json(ReportWithFiles) } },
  problems: ['report_not_found'],
};

export const reportsOnPage = pageParameter('Reports on a page; 20 by default', 100, 20);
export const kindOnly = (kinds: readonly string[]) =>
  wordParameter('kind', 'Only reports of this kind; all by default', kinds, 'metrics');
export const statusOnly = wordParameter(
  'status',
  'Only reports with this status; any by default',
  STATUSES,
  'COMPLETED',
);
export const entriesOnPage = pageParameter('Entries of each list on a page; 100 by default', 1000, 100);
export const changesCursor = wholeParameter(
  'cursor',
  'The `nextCursor` of the previous page',
  [0, 1_000_000_000],
  Type.String({ pattern: '^\\d{1,10}$', examples: ['100'] }),
);

/** The parameters of the list. */
const listParameters = (kinds: readonly string[]): Parameter[] => [
  ...[reportsOnPage, pageCursor, kindOnly(kinds), clientParameter, statusOnly],
];

/** GET /reports. */
export const listReports = ({ kinds }: Families): Operation => ({
  id: 'listReports',
  summary: 'List the reports of the management group',
  description:
    'Newest first, including expired and cancelled ones for 30 days after they expire. Reports that are created or removed meanwhile cause neither duplicates nor gaps.',
  tag: 'Reports',
  scopes: [SCOPE_READ],
  parameters: [...listParameters(kinds), ifNoneMatch],
  answers: taggedAnswers(
    'A page',
    Type.Object(
      { reports: Type.Array(ReportStatus), nextCursor: Nullable(Text('MTc3NDAyOTYwMDAwMCBm')) },
      { ...exact, title: 'ReportList' },
    ),
  ),
  problems: ['invalid_parameter'],
});

/** DELETE /reports/{guid}. */
export const deleteReport: Operation = {
  id: 'deleteReport',
  summary: 'Cancel or discard a report',
  description:
    'A report in progress is cancelled, a completed one is removed. Its retrieval is 404 afterwards. Repeating the call is not an error.',
  tag: 'Reports',
  scopes: [SCOPE_READ],
  parameters: [guidInPath],
  answers: { 204: { description: 'The report is cancelled or removed' } },
  problems: ['report_not_found', 'storage_full'],
};

const Move = Type.Object(
  { before: Figure, after: Figure, change: Type.Optional(Type.Union([Type.Number(), Type.String()])) },
  { ...exact, title: 'FigureChange', examples: [{ before: 9, after: 5, change: -4 }] },
);
const changeOf = (title: string, guids: TProperties) =>
  Type.Array(
    Type.Object(
      {
        restaurantGuid: Guid,
        ...guids,
        businessDate: BusinessDate,
        change: Words(['ADDED', 'REMOVED', 'CHANGED'], { examples: ['CHANGED'] }),
        figures: Type.Record(Type.String(), Move, {
          examples: [{ netSalesAmount: { before: 9, after: 5, change: -4 } }],
        }),
      },
      { ...exact, title },
    ),
  );
const Display = ByDialect(Nullable(Type.Integer()), Nullable(Type.String()), {
  description: 'A string in the dialect `live`, as in its rows',
  examples: [17],
});

const ReportChanges = Type.Object(
  {
    reportRequestGuid: Guid,
    since: Guid,
    asOf: MaybeInstant,
    sinceAsOf: MaybeInstant,
    controlTotals: Type.Object({ before: Totals, after: Totals, change: Totals }, exact),
    checks: Type.Optional(
      changeOf('CheckChange', {
        orderGuid: Guid,
        checkGuid: Guid,
        orderNumber: Display,
        checkNumber: Display,
      }),
    ),
    orders: Type.Optional(changeOf('OrderChange', { orderGuid: Guid })),
    lines: Type.Optional(
      changeOf('LineChange', {
        orderGuid: Guid,
        checkGuid: Guid,
        modifier: Type.Boolean({ description: 'A modifier, and not an item', examples: [false] }),
        itemGuid: Nullable(Text('i1')),
        itemName: Nullable(Text('Burger', { description: 'As in the order' })),
        menuGroupGuid: Nullable(Text('g1')),
        menuGroupName: Nullable(Text('Burgers')),
        menuGuid: Nullable(Text('m1')),
        menuName: Nullable(Text('Dinner')),
      }),
    ),
    timeEntries: Type.Optional(changeOf('TimeEntryChange', { timeEntryGuid: Guid })),
    nextCursor: Nullable(Text('100')),
  },
  { ...exact, title: 'ReportChanges' },
);

export const sinceReport = required(
  guidParameter('since', 'The GUID of the earlier report', 'the reportRequestGuid of an earlier report'),
);

/** GET /reports/{guid}/changes. */
export const getReportChanges: Operation = {
  id: 'getReportChanges',
  summary: 'Get the changes since an earlier report of the same request',
  tag: 'Reports',
  scopes: [SCOPE_READ],
  parameters: [guidInPath, sinceReport, entriesOnPage, changesCursor, prefer],
  answers: {
    200: {
      description: 'A page of changes',
      headers: { 'Preference-Applied': preferenceApplied },
      content: json(ReportChanges),
    },
    202: InProgress,
  },
  problems: [
    'invalid_parameter',
    'reports_not_comparable',
    'report_not_found',
    'report_expired',
    'report_failed',
    'engine_timeout',
  ],
};
