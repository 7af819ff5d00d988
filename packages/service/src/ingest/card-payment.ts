/** The payments of an order, for payouts and guest payments: docs/metrics.md#card-payments. */
import { createHmac } from 'node:crypto';
import { businessDateOf, wallSecond } from '../contract/clock.ts';
import { asListed, type RefundsOn, readGuid } from '../contract/words.ts';
import type { CardPaymentFact } from '../facts/card-payment.ts';
import { namedGuid } from './guids.ts';
import { largestRemainder } from './money.ts';
import { cutText, lenientCents, listedWord, maybeDate, type Source, word } from './source.ts';

/** The settings of a restaurant that determine the dates and local times of its payments, and their fingerprints. */
export interface PaymentPlace {
  timeZone: string;
  closeoutHour: number;
  /** On their own date by default. */
  refundsOn?: RefundsOn | undefined;
  /** The key of the management group; without it, data that identifies cards is ignored. */
  fingerprintKey?: Uint8Array | undefined;
}

/** A payment, as read for the sums of its check. */
interface ReadPayment {
  source: Source;
  /** Its JSON pointer. */
  at: string;
  status: string | null;
  type: string | null;
  /** Whether it is neither voided nor denied. */
  isValid: boolean;
  paidAt: number | undefined;
  tip: number;
  /** Refunds of amount and tip, in cents. */
  refunded: number;
}

/** Reads the payments of one check after the other. */
export interface PaymentReader {
  check(guid: string): void;
  /** Call in the order of the check. */
  payment(payment: ReadPayment): void;
  /** Ends the check: its gratuity charges, in cents, are distributed over its payments. */
  spread(gratuity: number): void;
  payments: CardPaymentFact[];
}

/** A payment of the current check. */
interface Paid {
  amount: number;
  /** In cents, from the source; undefined for one that gets a share of the check's gratuity. */
  gratuity: number | undefined;
  fact: CardPaymentFact | undefined;
}

const BRANDS: Record<string, string> = {
  VISA: 'Visa',
  MASTERCARD: 'Mastercard',
  AMEX: 'AMEX',
  DISCOVER: 'Discover',
};

/** Reads the payments of an order whose place in the body is `seq`. `openedAt` is in ms since 1970 UTC. */
export function createPaymentReader(seq: number, openedAt: number, place: PaymentPlace): PaymentReader {
  const payments: CardPaymentFact[] = [];
  const { timeZone, closeoutHour, fingerprintKey } = place;
  let checkGuid = '';
  let index = 0;
  let valid: Paid[] = [];

  return {
    payments,
    check(guid) {
      checkGuid = guid;
      index = 0;
      valid = [];
    },
    payment({ source, at, status, type, isValid, paidAt, tip, refunded }) {
      // Read for every payment: a wrong JSON type is an error of the sender, whatever the type of payment.
      const amount = lenientCents(source, at, 'amount') ?? 0;
      const gratuity = lenientCents(source, at, 'gratuityAmount');
      const date = maybeDate(source.paidBusinessDate, at, 'paidBusinessDate');
      const card = {
        card_brand: brandOf(source, at),
        card_type: typeOf(source, at),
        fee_cents: lenientCents(source, at, 'originalProcessingFee') ?? 0,
        withheld_cents: lenientCents(source, at, 'mcaRepaymentAmount') ?? 0,
        fingerprint: fingerprintKey ? readFingerprint(source, at, fingerprintKey) : null,
      };
      const place = index++;
      if (!isValid) return;
      if (type !== 'CREDIT' || paidAt === undefined) {
        valid.push({ amount, gratuity, fact: undefined });
        return;
      }
      const fact: CardPaymentFact = {
        seq,
        check_guid: checkGuid,
        payment_guid: readGuid(source.guid) ?? namedGuid(checkGuid, `payment:${place}`),
        sales_date: date ?? businessDateOf(paidAt, timeZone, closeoutHour),
        captured: status === null || status === 'CAPTURED',
        opened_local: wallSecond(openedAt, timeZone),
        paid_at: paidAt,
        paid_local: wallSecond(paidAt, timeZone),
        total_cents: amount + tip,
        tip_cents: tip,
        gratuity_cents: 0,
        refund_cents: refunded,
        ...card,
      };
      valid.push({ amount, gratuity, fact });
      payments.push(fact);
    },
    spread(gratuity) {
      // Few checks have a gratuity.
      const weights = gratuity === 0 ? [] : valid.map(({ amount }) => Math.max(amount, 0));
      const shares = weights.some((weight) => weight > 0) ? largestRemainder(gratuity, weights) : [];
      valid.forEach(({ fact, gratuity: own }, place) => {
        if (fact) fact.gratuity_cents = own ?? shares[place] ?? 0;
      });
    },
  };
}

function brandOf(source: Source, at: string): string | null {
  const brand = cutText(source.cardType, at, 'cardType');
  return brand === null ? null : (BRANDS[asListed(brand)] ?? brand);
}

function typeOf(source: Source, at: string): CardPaymentFact['card_type'] {
  const type = listedWord(source.cardClass, at, 'cardClass');
  return type === 'CREDIT' ? 'Credit' : type === 'DEBIT' ? 'Debit' : 'UNSPECIFIED CARD';
}

/**
 * The fingerprint in the source, otherwise one made from the card's id with the key of the group; the id itself is not
 * stored.
 */
function readFingerprint(source: Source, at: string, key: Uint8Array): string | null {
  const fingerprint = word(source.cardFingerprint, at, 'cardFingerprint');
  const card = word(source.cardPaymentId, at, 'cardPaymentId');
  const own = fingerprint === null ? undefined : readGuid(fingerprint);
  return own ?? (card ? fingerprintOf(card, key) : null);
}

/** The first 16 bytes of an HMAC-SHA-256 as a UUID of version 8 (RFC 9562). */
export function fingerprintOf(card: string, key: Uint8Array): string {
  const bytes = createHmac('sha256', key).update(card).digest().subarray(0, 16);
  bytes.writeUInt8((bytes.readUInt8(6) & 0x0f) | 0x80, 6);
  bytes.writeUInt8((bytes.readUInt8(8) & 0x3f) | 0x80, 8);
  return bytes.toString('hex').replace(/^(.{8})(.{4})(.{4})(.{4})(.{12})$/, '$1-$2-$3-$4-$5');
}
