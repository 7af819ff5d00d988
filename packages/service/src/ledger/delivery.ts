/** Calls that a client's webhook is to receive, and what came of them. */
import type { Webhook } from './webhook.ts';

export const DELIVERY_TYPES = ['report.completed', 'report.failed', 'webhook.test'] as const;
export const DELIVERY_STATES = ['waiting', 'delivered', 'given_up'] as const;

export interface Delivery {
  /** The `webhook-id`: the same in every attempt. */
  id: string;
  group: string;
  clientId: string;
  type: (typeof DELIVERY_TYPES)[number];
  /** Null of a test. */
  reportGuid: string | null;
  state: (typeof DELIVERY_STATES)[number];
  /** Attempts begun. */
  attempt: number;
  createdAt: number;
  /** Of one that waits: when it is due; while an attempt is under way, when that counts as lost. */
  nextAt: number | null;
  attemptedAt: number | null;
  /** What the receiver answered to the last attempt that got an answer. */
  status: number | null;
  error: string | null;
}

/** An attempt that was claimed, and whether it is still the delivery's last. */
export type Attempt = Pick<Delivery, 'id' | 'attempt'>;
export interface Outcome {
  status: number | null;
  error: string;
}

export interface DeliveryLedger {
  /** Adds a `webhook.test` that waits. False without a webhook that is on. */
  addTestDelivery(id: string, group: string, clientId: string, now: number): Promise<boolean>;
  /** Whatever became of it → waiting, due now, with all of its attempts. False without it, and without a webhook that is on. */
  replayDelivery(id: string, group: string, clientId: string, now: number): Promise<boolean>;
  /** Newest first. */
  deliveries(group: string, clientId: string, limit: number): Promise<Delivery[]>;
  /** Webhooks that are on and have deliveries due, who waits longest first. */
  dueWebhooks(now: number): Promise<Webhook[]>;
  /** Begins an attempt at the delivery that is longest due; it is due again at `leaseUntil` unless its outcome is reported. */
  claimDelivery(group: string, clientId: string, now: number, leaseUntil: number): Promise<Delivery | undefined>;
  /** waiting → delivered. False when another attempt has begun. The same for the three that follow. */
  finishDelivery(of: Attempt, status: number): Promise<boolean>;
  postponeDelivery(of: Attempt, nextAt: number, outcome: Outcome): Promise<boolean>;
  /** waiting → given_up. */
  dropDelivery(of: Attempt, outcome: Outcome): Promise<boolean>;
  /** Gives the attempt back: the service stops. */
  releaseDelivery(of: Attempt): Promise<boolean>;
  /** Forgets those that ended and were added before the instant. */
  forgetDeliveries(before: number): Promise<number>;
}
