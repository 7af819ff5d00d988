/** Deliveries: the calls to a client's webhook, and their outcomes. */
import type { Webhook } from './webhook.ts';

export const DELIVERY_TYPES = ['report.completed', 'report.failed', 'webhook.test'] as const;
export const DELIVERY_STATES = ['waiting', 'delivered', 'given_up'] as const;

export interface Delivery {
  /** The `webhook-id`: the same in every attempt. */
  id: string;
  group: string;
  clientId: string;
  type: (typeof DELIVERY_TYPES)[number];
  /** Null for a test delivery. */
  reportGuid: string | null;
  state: (typeof DELIVERY_STATES)[number];
  /** How many attempts have begun. */
  attempt: number;
  createdAt: number;
  /** For a waiting delivery: when the next attempt is due; during an attempt, when that attempt counts as lost. */
  nextAt: number | null;
  attemptedAt: number | null;
  /** The HTTP status of the last attempt that got an answer. */
  status: number | null;
  error: string | null;
}

/**
 * An attempt, by its number and its time: an update applies only while no later attempt has begun, and the delivery was
 * not replayed.
 */
export type Attempt = Pick<Delivery, 'id' | 'attempt' | 'attemptedAt'>;
export interface Outcome {
  status: number | null;
  error: string;
}

export interface DeliveryLedger {
  /** Adds a waiting `webhook.test`. False when the client has no enabled webhook. */
  addTestDelivery(id: string, group: string, clientId: string, now: number): Promise<boolean>;
  /**
   * Any state → waiting, due now, with all attempts available again. False when the delivery or an enabled webhook does
   * not exist.
   */
  replayDelivery(id: string, group: string, clientId: string, now: number): Promise<boolean>;
  /** Newest first. */
  deliveries(group: string, clientId: string, limit: number): Promise<Delivery[]>;
  /** Enabled webhooks that have deliveries due, the one that has waited longest first. */
  dueWebhooks(now: number): Promise<Webhook[]>;
  /**
   * Begins an attempt at the delivery that has been due longest; it is due again at `leaseUntil` unless its outcome is
   * reported.
   */
  claimDelivery(group: string, clientId: string, now: number, leaseUntil: number): Promise<Delivery | undefined>;
  /** waiting → delivered. False when another attempt has begun; the same holds for the next three methods. */
  finishDelivery(of: Attempt, status: number): Promise<boolean>;
  postponeDelivery(of: Attempt, nextAt: number, outcome: Outcome): Promise<boolean>;
  /** waiting → given_up. */
  dropDelivery(of: Attempt, outcome: Outcome): Promise<boolean>;
  /** Returns the attempt to the queue because the service is stopping. */
  releaseDelivery(of: Attempt): Promise<boolean>;
  /** Deletes deliveries that have ended and were added before the instant. */
  forgetDeliveries(before: number): Promise<number>;
}
