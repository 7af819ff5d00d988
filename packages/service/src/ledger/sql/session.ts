/** Sessions and one-time links: rows, statements, methods. */
import type { Session, SessionLedger, SignInLink } from '../session.ts';
import type { Statements } from './statements.ts';

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

export const sessionOf = (row: SessionRow): Session => ({
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

export interface SessionQueries {
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

/** The methods that are one statement in every form of the ledger, by whether they change anything. */
export function sessionMethods(sql: Statements<SessionQueries>) {
  const shown = (row: SessionRow | undefined): Session | undefined => row && sessionOf(row);
  const reads = {
    session: async (id) => shown(await sql.session({ id })),
    sessionByCookie: async (cookieHash) => shown(await sql.sessionByCookie({ cookieHash })),
    sessionsOf: async (group) => (await sql.sessionsOf({ group })).map(sessionOf),
    async link(keyHash) {
      const row = await sql.link({ keyHash });
      return row && linkOf(row);
    },
  } satisfies Partial<SessionLedger>;
  const changes = {
    async addSession({ group: _group, scopes, ...session }) {
      await sql.addSession({ ...session, scopes: JSON.stringify(scopes) });
    },
    async seeSession(id, now) {
      await sql.seeSession({ id, now });
    },
    endSession: async (id) => (await sql.endSession({ id })) === 1,
    forgetSessions: async (seenBefore, now) => await sql.forgetSessions({ seenBefore, now }),
    async addLink({ scopes, ...link }) {
      await sql.addLink({ ...link, scopes: JSON.stringify(scopes) });
    },
    forgetLinks: async (endedBefore) => await sql.forgetLinks({ endedBefore }),
  } satisfies Partial<SessionLedger>;
  return { reads, changes };
}
