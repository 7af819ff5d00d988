/** How a command ends when it is not done: its exit code, what to do next, the request id. */
import {
  AuthenticationError,
  ConnectionError,
  DaypartError,
  DeadlineError,
  InvalidRequestError,
  NotFoundError,
  PermissionError,
  RateLimitError,
  ReportFailedError,
  ServerError,
} from '../../../client/src/index.ts';
import { UsageError } from '../config.ts';
import { shownText } from './cells.ts';

/** The exit codes; docs/terminal.md and `--help` tell of them. */
export const EXIT = { done: 0, failed: 1, misused: 2, refused: 3, noReport: 4, notYet: 5, interrupted: 130 } as const;

/** What a command says when it cannot go on, with its exit code and what to do next. */
export class Ending extends Error {
  override readonly name = 'Ending';
  readonly exitCode: number;
  readonly next: string | undefined;
  constructor(exitCode: number, message: string, next?: string) {
    super(message);
    this.exitCode = exitCode;
    this.next = next;
  }
}

/** Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

interface Told {
  code: number;
  next: string | undefined;
}

const again = (guid: string | undefined): string =>
  guid === undefined ? 'Run the same command again.' : `It goes on being made: daypart get ${guid}`;

function tell(error: unknown, guid: string | undefined, command: string | undefined): Told {
  if (error instanceof UsageError) {
    return { code: EXIT.misused, next: `daypart ${command ? `${command} ` : ''}--help shows what it takes.` };
  }
  if (error instanceof Ending) return { code: error.exitCode, next: error.next };
  if (error instanceof Interrupted) {
    return { code: EXIT.interrupted, next: guid === undefined ? undefined : `Go on with: daypart get ${guid}` };
  }
  if (error instanceof AuthenticationError) {
    return {
      code: EXIT.refused,
      next: 'Check the client id, the secret, --auth and the base URL: daypart login asks for them anew.',
    };
  }
  if (error instanceof PermissionError) {
    return {
      code: EXIT.refused,
      next: 'These credentials may not do this: reports need the scope enterprise-metrics:read.',
    };
  }
  if (error instanceof ReportFailedError) {
    return {
      code: EXIT.noReport,
      next: 'Ask again with daypart report; if it fails again, for fewer dates or restaurants at once.',
    };
  }
  if (error instanceof NotFoundError) {
    return {
      code: EXIT.noReport,
      next: 'Ask for it again with daypart report: a report can be read for some days only.',
    };
  }
  if (error instanceof DeadlineError)
    return { code: EXIT.notYet, next: `${again(guid)}, or give it more time with --timeout SECONDS.` };
  if (error instanceof ConnectionError) {
    const more = guid === undefined ? '' : ` Then: daypart get ${guid}`;
    return { code: EXIT.notYet, next: `Check the network and the base URL.${more}` };
  }
  if (error instanceof InvalidRequestError)
    return { code: EXIT.misused, next: 'Correct what it names; daypart report --help shows the flags.' };
  if (error instanceof RateLimitError) {
    const seconds = error.retryAfterMs === undefined ? 'a while' : `${Math.ceil(error.retryAfterMs / 1000)} s`;
    return { code: EXIT.failed, next: `Try again in ${seconds}: the service takes so many calls and no more.` };
  }
  if (error instanceof ServerError) {
    return { code: EXIT.failed, next: 'Try again later; quote the request id to support if it goes on.' };
  }
  return { code: EXIT.failed, next: error instanceof DaypartError ? error.next : undefined };
}

/** The exit code and the lines for standard error. `guid` is the report that was under way, `command` the one that ran. */
export function endingOf(error: unknown, guid?: string, command?: string): { code: number; lines: string[] } {
  const known = error instanceof DaypartError ? error : undefined;
  const { code, next } = tell(error, known?.guid ?? guid, command);
  const message = error instanceof Error ? error.message : String(error);
  const fields = error instanceof InvalidRequestError ? error.errors : [];
  return {
    code,
    lines: [
      `daypart: ${shownText(message)}`,
      ...fields
        .filter((field) => !message.includes(field.message))
        .map((field) => shownText(`  ${field.pointer.replace(/^\//, '')}: ${field.message}`)),
      ...(next === undefined ? [] : [`  ${next}`]),
      ...(known?.requestId === undefined ? [] : [`  Request id: ${shownText(known.requestId)}`]),
    ],
  };
}
