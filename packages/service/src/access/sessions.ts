/**
 * Sessions of people who use the console: a cookie that only `/session` reads, and the tokens that it is exchanged for.
 */
import { createHash, randomUUID } from 'node:crypto';
import { HOUR_MS, MINUTE_MS } from '../contract/time.ts';
import { keepMost } from '../kept.ts';
import type { Client, ClientLedger } from '../ledger/client.ts';
import type { Session, SessionLedger, SignInLink } from '../ledger/session.ts';
import { isDiskFull } from '../storage/disk-fault.ts';
import type { Caller } from './caller.ts';
import { newSecret } from './secrets.ts';

/** A session expires when it has not been used for this long. */
export const IDLE_MS = 12 * HOUR_MS;
/** A session expires this long after it began. */
export const LONGEST_MS = 7 * 24 * HOUR_MS;
/** How long a one-time link can be used. */
export const LINK_MS = 15 * MINUTE_MS;
/**
 * Use is recorded at most once in this time, since the console renews tokens at every screen and each record is a
 * commit.
 */
const NOTED_MS = MINUTE_MS;
/**
 * Another process, such as a command or another node, may end a session; its tokens are refused at most this much
 * later.
 */
const REMEMBER_MS = 1000;
const REMEMBERED = 10_000;

/** The stored hash of a cookie's value or a link's key. Both have 256 random bits, so a plain hash is enough. */
export const hashOf = (text: string): string => createHash('sha256').update(text).digest('base64url');

/** A session in use, and the client it belongs to. */
export interface SignedIn {
  session: Session;
  client: Client;
}

/** A new session: the value of its `cookie` can be read only here. */
export interface NewSession {
  session: Session;
  cookie: string;
}

export interface Sessions {
  /** Begins a session of the client, with all of its scopes. */
  begin(client: Client): Promise<NewSession>;
  /**
   * Begins the session of a link and uses the link up. Returns the link if it was already used, has expired or is of a
   * revoked client; undefined if it is unknown.
   */
  beginBy(key: string): Promise<NewSession | SignInLink | undefined>;
  /** The session of a cookie's value. Undefined if it is unknown or has expired, or its client was revoked. */
  find(cookie: string): Promise<SignedIn | undefined>;
  /** Whether the session exists and has not expired; read at most once a second. */
  isLive(id: string): Promise<boolean>;
  /** Ends it: its cookie and its tokens are refused from now on. False when there is no such session. */
  end(id: string): Promise<boolean>;
  /** The sessions of a group, newest first, without expired ones. */
  list(group: string): Promise<Session[]>;
}

/** The scopes of the session that its client still has. */
export const sessionScopes = ({ session, client }: SignedIn): string[] =>
  session.scopes.filter((scope) => client.scopes.includes(scope));

/** When it expires if it is not used before. */
export const expiryOf = ({ seenAt, endsAt }: Session): number => Math.min(seenAt + IDLE_MS, endsAt);

/** The sessions of a ledger. What was read of a session is remembered for a short while. */
export function createSessions(deps: { ledger: SessionLedger & ClientLedger; clock: () => number }): Sessions {
  const { ledger, clock } = deps;
  const live = keepMost<{ until: number; isLive: boolean }>(REMEMBERED);

  function newSession(now: number): Pick<Session, 'id' | 'cookieHash' | 'endsAt'> & { cookie: string } {
    const cookie = newSecret();
    return { id: randomUUID(), cookie, cookieHash: hashOf(cookie), endsAt: now + LONGEST_MS };
  }

  return {
    async begin(client) {
      const now = clock();
      const { cookie, ...made } = newSession(now);
      const { group, id: clientId, name, scopes } = client;
      const session = { ...made, group, clientId, name, scopes, createdAt: now, seenAt: now };
      await ledger.addSession(session);
      return { session, cookie };
    },

    async beginBy(key) {
      const now = clock();
      const { cookie, ...made } = newSession(now);
      const session = await ledger.spendLink(hashOf(key), made, now);
      return session ? { session, cookie } : await ledger.link(hashOf(key));
    },

    async find(cookie) {
      const now = clock();
      const session = await ledger.sessionByCookie(hashOf(cookie));
      if (!session || expiryOf(session) <= now) return undefined;
      const client = await ledger.client(session.clientId);
      if (client?.revokedAt !== null) return undefined;
      if (now - session.seenAt < NOTED_MS) return { session, client };
      // On a full disk it cannot be recorded, and the session can still be used and ended.
      await ledger.seeSession(session.id, now).catch((error: unknown) => {
        if (!isDiskFull(error)) throw error;
      });
      return { session: { ...session, seenAt: now }, client };
    },

    async isLive(id) {
      const now = clock();
      const known = live.get(id);
      if (known && now < known.until) return known.isLive;
      const session = await ledger.session(id);
      const isLive = session !== undefined && expiryOf(session) > now;
      live.set(id, { until: now + REMEMBER_MS, isLive });
      return isLive;
    },

    async end(id) {
      const ended = await ledger.endSession(id);
      live.delete(id);
      return ended;
    },

    async list(group) {
      const now = clock();
      return (await ledger.sessionsOf(group)).filter((session) => expiryOf(session) > now);
    },
  };
}

/**
 * Creates a one-time link for a client and returns its key, 256 random bits, which is stored only as a hash. `scopes`
 * are those of the session; by default all of the client's.
 */
export async function createSignInLink(
  ledger: SessionLedger,
  { client, name, scopes }: { client: Client; name?: string | undefined; scopes?: readonly string[] | undefined },
  now: number,
): Promise<string> {
  const key = newSecret();
  await ledger.addLink({
    keyHash: hashOf(key),
    clientId: client.id,
    name: name ?? client.name,
    scopes: [...(scopes ?? client.scopes)],
    createdAt: now,
    endsAt: now + LINK_MS,
  });
  return key;
}

/**
 * The address of a one-time link. The key is in the fragment, which browsers do not send, so it is in no server log or
 * link preview.
 */
export const linkAddress = (origin: string, key: string): string => `${origin}/welcome#k=${key}`;

/** The caller that tokens of the session identify. */
export const sessionCaller = (signedIn: SignedIn): Caller => ({
  clientId: signedIn.client.id,
  group: signedIn.client.group,
  dialect: 'reference',
  scopes: sessionScopes(signedIn),
  sessionId: signedIn.session.id,
});
