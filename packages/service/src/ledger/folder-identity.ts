/** Which data folder a ledger belongs to. */

/** Which data folder a ledger belongs to: maintenance/identity.ts. */
export interface LedgerIdentity {
  /** Random; the facts and the results of the folder carry it too. */
  id: string;
  /** What the facts are known to carry; null before they carried any. */
  epoch: string | null;
  /** Set while the facts are given it: after a kill they carry this one or `epoch`. */
  nextEpoch: string | null;
}

/** What a ledger has seen of the restaurants and the facts. */
export interface Highest {
  /** Of restaurants, as the ledger gives them; 0 where there is none. */
  restaurantId: number;
  /** Of the facts, of the report that was computed last; null where there is none. */
  snapshot: string | null;
}

export interface IdentityLedger {
  /** Undefined before the first start on its folder, and for a ledger of a version that had none. */
  identity(): Promise<LedgerIdentity | undefined>;
  identify(identity: LedgerIdentity): Promise<void>;
  /** Of the restaurants that it has, and of the loads that its reports saw. */
  highest(): Promise<Highest>;
}
