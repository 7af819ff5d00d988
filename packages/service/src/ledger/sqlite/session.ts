/** Sessions and one-time links of the SQLite ledger. */
import type { SessionLedger } from '../session.ts';
import { type SessionQueries, sessionMethods, sessionOf } from '../sql/session.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

export function sessionLedger(connection: Connection) {
  const sql = openQueries<SessionQueries>('session', connection);
  const { reads, changes } = sessionMethods(sql);
  const spending = {
    async spendLink(keyHash, session, now) {
      return transaction(connection.db, () => {
        const link = sql.spendLink({ keyHash, now });
        if (!link) return undefined;
        const { client_id: clientId, name, scopes } = link;
        sql.addSession({ ...session, clientId, name, scopes, createdAt: now, seenAt: now });
        const row = sql.session({ id: session.id });
        return row && sessionOf(row);
      });
    },
  } satisfies Partial<SessionLedger>;
  return { reads, changes: { ...changes, ...spending } };
}
