/** What a checked access token says. */
import { errors } from 'jose';
import { Problem } from '../problems.ts';

export interface Verified {
  clientId: string;
  group: string;
  scopes: string[];
  /** From this instant the token is refused: its `exp` and the leeway, in milliseconds. */
  endsAt: number;
  /** Whether the external issuer signed it. */
  external: boolean;
  /** Of a token of the console: the session that it was issued for. */
  sessionId?: string;
}

/** Room for the whole seconds that `iat` and `exp` are written in: a token lasts at least as long as `expires_in` says. */
export const LEEWAY_SECONDS = 1;

/** The Problem for a token that cannot be accepted. The caller learns that it expired, the log has everything. */
export function invalidToken(reason: unknown): Problem {
  const message =
    reason instanceof errors.JWTExpired
      ? 'The access token has expired. Get a new one.'
      : 'The access token is not valid. Get a new one.';
  const cause = typeof reason === 'string' ? new Error(reason) : reason;
  return new Problem('token_invalid', message, { cause });
}
