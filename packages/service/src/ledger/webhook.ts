/** Webhooks: the addresses that are called when a client's reports end. */
import type { Attempt, Outcome } from './delivery.ts';

export interface OldSecret {
  secret: string;
  until: number;
}

/** Each old secret costs a signature in every call, and nobody intends more than five rotations a day. */
export const MOST_OLD_SECRETS = 5;

export interface Webhook {
  group: string;
  /** From the token that created it; a client of an external issuer is not in the ledger. */
  clientId: string;
  url: string;
  /** `whsec_` and base64, as in the Standard Webhooks specification. */
  secret: string;
  /** Previous secrets that still sign, each until its own instant: newest first, at most `MOST_OLD_SECRETS`. */
  oldSecrets: OldSecret[];
  createdAt: number;
  /** Set when the receiver answered 410: nothing is sent until the webhook is put again. */
  offAt: number | null;
}

export interface WebhookLedger {
  webhook(group: string, clientId: string): Promise<Webhook | undefined>;
  /**
   * Adds the webhook, or changes its address and enables it again. The given secret is used if the webhook is new or
   * with `rotate`. On rotation the previous secret still signs until `oldUntil`, and older ones until their own
   * instants; the oldest is dropped if there would be more than `MOST_OLD_SECRETS`.
   */
  putWebhook(request: {
    group: string;
    clientId: string;
    url: string;
    secret: string;
    rotate: boolean;
    now: number;
    oldUntil: number;
  }): Promise<{ created: boolean; webhook: Webhook }>;
  /** Removes its deliveries too. False when there is no webhook. */
  removeWebhook(group: string, clientId: string): Promise<boolean>;
  /**
   * Records the 410 to an attempt in one transaction: stops its delivery, disables the webhook and drops the other
   * pending deliveries, to the outcome of whose last attempts `others` is appended. If the address has changed
   * meanwhile, only the delivery is stopped.
   */
  turnOffWebhook(
    webhook: Pick<Webhook, 'group' | 'clientId' | 'url'>,
    attempt: Attempt & Outcome,
    now: number,
    others: string,
  ): Promise<void>;
}
