/** Sessions of people who use the console, and the one-time links that begin them. */

export interface Session {
  /** What its tokens carry. It opens nothing by itself. */
  id: string;
  /** SHA-256 of the cookie's value, base64url; the value itself is never stored. */
  cookieHash: string;
  group: string;
  clientId: string;
  /** Of the person, for lists. */
  name: string | null;
  /** What it may do, as long as its client may too. */
  scopes: string[];
  createdAt: number;
  /** When it was last used, to a minute. */
  seenAt: number;
  /** The latest instant at which it ends, however much it is used. */
  endsAt: number;
}

/** Opens one session of a client. */
export interface SignInLink {
  /** SHA-256 of its key, base64url. */
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
  /** Notes that it was used. */
  seeSession(id: string, now: number): Promise<void>;
  /** False when there is no such session. */
  endSession(id: string): Promise<boolean>;
  /** Forgets sessions that were last seen before the instant, or that ended before `now`. */
  forgetSessions(seenBefore: number, now: number): Promise<number>;

  addLink(link: Omit<SignInLink, 'spentAt'>): Promise<void>;
  link(keyHash: string): Promise<SignInLink | undefined>;
  /**
   * Spends the link and adds a session of its client, with its name and scopes, in one step. Undefined, and nothing changes,
   * for a link that is unknown, spent or expired, and for one whose client is revoked.
   */
  spendLink(
    keyHash: string,
    session: Pick<Session, 'id' | 'cookieHash' | 'endsAt'>,
    now: number,
  ): Promise<Session | undefined>;
  /** Forgets links that ended before the instant. */
  forgetLinks(endedBefore: number): Promise<number>;
}
