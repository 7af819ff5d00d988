/** The operations of loading. */
import type { TSchema } from 'typebox';
import { idempotencyKey, replayed } from '../access/access-operations.ts';
import { Count, exact, Guid, Nullable, Text, Type } from '../contract/schemas.ts';
import { SCOPE_INGEST } from '../contract/words.ts';
import { json, type Operation, type Parameter } from '../http/operation.ts';
import { MOST_NOTES } from './notes.ts';
import {
  ORDER_EXAMPLE,
  OrderSchema,
  SETTLEMENT_EXAMPLE,
  SettlementSchema,
  TIME_ENTRY_EXAMPLE,
  TimeEntrySchema,
} from './record-schemas.ts';
import { MOST_LISTED } from './rejections.ts';

const LoadAnswer = Type.Object(
  {
    accepted: Type.Integer({
      minimum: 0,
      description: 'Records that replaced another version, or were the first',
      examples: [41],
    }),
    unchanged: Type.Integer({
      minimum: 0,
      description: 'Records that are the same as the stored version, or older',
      examples: [1],
    }),
    rejected: Type.Array(
      Type.Object(
        {
          index: Count,
          guid: Nullable(Text('0d000000-0000-4000-8000-000000000001')),
          pointer: Text('/checks/0/taxAmount'),
          message: Text('taxAmount must be a number from -1e11 to 1e11'),
        },
        { ...exact, title: 'RejectedRecord' },
      ),
      {
        maxItems: MOST_LISTED,
        description: `The first ${MOST_LISTED} records that could not be read; \`index\` is the place in the body, from 0`,
      },
    ),
    rejectedCount: Type.Integer({
      minimum: 0,
      description: 'Number of invalid records, listed or not',
      examples: [1],
    }),
    notes: Type.Optional(
      Type.Array(
        Type.Object(
          {
            index: Count,
            guid: Text('0d000000-0000-4000-8000-000000000001'),
            pointer: Text('/checks/0/paymentStatus'),
            message: Text('paymentStatus PARTIALLY_PAID is unknown and counts as OPEN'),
            count: Type.Integer({ minimum: 1, description: 'Number of places that have the word', examples: [3] }),
          },
          { ...exact, title: 'LoadNote' },
        ),
        {
          maxItems: MOST_NOTES,
          description: `The first ${MOST_NOTES} unknown words of accepted records, each with the first place that has it; absent without any`,
        },
      ),
    ),
  },
  { ...exact, title: 'LoadAnswer' },
);

export const restaurantInPath: Parameter = {
  in: 'path',
  name: 'restaurantGuid',
  description: 'The GUID of a restaurant; upper case is accepted',
  schema: Guid,
};

function load(id: string, summary: string, record: TSchema & { title?: string }, example: object): Operation {
  const lines = Text(`${JSON.stringify(example)}\n`, {
    title: `${record.title}Lines`,
    description: 'One record per line',
  });
  return {
    id,
    summary,
    description:
      'Accepted records are durable. Records are identified by their GUID; the version with the newest `modifiedDate` is current.',
    tag: 'Loading',
    scopes: [SCOPE_INGEST],
    parameters: [
      restaurantInPath,
      idempotencyKey,
      {
        in: 'header',
        name: 'Content-Encoding',
        description: '`gzip`, or no header',
        schema: Text('gzip', { enum: ['gzip', 'identity'] }),
      },
    ],
    body: {
      description: 'Records, any number of them',
      required: true,
      content: {
        'application/json': Type.Array(record),
        'application/x-ndjson': lines,
        'application/ndjson': lines,
      },
      streamed: true,
      gzip: true,
    },
    answers: {
      200: {
        description: 'The result of the load',
        headers: {
          'Idempotency-Replayed': replayed,
        },
        content: json(LoadAnswer),
      },
    },
    problems: [
      'restaurant_not_found',
      'too_many_rejected',
      'expansion_too_large',
      'invalid_idempotency_key',
      'idempotency_key_reused',
      'engine_timeout',
      'storage_full',
      'busy',
    ],
  };
}

/** POST /restaurants/{guid}/orders. */
export const loadOrders = load('loadOrders', 'Load orders', OrderSchema, ORDER_EXAMPLE);
/** POST /restaurants/{guid}/time-entries. */
export const loadTimeEntries = load('loadTimeEntries', 'Load time entries', TimeEntrySchema, TIME_ENTRY_EXAMPLE);
/** POST /restaurants/{guid}/payouts. */
export const loadSettlements = load('loadSettlements', 'Load settlements', SettlementSchema, SETTLEMENT_EXAMPLE);

/** DELETE /restaurants/{guid}/orders/{orderGuid}. */
export const deleteOrder: Operation = {
  id: 'deleteOrder',
  summary: 'Delete an order',
  description:
    'The order counts as deleted in reports created from now on; `changes` lists it as removed. Repeating the call is not an error. Loading the order with a newer `modifiedDate` restores it.',
  tag: 'Loading',
  scopes: [SCOPE_INGEST],
  parameters: [
    restaurantInPath,
    {
      in: 'path',
      name: 'orderGuid',
      description: 'The `guid` of the order',
      schema: Type.String({ format: 'uuid', examples: [ORDER_EXAMPLE.guid] }),
    },
  ],
  answers: { 204: { description: 'The order is deleted' } },
  problems: ['restaurant_not_found', 'order_not_found', 'engine_timeout', 'storage_full', 'busy'],
};
