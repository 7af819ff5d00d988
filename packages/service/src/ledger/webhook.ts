/** The ledger's part that is about webhooks: where a client wants to be called, and what it is still to be told. */

export interface OldSecret {
  secret: string;
  until: number;
}

/** Each costs a signature in every call, and five rotations within a day are more than anybody makes on purpose. */
export const MOST_OLD_SECRETS = 5;

export interface Webhook {
  group: string;
  /** Of the token that made it; a client of an outside issuer is not in the ledger. */
  clientId: string;
  url: string;
  /** `whsec_` and base64, as Standard Webhooks has them. */
  secret: string;
  /** Those that sign besides, each until its own instant: the newest first, `MOST_OLD_SECRETS` of them at most. */
  oldSecrets: OldSecret[];
  createdAt: number;
  /** Set when its receiver answered 410: nothing is sent until it is put again. */
  offAt: number | null;
}

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

export interface WebhookLedger {
  webhook(group: string, clientId: string): Promise<Webhook | undefined>;
  /**
   * Adds it, or changes its address and turns it on again. The secret given is taken where it is new, and with `rotate`;
   * then the one before signs besides until `oldUntil`, and those before it until what they were given; the oldest ends
   * where they would be more than `MOST_OLD_SECRETS`.
   */
  putWebhook(asked: {
    group: string;
    clientId: string;
    url: string;
    secret: string;
    rotate: boolean;
    now: number;
    oldUntil: number;
  }): Promise<{ created: boolean; webhook: Webhook }>;
  /** Its deliveries go with it. False when there was none. */
  removeWebhook(group: string, clientId: string): Promise<boolean>;
  /** receiver answered 410 → off, and what waits is given up: `error` follows what came of its own last attempt. Nothing when the address has changed meanwhile. */
  turnOffWebhook(webhook: Pick<Webhook, 'group' | 'clientId' | 'url'>, now: number, error: string): Promise<void>;

  /** Adds a `webhook.test` that waits. False without a webhook that is on. */
  addTestDelivery(id: string, group: string, clientId: string, now: number): Promise<boolean>;
  /** Newest first. */
  deliveries(group: string, clientId: string, limit: number): Promise<Delivery[]>;
  /** Webhooks that are on and have deliveries due, who waits longest first. */
  dueWebhooks(now: number): Promise<Webhook[]>;
  /** Begins an attempt at the delivery that is longest due; it is due again at `leaseUntil` unless its outcome is told. */
  claimDelivery(group: string, clientId: string, now: number, leaseUntil: number): Promise<Delivery | undefined>;
  /** waiting → delivered. False when another attempt has begun. The same for the three that follow. */
  finishDelivery(of: Attempt, status: number): Promise<boolean>;
  postponeDelivery(of: Attempt, nextAt: number, outcome: Outcome): Promise<boolean>;
  /** waiting → given_up. */
  giveUpDelivery(of: Attempt, outcome: Outcome): Promise<boolean>;
  /** Gives the attempt back: the service stops. */
  releaseDelivery(of: Attempt): Promise<boolean>;
  /** Forgets those that ended and were added before the instant. */
  forgetDeliveries(before: number): Promise<number>;
}
