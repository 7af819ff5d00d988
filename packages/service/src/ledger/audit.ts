/** Who has changed access over HTTP: clients, groups, sessions. */

export interface AuditEntry {
  id: number;
  at: number;
  /** Whose access was changed. */
  group: string;
  /** The group of who changed it. */
  byGroup: string;
  clientId: string;
  /** Of the person, where it was done in a session. */
  name: string | null;
  /** `client.created` and the like. */
  action: string;
  target: string;
  /** Without secrets. */
  detail: object;
}

export interface AuditLedger {
  addAudit(entry: Omit<AuditEntry, 'id'>): Promise<void>;
  /** Of a group, newest first; those before an id where one is given. */
  audit(group: string, page: { limit: number; before?: number | undefined }): Promise<AuditEntry[]>;
}
