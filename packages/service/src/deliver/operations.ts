/** What the operations of this room say of themselves. */
import Type from 'typebox';
import { SCOPE_READ } from '../contract/words.ts';
import type { Operation } from '../operation.ts';
import { PROBLEMS, type ProblemCode } from '../problems.ts';

const instant = (description: string) => Type.String({ format: 'date-time', description });
const orNull = <Schema extends Type.TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
const whole = (description: string) => Type.Integer({ minimum: 0, description });

/** A report as GET /reports and GET /reports/{guid} show it. */
export const REPORT = Type.Object(
  {
    reportRequestGuid: Type.String({ format: 'uuid' }),
    kind: Type.Enum(['metrics', 'check']),
    request: Type.Object(
      {
        method: Type.Literal('POST'),
        path: Type.String({ description: 'Without the base, with its query.' }),
        body: Type.Object({}, { additionalProperties: true }),
      },
      { description: 'The call that made it.', additionalProperties: false },
    ),
    status: Type.Enum(['IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED']),
    rows: orNull(whole('Records.')),
    bytes: orNull(whole('Of the form that the asking client reads.')),
    createdAt: instant('When it was asked for.'),
    completedAt: orNull(instant('When it was completed, or failed.')),
    expiresAt: instant('Until when it can be read.'),
    asOf: orNull(instant('The snapshot that the rows were computed from.')),
    controlTotals: orNull(
      Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]), {
        description: 'Sums over the rows, by the fields of the records.',
      }),
    ),
    failure: orNull(
      Type.Object(
        { code: Type.Enum(Object.keys(PROBLEMS) as ProblemCode[]), message: Type.String() },
        { additionalProperties: false },
      ),
    ),
  },
  { additionalProperties: false },
);

export const LIST_REPORTS: Operation = {
  id: 'listReports',
  summary: 'List the reports of the management group',
  description:
    'Newest first, those that have expired or were cancelled too, for 30 days after their expiry. Pages stay in step while reports come and go.',
  tag: 'Reports',
  scopes: [SCOPE_READ],
  parameters: [
    {
      in: 'query',
      name: 'limit',
      description: 'Reports on a page; 20 by default.',
      schema: Type.Integer({ minimum: 1, maximum: 100, default: 20 }),
    },
    { in: 'query', name: 'cursor', description: '`nextCursor` of the page before.', schema: Type.String() },
    {
      in: 'query',
      name: 'kind',
      description: 'Reports of one kind; of both by default.',
      schema: Type.Enum(['metrics', 'check']),
    },
    {
      in: 'query',
      name: 'status',
      description: 'Reports with one status; with any by default.',
      schema: Type.Enum(['IN_PROGRESS', 'COMPLETED', 'FAILED', 'CANCELLED', 'EXPIRED']),
    },
  ],
  answers: {
    200: {
      description: 'A page.',
      content: {
        'application/json': Type.Object(
          {
            reports: Type.Array(REPORT),
            nextCursor: orNull(Type.String({ description: 'Null on the last page.' })),
          },
          { additionalProperties: false },
        ),
      },
    },
  },
  problems: ['invalid_parameter', 'unknown_parameter'],
};

export const DELETE_REPORT: Operation = {
  id: 'deleteReport',
  summary: 'Cancel or discard a report',
  description:
    'One that is in progress is called off, one that is there is removed; its retrieval is 404 from then on. Again is no error.',
  tag: 'Reports',
  scopes: [SCOPE_READ],
  parameters: [
    {
      in: 'path',
      name: 'guid',
      description: 'The reportRequestGuid.',
      schema: Type.String({ format: 'uuid' }),
      required: true,
    },
  ],
  answers: { 204: { description: 'It is cancelled, or was no longer there to be read.' } },
  problems: ['report_not_found'],
};
