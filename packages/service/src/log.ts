/** The log: JSON lines on standard error, so that standard output stays for people and programs. */

import { shownJson } from '@daypart/cli';
import { type DestinationStream, type Logger, pino } from 'pino';

/** Names under which credentials go by, at the top of a line and one level below. No line is meant to have any. */
const SECRETS = [
  ...['authorization', 'secret', 'password', 'token', 'cookie'],
  ...['clientSecret', 'client_secret', 'accessToken', 'access_token'],
];

/**
 * An error as far as the log may have it: what it is and where it came from. Properties that libraries hang on their errors
 * are left out, since some are what was being read (a token's claims, a body).
 */
function shownError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { name, message, stack, cause } = error;
  const { code } = error as NodeJS.ErrnoException;
  return {
    type: name,
    message,
    stack,
    ...(code === undefined ? {} : { code }),
    ...(cause === undefined ? {} : { cause: shownError(cause) }),
  };
}

/** Standard error. Lines hold names and paths of callers: a terminal that shows them must obey nothing in them. */
function standardError(): DestinationStream {
  const to = pino.destination(2);
  return process.stderr.isTTY ? { write: (line) => void to.write(shownJson(line)) } : to;
}

/** Opens it. `to` is standard error unless named. */
export const openLog = (level: string, to: DestinationStream = standardError()): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: SECRETS.flatMap((name) => [name, `*.${name}`]),
      serializers: { err: shownError },
    },
    to,
  );
