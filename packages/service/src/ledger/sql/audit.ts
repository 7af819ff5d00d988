/** The audit log: rows, statements, methods. */
import type { AuditEntry, AuditLedger } from '../audit.ts';
import type { Statements } from './statements.ts';

interface AuditRow {
  id: number;
  at: number;
  management_group: string;
  by_group: string;
  client_id: string;
  name: string | null;
  action: string;
  target: string;
  detail: string;
}

export interface AuditQueries {
  addAudit(of: Omit<AuditEntry, 'id' | 'detail'> & { detail: string }): number;
  audit(of: { group: string; before: number; limit: number }): AuditRow[];
}

const entryOf = (row: AuditRow): AuditEntry => ({
  id: row.id,
  at: row.at,
  group: row.management_group,
  byGroup: row.by_group,
  clientId: row.client_id,
  name: row.name,
  action: row.action,
  target: row.target,
  detail: JSON.parse(row.detail),
});

export function auditMethods(sql: Statements<AuditQueries>) {
  const reads = {
    async audit(group, { limit, before = Number.MAX_SAFE_INTEGER }) {
      return (await sql.audit({ group, before, limit })).map(entryOf);
    },
  } satisfies Partial<AuditLedger>;
  const changes = {
    async addAudit({ detail, ...entry }) {
      await sql.addAudit({ ...entry, detail: JSON.stringify(detail) });
    },
  } satisfies Partial<AuditLedger>;
  return { reads, changes };
}
