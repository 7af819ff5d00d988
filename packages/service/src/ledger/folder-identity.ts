/** Which data folder a ledger belongs to. */

/** The identity of the data folder; see maintenance/identity.ts. */
export interface LedgerIdentity {
  /** Random; the facts and the results of the folder carry it too. */
  id: string;
  /** The epoch that the facts are known to have; null before they had one. */
  epoch: string | null;
  /** Set while a new epoch is being written to the facts: after a kill they have either this one or `epoch`. */
  nextEpoch: string | null;
}

/** The highest restaurant id and the last snapshot of the facts that a ledger has seen. */
export interface Highest {
  /** The highest id given to a restaurant; 0 when there is none. */
  restaurantId: number;
  /** The snapshot of the facts from which the last report was computed; null when there is none. */
  snapshot: string | null;
}

export interface IdentityLedger {
  /** Undefined before the first start on its folder, and for a ledger written by a version without identities. */
  identity(): Promise<LedgerIdentity | undefined>;
  identify(identity: LedgerIdentity): Promise<void>;
  /** From its restaurants and its reports. */
  highest(): Promise<Highest>;
}
