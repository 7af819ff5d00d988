/** Management groups: their names for people, and the rate limits that are a group's or a client's own. */

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
