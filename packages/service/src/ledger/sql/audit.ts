/** The audit log in SQL. */
import type { AuditEntry, AuditLedger } from '../audit.ts';
import { columns, json, type Stored } from './columns.ts';
import { loadQueries, type Row, type Sql } from './statements.ts';

const entries = columns<AuditEntry>({
  id: 'id',
  at: 'at',
  group: 'management_group',
  byGroup: 'by_group',
  clientId: 'client_id',
  name: 'name',
  action: 'action',
  target: 'target',
  detail: json('detail'),
});

const queries = loadQueries<{
  addAudit(entry: Stored<Omit<AuditEntry, 'id'>>): number;
  audit(of: { group: string; before: number; limit: number }): Row[];
}>(new URL('./audit.sql', import.meta.url));

export function auditLedger(sql: Sql): AuditLedger {
  const { addAudit, audit } = queries(sql);
  return {
    async addAudit(entry) {
      await addAudit(entries.values(entry));
    },
    async audit(group, { limit, before = Number.MAX_SAFE_INTEGER }) {
      return (await audit({ group, before, limit })).map(entries.read);
    },
  };
}
