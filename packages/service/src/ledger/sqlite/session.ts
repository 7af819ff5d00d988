/** Sessions and one-time links of the SQLite ledger. */
import type { Session, SessionLedger, SignInLink } from '../session.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

interface SessionRow {
  id: string;
  cookie_hash: string;
  management_group: string;
  client_id: string;
  name: string | null;
  scopes: string;
  created_at: number;
  seen_at: number;
  ends_at: number;
}

interface LinkRow {
  key_hash: string;
  client_id: string;
  name: string | null;
  scopes: string;
  created_at: number;
  ends_at: number;
  spent_at: number | null;
}

const sessionOf = (row: SessionRow): Session => ({
  id: row.id,
  cookieHash: row.cookie_hash,
  group: row.management_group,
  clientId: row.client_id,
  name: row.name,
  scopes: JSON.parse(row.scopes),
  createdAt: row.created_at,
  seenAt: row.seen_at,
  endsAt: row.ends_at,
});

const linkOf = (row: LinkRow): SignInLink => ({
  keyHash: row.key_hash,
  clientId: row.client_id,
  name: row.name,
  scopes: JSON.parse(row.scopes),
  createdAt: row.created_at,
  endsAt: row.ends_at,
  spentAt: row.spent_at,
});

interface SessionQueries {
  addSession(of: Omit<Session, 'group' | 'scopes'> & { scopes: string }): number;
  session(of: { id: string }): SessionRow | undefined;
  sessionByCookie(of: { cookieHash: string }): SessionRow | undefined;
  sessionsOf(of: { group: string }): SessionRow[];
  seeSession(of: { id: string; now: number }): number;
  endSession(of: { id: string }): number;
  forgetSessions(of: { seenBefore: number; now: number }): number;
  addLink(of: Omit<SignInLink, 'spentAt' | 'scopes'> & { scopes: string }): number;
  link(of: { keyHash: string }): LinkRow | undefined;
  spendLink(of: { keyHash: string; now: number }): LinkRow | undefined;
  forgetLinks(of: { endedBefore: number }): number;
}

export function sessionLedger(connection: Connection) {
  const sql = openQueries<SessionQueries>(new URL('./session.sql', import.meta.url), connection);
  const shown = (row: SessionRow | undefined): Session | undefined => row && sessionOf(row);
  const reads = {
    session: async (id) => shown(sql.session({ id })),
    sessionByCookie: async (cookieHash) => shown(sql.sessionByCookie({ cookieHash })),
    sessionsOf: async (group) => sql.sessionsOf({ group }).map(sessionOf),
    async link(keyHash) {
      const row = sql.link({ keyHash });
      return row && linkOf(row);
    },
  } satisfies Partial<SessionLedger>;
  const changes = {
    async addSession({ group: _group, scopes, ...session }) {
      sql.addSession({ ...session, scopes: JSON.stringify(scopes) });
    },
    async seeSession(id, now) {
      sql.seeSession({ id, now });
    },
    endSession: async (id) => sql.endSession({ id }) === 1,
    forgetSessions: async (seenBefore, now) => sql.forgetSessions({ seenBefore, now }),
    async addLink({ scopes, ...link }) {
      sql.addLink({ ...link, scopes: JSON.stringify(scopes) });
    },
    async spendLink(keyHash, session, now) {
      return transaction(connection.db, () => {
        const row = sql.spendLink({ keyHash, now });
        if (!row) return undefined;
        const { client_id: clientId, name, scopes } = row;
        sql.addSession({ ...session, clientId, name, scopes, createdAt: now, seenAt: now });
        return shown(sql.session({ id: session.id }));
      });
    },
    forgetLinks: async (endedBefore) => sql.forgetLinks({ endedBefore }),
  } satisfies Partial<SessionLedger>;
  return { reads, changes };
}
