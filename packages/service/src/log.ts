/** The log: JSON lines on standard error, so that standard output stays for people and programs. */

import { shownJson } from '@daypart/client/text';
import { type DestinationStream, type Logger, pino } from 'pino';

/** Names of properties that contain credentials, at the top of a line and one level below. No line should have any. */
const SECRETS = [
  ...['authorization', 'secret', 'password', 'token', 'cookie'],
  ...['clientSecret', 'client_secret', 'accessToken', 'access_token'],
];

/**
 * The parts of an error that may be logged: its kind and where it was thrown. Properties that libraries add to their
 * errors are omitted, since some contain what was being read (a token's claims, a body).
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

type Destination = DestinationStream & { isTTY?: boolean };

/**
 * The lines of the log to a stream; to standard error without a buffer. Lines may contain names and paths of callers,
 * so control characters for terminals are escaped.
 */
function linesTo(stream: Destination): DestinationStream {
  const to = stream === process.stderr ? pino.destination(2) : stream;
  return stream.isTTY ? { write: (line) => void to.write(shownJson(line)) } : to;
}

/** Opens the log. `to` is standard error by default. */
export const openLog = (level: string, to: Destination = process.stderr): Logger =>
  pino(
    {
      level,
      base: null,
      timestamp: pino.stdTimeFunctions.isoTime,
      redact: SECRETS.flatMap((name) => [name, `*.${name}`]),
      serializers: { err: shownError },
    },
    linesTo(to),
  );
