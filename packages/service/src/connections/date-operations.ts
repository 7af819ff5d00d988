/** The operation on the dates of a connection that were read as a whole. */
import { BusinessDate, Count, exact, Guid, Instant, Type, Words } from '../contract/schemas.ts';
import { json, type Operation } from '../http/operation.ts';
import { guidParameter, monthParameters } from '../http/query-parameters.ts';
import { ORDER_DIFFERENCES } from '../ledger/connection.ts';
import { inPath, PREVIEW, reading, tag } from './connection-operations.ts';
import { MaybeInstant } from './connection-schemas.ts';

export const spanOfDates = monthParameters('dates of a connection');
export const datesRestaurant = guidParameter('restaurant', 'The restaurant; required');

const ReadDate = Type.Object(
  {
    businessDate: BusinessDate,
    readAt: Type.Union([Instant, Type.Null()], { description: 'Null while it is to be read again' }),
    checkedAt: MaybeInstant,
    checkFound: Type.Union([Count, Type.Null()], {
      description: 'Records that checks found and live reading had missed',
    }),
    differences: Type.Union(
      [
        Type.Object(
          {
            orderCount: Count,
            orders: Type.Array(Type.Object({ orderGuid: Guid, difference: Words(ORDER_DIFFERENCES) }, exact), {
              description: 'The first 200',
            }),
            timeEntryCount: Count,
          },
          { ...exact, title: 'DateDifferences' },
        ),
        Type.Null(),
      ],
      { description: 'What had been stored otherwise when the date was read again; null if nobody asked for it' },
    ),
  },
  { ...exact, title: 'ConnectionReadDate' },
);

/** GET /connections/{connectionId}/dates. */
export const listDates: Operation = {
  id: 'listConnectionDates',
  summary: 'List the business dates of a restaurant that were read as a whole',
  description: `By date. Dates that were asked for have what differed from what had been stored. ${PREVIEW}`,
  tag,
  scopes: reading,
  parameters: [inPath, { ...datesRestaurant, required: true }, ...spanOfDates.parameters],
  answers: { 200: { description: 'Those that were read or asked for.', content: json(Type.Array(ReadDate)) } },
  problems: [
    'connection_not_found',
    'invalid_parameter',
    'unknown_restaurant',
    'invalid_date',
    'dates_reversed',
    'span_too_long',
  ],
};
