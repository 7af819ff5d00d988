/** Sessions of people who use the console, and the one-time links that start them. */

export interface Session {
  /** Contained in the session's tokens. Not a secret: it grants no access by itself. */
  id: string;
  /** SHA-256 of the cookie's value, base64url; the value itself is never stored. */
  cookieHash: string;
  group: string;
  clientId: string;
  /** The person's name, for lists. */
  name: string | null;
  /** The scopes of the session; those that its client no longer has do not count. */
  scopes: string[];
  createdAt: number;
  /** When it was last used, with a precision of a minute. */
  seenAt: number;
  /** The latest instant at which it ends, however often it is used. */
  endsAt: number;
}

/** A link that starts one session of a client. */
export interface SignInLink {
  /** SHA-256 of the link's key, base64url. */
  keyHash: string;
  clientId: string;
  name: string | null;
  scopes: string[];
  createdAt: number;
  endsAt: number;
  spentAt: number | null;
}

export interface SessionLedger {
  addSession(session: Session): Promise<void>;
  session(id: string): Promise<Session | undefined>;
  sessionByCookie(cookieHash: string): Promise<Session | undefined>;
  /** Of one group, newest first. */
  sessionsOf(group: string): Promise<Session[]>;
  /** Records that it was used. */
  seeSession(id: string, now: number): Promise<void>;
  /** False when there is no such session. */
  endSession(id: string): Promise<boolean>;
  /** Deletes sessions that were last used before `seenBefore`, or that ended before `now`. */
  forgetSessions(seenBefore: number, now: number): Promise<number>;

  addLink(link: Omit<SignInLink, 'spentAt'>): Promise<void>;
  link(keyHash: string): Promise<SignInLink | undefined>;
  /**
   * Uses up the link and adds a session of its client, with the link's name and scopes, in one step. Returns undefined,
   * and changes nothing, if the link is unknown, used or expired, or its client is revoked.
   */
  spendLink(
    keyHash: string,
    session: Pick<Session, 'id' | 'cookieHash' | 'endsAt'>,
    now: number,
  ): Promise<Session | undefined>;
  /** Deletes links that ended before the instant. */
  forgetLinks(endedBefore: number): Promise<number>;
}
