/** Sessions and one-time links in SQL. */
import type { Session, SessionLedger, SignInLink } from '../session.ts';
import { columns, json, type Stored } from './columns.ts';
import { loadQueries, type Row, type Sql } from './statements.ts';

const sessions = columns<Session>({
  id: 'id',
  cookieHash: 'cookie_hash',
  group: 'management_group',
  clientId: 'client_id',
  name: 'name',
  scopes: json('scopes'),
  createdAt: 'created_at',
  seenAt: 'seen_at',
  endsAt: 'ends_at',
});

const links = columns<SignInLink>({
  keyHash: 'key_hash',
  clientId: 'client_id',
  name: 'name',
  scopes: json('scopes'),
  createdAt: 'created_at',
  endsAt: 'ends_at',
  spentAt: 'spent_at',
});

const queries = loadQueries<{
  addSession(session: Stored<Omit<Session, 'group'>>): number;
  session(of: { id: string }): Row | undefined;
  sessionByCookie(of: { cookieHash: string }): Row | undefined;
  sessionsOf(of: { group: string }): Row[];
  seeSession(of: { id: string; now: number }): number;
  endSession(of: { id: string }): number;
  forgetSessions(of: { seenBefore: number; now: number }): number;
  addLink(link: Stored<Omit<SignInLink, 'spentAt'>>): number;
  link(of: { keyHash: string }): Row | undefined;
  spendLink(of: { keyHash: string; now: number }): Row | undefined;
  forgetLinks(of: { endedBefore: number }): number;
}>(new URL('./session.sql', import.meta.url));

export function sessionLedger(sql: Sql): SessionLedger {
  const query = queries(sql);
  return {
    async addSession(session) {
      await query.addSession(sessions.values(session));
    },
    async session(id) {
      return sessions.readOne(await query.session({ id }));
    },
    async sessionByCookie(cookieHash) {
      return sessions.readOne(await query.sessionByCookie({ cookieHash }));
    },
    async sessionsOf(group) {
      return (await query.sessionsOf({ group })).map(sessions.read);
    },
    async seeSession(id, now) {
      await query.seeSession({ id, now });
    },
    async endSession(id) {
      return (await query.endSession({ id })) === 1;
    },
    forgetSessions: (seenBefore, now) => query.forgetSessions({ seenBefore, now }),
    async addLink(link) {
      await query.addLink(links.values(link));
    },
    async link(keyHash) {
      return links.readOne(await query.link({ keyHash }));
    },
    spendLink: (keyHash, session, now) =>
      sql.transaction(async (inner) => {
        const within = queries(inner);
        const link = links.readOne(await within.spendLink({ keyHash, now }));
        if (!link) return undefined;
        const { clientId, name, scopes } = link;
        await within.addSession(sessions.values({ ...session, clientId, name, scopes, createdAt: now, seenAt: now }));
        return sessions.readOne(await within.session({ id: session.id }));
      }),
    forgetLinks: (endedBefore) => query.forgetLinks({ endedBefore }),
  };
}
