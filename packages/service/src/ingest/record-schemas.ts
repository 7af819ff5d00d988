/** The documented properties of records that are loaded, each record with an example. */
import type { TSchema } from 'typebox';
import { Guid, Nullable, Text, Type } from '../contract/schemas.ts';

const GivenInstant = Text('2026-03-10T17:05:00.000+0000', { description: 'A date-time with an offset' });
const GivenDate = Type.Union([Type.Integer(), Type.String()], { description: 'yyyyMMdd', examples: [20260310] });
const maybe = (schema: TSchema) => Type.Optional(Nullable(schema));
const Named = Type.Object({ guid: maybe(Text('d1')), name: maybe(Text('Dine In')) });
const amount = maybe(Type.Number({ examples: [9.8] }));

/**
 * A complete order that can be loaded as it is and appears in reports; assembled from the parts' own examples it would
 * be inconsistent.
 */
export const ORDER_EXAMPLE = {
  guid: '0d000000-0000-4000-8000-000000000001',
  displayNumber: '17',
  openedDate: '2026-03-10T17:05:00.000+0000',
  modifiedDate: '2026-03-10T18:10:00.000+0000',
  businessDate: 20260310,
  numberOfGuests: 2,
  source: 'In Store',
  diningOption: { guid: 'd1', name: 'Dine In' },
  checks: [
    {
      guid: '0d000000-0000-4000-8000-000000000002',
      displayNumber: '31',
      paymentStatus: 'CLOSED',
      amount: 16,
      taxAmount: 1.28,
      totalAmount: 17.28,
      selections: [
        {
          displayName: 'Burger',
          item: { guid: 'i1' },
          itemGroup: { guid: 'g1' },
          quantity: 1,
          preDiscountPrice: 16,
          price: 16,
          modifiers: [{ displayName: 'Cheese', item: { guid: 'i2' }, quantity: 1, preDiscountPrice: 1, price: 1 }],
        },
      ],
    },
  ],
};
export const TIME_ENTRY_EXAMPLE = {
  guid: '0d000000-0000-4000-8000-000000000003',
  businessDate: 20260310,
  inDate: '2026-03-10T14:00:00.000+0000',
  outDate: '2026-03-10T22:30:00.000+0000',
  modifiedDate: '2026-03-10T22:30:00.000+0000',
  regularHours: 8,
  overtimeHours: 0.5,
  hourlyWage: 17.25,
  jobReference: { guid: 'j1' },
};
export const SETTLEMENT_EXAMPLE = {
  guid: '0d000000-0000-4000-8000-000000000004',
  settledDate: '20260311',
  status: 'SENT',
  modifiedDate: '2026-03-11T09:00:00.000+0000',
  transactions: [
    {
      kind: 'PAYMENT',
      paymentGuid: '0d000000-0000-4000-8000-000000000005',
      amount: 48,
      feeAmount: 1.39,
      paidDateTime: '2026-03-10T16:31:05.000+0000',
    },
  ],
};

const Refers = Type.Object({ guid: maybe(Text('i1')) });
const sold = {
  displayName: maybe(Text('Burger')),
  item: maybe(Refers),
  quantity: maybe(Type.Number({ examples: [1] })),
  preDiscountPrice: amount,
  price: amount,
  voided: maybe(Type.Boolean({ examples: [false] })),
};
const Modifier = Type.Object(sold, { title: 'OrderModifier' });
const Selection = Type.Object(
  { ...sold, itemGroup: maybe(Refers), modifiers: maybe(Type.Array(Modifier)) },
  { title: 'OrderSelection' },
);

/** The properties that most clients need; docs/loading.md says how each is read, and other properties are ignored. */
export const OrderSchema = Type.Object(
  {
    guid: Guid,
    openedDate: maybe(GivenInstant),
    modifiedDate: maybe(GivenInstant),
    businessDate: maybe(GivenDate),
    numberOfGuests: maybe(Type.Integer({ minimum: 0, maximum: 1_000_000, examples: [2] })),
    source: maybe(Text('In Store')),
    displayNumber: maybe(Text('17')),
    diningOption: maybe(Named),
    revenueCenter: maybe(Named),
    deleted: maybe(Type.Boolean({ examples: [false] })),
    voided: maybe(Type.Boolean({ examples: [false] })),
    checks: maybe(
      Type.Array(
        Type.Object(
          {
            guid: Guid,
            displayNumber: maybe(Text('31')),
            paidDate: maybe(GivenInstant),
            amount,
            taxAmount: amount,
            totalAmount: amount,
            paymentStatus: maybe(
              Text('CLOSED', { description: '`OPEN`, `PAID` or `CLOSED`; another word counts as `OPEN`' }),
            ),
            selections: maybe(Type.Array(Selection)),
          },
          { title: 'OrderCheck' },
        ),
      ),
    ),
  },
  {
    title: 'Order',
    description: 'An order as POS APIs of this family return it; other properties are ignored',
    examples: [ORDER_EXAMPLE],
  },
);
export const TimeEntrySchema = Type.Object(
  {
    guid: Guid,
    businessDate: maybe(GivenDate),
    inDate: maybe({ ...GivenInstant, description: 'A date-time with an offset; optional with `businessDate`' }),
    outDate: maybe(GivenInstant),
    modifiedDate: maybe(GivenInstant),
    deleted: maybe(Type.Boolean({ examples: [false] })),
    regularHours: maybe(Type.Number({ examples: [8] })),
    overtimeHours: maybe(Type.Number({ examples: [0.5] })),
    hourlyWage: maybe(Type.Number({ examples: [17.25] })),
    jobReference: maybe(Type.Object({ guid: maybe(Text('j1')) })),
  },
  {
    title: 'TimeEntry',
    description: 'A time entry as POS APIs of this family return it; other properties are ignored',
    examples: [TIME_ENTRY_EXAMPLE],
  },
);

export const SettlementSchema = Type.Object(
  {
    guid: Guid,
    settledDate: maybe(
      Type.Union([Type.Integer(), Type.String()], {
        description: 'yyyyMMdd; optional if `deleted`',
        examples: ['20260311'],
      }),
    ),
    status: maybe(
      Text('SENT', {
        description: '`CAPTURED`, `SENT` (default) or `NONE`; another word counts as `NONE`',
      }),
    ),
    modifiedDate: maybe(GivenInstant),
    deleted: maybe(Type.Boolean({ examples: [false] })),
    transactions: maybe(
      Type.Array(
        Type.Object(
          {
            kind: Text('PAYMENT', { description: '`PAYMENT` or `REFUND`; another word counts nowhere' }),
            paymentGuid: maybe(Guid),
            amount: Type.Number({ exclusiveMinimum: 0, description: 'With tip', examples: [48] }),
            feeAmount: amount,
            withholdingAmount: amount,
            paidDateTime: maybe(GivenInstant),
          },
          { title: 'SettledTransaction' },
        ),
      ),
    ),
    adjustments: maybe(
      Type.Array(
        Type.Object(
          { name: maybe(Text('Terminal rent')), amount: Type.Number({ examples: [10] }) },
          {
            title: 'SettlementAdjustment',
            description: 'Other amounts withheld; a positive amount lowers the payout',
          },
        ),
      ),
    ),
    transactionCount: maybe(
      Type.Integer({ minimum: 0, description: 'Number of payments, where the source has sums only', examples: [1] }),
    ),
  },
  {
    title: 'Settlement',
    description: 'A deposit of card payments; other properties are ignored',
    examples: [SETTLEMENT_EXAMPLE],
  },
);
