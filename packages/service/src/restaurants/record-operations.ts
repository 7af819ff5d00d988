/** The operations that read single records. */
import { BusinessDate, exact, Guid, Instant, Money, Nullable, Text, Type } from '../contract/schemas.ts';
import { readGuid, SCOPE_READ } from '../contract/words.ts';
import type { EntryKey } from '../facts/shift.ts';
import { ifNoneMatch, taggedAnswers } from '../http/conditional.ts';
import type { Operation } from '../http/operation.ts';
import { monthParameters, pageParameter, parameter, textParameter } from '../http/query-parameters.ts';
import { restaurantInPath } from '../ingest/load-operations.ts';

const Hours = Type.Number({ minimum: 0, description: 'Hours, at most 6 decimals, as loaded', examples: [7.25] });
/** GUIDs of source systems are arbitrary text. */
const NullableText = (example: string) => Nullable(Text(example));

const TimeEntryRecord = Type.Object(
  {
    guid: Guid,
    businessDate: BusinessDate,
    inDate: Instant,
    outDate: Instant,
    employeeGuid: NullableText('e3c1a5d0-9a54-4b3e-8a3c-1f0e6f0a7b11'),
    jobGuid: NullableText('5b0d7c1e-3f5a-4d5a-9d1c-7a7f1f6f0b02'),
    jobTitle: Nullable(
      Text('Server', { description: 'As in the reference data; if it lacks the job, as in the entry' }),
    ),
    regularHours: Hours,
    overtimeHours: Hours,
    totalHours: Hours,
    regularCost: Money,
    overtimeCost: Money,
    totalCost: Money,
  },
  { ...exact, title: 'TimeEntryRecord' },
);

const CURSOR = 'MjAyNjAzMTAgMTc3MzE0NDAwMDAwMCBlMDAwMDAwMC0wMDAwLTQwMDAtODAwMC0wMDAwMDAwMDAwMDE';
const TimeEntryPage = Type.Object(
  { timeEntries: Type.Array(TimeEntryRecord), nextCursor: Nullable(Text(CURSOR)) },
  { ...exact, title: 'TimeEntryPage' },
);

/** Where the page after a time entry begins. */
export const entryCursorOf = ({ business_date, in_at, entry_guid }: EntryKey): string =>
  Buffer.from(`${business_date} ${in_at} ${entry_guid}`).toString('base64url');

function parseCursor(value: unknown): EntryKey | undefined {
  if (typeof value !== 'string') return undefined;
  const text = Buffer.from(value, 'base64url').toString();
  const [, date, inAt, guid = ''] = /^(\d{8}) (-?\d{1,15}) (\S+)$/.exec(text) ?? [];
  return readGuid(guid) === guid ? { business_date: Number(date), in_at: Number(inAt), entry_guid: guid } : undefined;
}

export const entryDates = monthParameters('time entries');
export const entryEmployee = textParameter(
  'employee',
  'Only the entries of the employee with this GUID; upper case is accepted',
  Text('e3c1a5d0-9a54-4b3e-8a3c-1f0e6f0a7b11', { minLength: 1 }),
  'the GUID of an employee',
);
export const timeEntriesOnPage = pageParameter('1 to 1000, default 200', 1000, 200);
export const entryCursor = parameter('cursor', 'The `nextCursor` of the previous page', Text(CURSOR), {
  parse: parseCursor,
  expected: 'the nextCursor of a previous page',
});

const Display = Nullable(Type.Integer({ examples: [17] }));
const CheckItem = Type.Object(
  {
    name: NullableText('Burger'),
    itemGuid: NullableText('2b7f7c1e-3f5a-4d5a-9d1c-7a7f1f6f0b02'),
    modifier: Type.Boolean({ examples: [false] }),
    menuGroup: NullableText('Mains'),
    menu: NullableText('Dinner'),
    quantity: Type.Number({ description: 'At most 6 decimals', examples: [2] }),
    grossSalesAmount: Money,
    discountAmount: Money,
    netSalesAmount: Money,
    refundAmount: Money,
    voidAmount: Money,
  },
  { ...exact, title: 'CheckItem' },
);
const CheckPayment = Type.Object(
  {
    guid: Guid,
    paidDate: Instant,
    cardBrand: NullableText('Visa'),
    cardType: Text('Credit'),
    amount: Money,
    tipAmount: Money,
    gratuityAmount: Money,
    refundAmount: Money,
  },
  { ...exact, title: 'CheckPayment' },
);
const StoredCheckAnswer = Type.Object(
  {
    orderGuid: Guid,
    checkGuid: Guid,
    orderNumber: Display,
    checkNumber: Display,
    businessDate: BusinessDate,
    paidDate: Nullable(Instant),
    status: Text('CLOSED'),
    voided: Type.Boolean({ examples: [false] }),
    totalAmount: Money,
    discountAmount: Money,
    taxAmount: Money,
    tipAmount: Money,
    gratuityAmount: Money,
    refundAmount: Money,
    items: Type.Array(CheckItem),
    payments: Type.Array(CheckPayment),
    refunds: Type.Array(Type.Object({ businessDate: BusinessDate, amount: Money }, { ...exact, title: 'CheckRefund' })),
  },
  { ...exact, title: 'StoredCheck' },
);

/** GET /restaurants/{guid}/checks/{guid}. */
export const getCheck: Operation = {
  id: 'getCheck',
  summary: 'Get a check with its items, card payments and refunds',
  description:
    'A check that a report of checks lists, as its order is now. The amounts are those of its record there; items are summed up by item and names.',
  tag: 'Restaurants',
  scopes: [SCOPE_READ],
  parameters: [
    restaurantInPath,
    { in: 'path', name: 'checkGuid', description: 'The GUID of a check; upper case is accepted', schema: Guid },
    ifNoneMatch,
  ],
  answers: taggedAnswers('The check', StoredCheckAnswer),
  problems: ['restaurant_not_found', 'check_not_found', 'engine_timeout'],
};

/** GET /restaurants/{guid}/time-entries. */
export const listTimeEntries: Operation = {
  id: 'listTimeEntries',
  summary: 'List the time entries of a restaurant that count in labor',
  description:
    'By date, start and GUID. Open entries, deleted ones, those without a wage, and those of salaried or excluded jobs do not count. The costs add up to those of a labor report.',
  tag: 'Restaurants',
  scopes: [SCOPE_READ],
  parameters: [restaurantInPath, ...entryDates.parameters, entryEmployee, timeEntriesOnPage, entryCursor, ifNoneMatch],
  answers: taggedAnswers('A page of time entries', TimeEntryPage),
  problems: [
    ...(['restaurant_not_found', 'invalid_parameter', 'invalid_date', 'dates_reversed', 'span_too_long'] as const),
    'engine_timeout',
  ],
};
