/** The audit log: who changed access (clients, groups, sessions) over HTTP. */

export interface AuditEntry {
  id: number;
  at: number;
  /** The group whose access was changed. */
  group: string;
  /** The group of the caller who changed it. */
  byGroup: string;
  clientId: string;
  /** The person's name, for a change made in a session; null otherwise. */
  name: string | null;
  /** For example `client.created`. */
  action: string;
  target: string;
  /** Never contains secrets. */
  detail: object;
}

export interface AuditLedger {
  addAudit(entry: Omit<AuditEntry, 'id'>): Promise<void>;
  /** The entries of a group, newest first; with `before`, only those with a smaller id. */
  audit(group: string, page: { limit: number; before?: number | undefined }): Promise<AuditEntry[]>;
}
