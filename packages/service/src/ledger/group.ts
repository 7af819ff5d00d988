/**
 * Management groups: their names for people, the rate limits that are a group's or a client's own, and their removal.
 */

/**
 * Windows by the name of the limit, in the words of its setting (`long-metrics: '10/h'`, `check: 'off'`). Limits that
 * are absent are the service's.
 */
export type OwnLimits = Readonly<Record<string, string>>;

export interface Group {
  /** Identifies it. */
  group: string;
  /** Its name for people; the same as `group` until one is set. */
  name: string;
  limits: OwnLimits;
  /** Whether it is being removed: its clients are revoked, and tokens of an external issuer are refused. */
  removing: boolean;
}

export interface GroupLedger {
  /** Cached in memory, so it is cheap to call often. */
  group(group: string): Promise<Group | undefined>;
  /** By `group`. */
  groupList(): Promise<Group[]>;
  /** The group must exist; the same holds for the next method. */
  nameGroup(group: string, name: string): Promise<void>;
  /** Replaces all limits of the group. */
  limitGroup(group: string, limits: OwnLimits): Promise<void>;
  /** Replaces all limits of the client, which must exist. */
  limitClient(clientId: string, limits: OwnLimits): Promise<void>;
}

/** Removing a management group with all of its rows. */
export interface GroupRemovalLedger {
  /**
   * Begins the removal, or does it again: revokes the clients, ends sessions, links, webhooks and connections, forgets
   * idempotency keys and cancels reports. False when there is no such group and no removal of it.
   */
  beginRemoval(group: string, now: number): Promise<boolean>;
  /** Groups whose removal has begun and not ended, oldest first. */
  removals(): Promise<string[]>;
  /** GUIDs of reports of the group, at most `limit`. */
  reportsToRemove(group: string, limit: number): Promise<string[]>;
  /** Deletes the rows of these reports. */
  dropReports(guids: readonly string[]): Promise<void>;
  /**
   * Deletes all rows of the group, also those of the audit log, and remembers the numbers of its restaurants. The
   * removal continues.
   */
  dropGroup(group: string, now: number): Promise<void>;
  /** Ends the removal. */
  endRemoval(group: string): Promise<void>;
  /** The numbers of restaurants that were removed at or after the instant. */
  removedRestaurants(since: number): Promise<number[]>;
  /** Deletes rows that calls in progress added after their group had been removed. Returns how many. */
  dropStrays(): Promise<number>;
  /** Rewrites the files of the ledger, so that they do not hold what was deleted. A server does that by itself. */
  compact(): Promise<void>;
}
