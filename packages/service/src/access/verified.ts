/** The claims of a verified access token. */
import { errors } from 'jose';
import { Problem } from '../contract/problems.ts';

export interface Verified {
  clientId: string;
  group: string;
  scopes: string[];
  /** From this instant the token is refused: its `exp` plus the leeway, in milliseconds since 1970 UTC. */
  endsAt: number;
  /** Whether the external issuer signed it. */
  external: boolean;
  /** For a token of the console: the session that it was issued for. */
  sessionId?: string;
}

/** `iat` and `exp` are whole seconds: with this margin a token lasts at least as long as `expires_in` says. */
export const LEEWAY_SECONDS = 1;

/**
 * The Problem for a token that cannot be accepted. The caller is only informed that it expired; the log has the reason.
 */
export function invalidToken(reason: unknown): Problem {
  const message =
    reason instanceof errors.JWTExpired
      ? 'The access token has expired. Get a new one.'
      : 'The access token is not valid. Get a new one.';
  const cause = typeof reason === 'string' ? new Error(reason) : reason;
  return new Problem('token_invalid', message, { cause });
}
