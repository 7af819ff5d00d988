/** Where a client wants to be called when its reports end. */

export interface OldSecret {
  secret: string;
  until: number;
}

/** Each costs a signature in every call, and five rotations within a day are more than anybody makes on purpose. */
export const MOST_OLD_SECRETS = 5;

export interface Webhook {
  group: string;
  /** Of the token that created it; a client of an external issuer is not in the ledger. */
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
  /** receiver answered 410 → off, and pending deliveries are dropped: `error` follows what came of its own last attempt. Nothing when the address has changed meanwhile. */
  turnOffWebhook(webhook: Pick<Webhook, 'group' | 'clientId' | 'url'>, now: number, error: string): Promise<void>;
}
