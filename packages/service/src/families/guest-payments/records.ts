/** The record of one payment of a guest (docs/contract.md#records): exact names, types and order. */
import Type, { type Static } from 'typebox';
import { BusinessDate, exact, Guid, Nullable } from '../../contract/schemas.ts';
import { RESTAURANT } from '../fields.ts';

/** The same in both dialects. Contains no name, mail address, phone number or card number. */
export const GuestPaymentRecord = Type.Object(
  {
    ...RESTAURANT,
    paymentDate: BusinessDate,
    orderGuid: Guid,
    paymentGuid: Guid,
    cardFingerprint: Nullable(
      Type.String({
        format: 'uuid',
        description: 'The same for a card in all restaurants of a management group; null if it is not known',
        examples: ['5a0c9d52-7c1e-8b3f-9a54-1f2e3d4c5b6a'],
      }),
    ),
  },
  { ...exact, title: 'GuestPaymentRecord' },
);
export type GuestPaymentRecord = Static<typeof GuestPaymentRecord>;
