/** How a failed command ends: its exit code, what to do next, and the request id. */
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
  UnexpectedAnswerError,
} from '@daypart/client';
import { isNoOperation, isUnknownRoute, likeness, wrongBase } from './base-url.ts';
import { shownText } from './cells.ts';
import type { Command } from './command.ts';
import { EXIT, UsageError } from './exit.ts';
import { outcomeOfPointOfSale } from './point-of-sale.ts';
import type { Trouble } from './trouble.ts';

export { EXIT };

/** An error of a command, with its exit code and what to do next. */
export class CommandError extends Error {
  override readonly name = 'CommandError';
  readonly exitCode: number;
  readonly next: string | undefined;
  constructor(exitCode: number, message: string, next?: string) {
    super(message);
    this.exitCode = exitCode;
    this.next = next;
  }
}

/** The user pressed Ctrl-C. */
export class Interrupted extends Error {
  override readonly name = 'Interrupted';
}

interface Outcome {
  code: number;
  next: string | undefined;
}

/** What was in progress when a command ended. */
interface Underway {
  /** The report's GUID. */
  guid?: string | undefined;
  /** How to continue, unless by one GUID; without a full stop. */
  again?: string | undefined;
  command?: Command | undefined;
  /** The base URL of the service. */
  base?: string | undefined;
  /** What the last call came to, if it failed. */
  trouble?: Trouble | undefined;
}

function outcomeOf(error: unknown, { guid, again, command, base, trouble }: Underway): Outcome {
  if (error instanceof UsageError) {
    return { code: EXIT.misused, next: `daypart ${command ? `${command.name} ` : ''}--help shows its flags.` };
  }
  if (error instanceof CommandError) return { code: error.exitCode, next: error.next };
  if (error instanceof Interrupted) {
    const goOn = guid === undefined ? undefined : `Continue with: daypart get ${guid}`;
    return { code: EXIT.interrupted, next: again ? `${again}.` : goOn };
  }
  const atPointOfSale = error instanceof DaypartError ? outcomeOfPointOfSale(error.code) : undefined;
  if (atPointOfSale) return atPointOfSale;
  if (error instanceof AuthenticationError) {
    return {
      code: EXIT.refused,
      next: 'Check the client id, the secret, --auth and the base URL: daypart login asks for them again.',
    };
  }
  if (error instanceof PermissionError) {
    return {
      code: EXIT.refused,
      next: 'These credentials lack a scope: reports require enterprise-metrics:read, clients, connections, limits and audit access:admin.',
    };
  }
  if (error instanceof ReportFailedError) {
    return {
      code: EXIT.noReport,
      next: 'Run daypart report again; if it fails again, request fewer dates or restaurants at once.',
    };
  }
  if (
    isNoOperation(error) &&
    base !== undefined &&
    (guid === undefined || isUnknownRoute(error) || !(error instanceof NotFoundError))
  )
    return { code: EXIT.failed, next: wrongBase(error, base) };
  if (error instanceof NotFoundError)
    return { code: EXIT.noReport, next: afterNotFound(error, { guid, command, base }) };
  const isAway = error instanceof ConnectionError || (error instanceof DeadlineError && trouble?.isAway);
  if (error instanceof DeadlineError && !isAway) {
    const goOn =
      guid === undefined ? 'Run the same command again' : `The service is still working on it: daypart get ${guid}`;
    const isBound = command?.flags.some(({ name }) => name === 'timeout');
    const more = isBound ? ', or give it more time with --timeout SECONDS' : '';
    return { code: EXIT.notYet, next: `${again ?? goOn}${more}.` };
  }
  if (isAway) {
    const goOn = guid === undefined ? '' : ` Then: daypart get ${guid}`;
    return { code: EXIT.notYet, next: `Check the network and the base URL.${again ? ` ${again}.` : goOn}` };
  }
  if (error instanceof InvalidRequestError) return { code: EXIT.misused, next: corrected(command) };
  if (error instanceof UnexpectedAnswerError && base !== undefined)
    return { code: EXIT.failed, next: `Check the base URL: ${likeness(base)}` };
  if (error instanceof RateLimitError) {
    const seconds = error.retryAfterMs === undefined ? 'a while' : `${Math.ceil(error.retryAfterMs / 1000)} s`;
    return { code: EXIT.failed, next: `Try again in ${seconds}: its rate limit is reached.` };
  }
  if (error instanceof ServerError) {
    return { code: EXIT.failed, next: 'Try again later; quote the request id to support if it happens again.' };
  }
  return { code: EXIT.failed, next: error instanceof DaypartError ? error.next : undefined };
}

/** After a 404. Some services give an expired report the answer of a wrong base URL, which has no message. */
function afterNotFound(error: NotFoundError, { guid, command, base }: Underway): string {
  if (guid === undefined) return corrected(command);
  const other = isNoOperation(error) && base !== undefined ? ` Or the base URL is wrong: ${likeness(base)}` : '';
  return `Run daypart report again: a report can be retrieved for some days only.${other}`;
}

const corrected = (command: Command | undefined): string =>
  `Correct what it names; daypart ${command?.name ?? 'report'} --help shows the flags.`;

/** The field and its message, for errors of either dialect; undefined without a message. */
function readField(field: unknown): { name: string; message: string } | undefined {
  const { message, pointer, fieldName } = Object(field) as Record<string, unknown>;
  if (typeof message !== 'string') return undefined;
  const name = [pointer, fieldName].find((one) => typeof one === 'string' && one !== '') as string | undefined;
  return { name: name?.replace(/^\//, '') ?? '', message };
}

/** The exit code and the lines for standard error. */
export function endingOf(error: unknown, underway: Underway = {}): { code: number; lines: string[] } {
  const known = error instanceof DaypartError ? error : undefined;
  const { code, next } = outcomeOf(error, { ...underway, guid: known?.guid ?? underway.guid });
  const text = error instanceof Error ? error.message : String(error);
  const why = error instanceof DeadlineError ? underway.trouble?.text : undefined;
  const message = why === undefined ? text : `${text.replace(/\.$/, '')}: ${why}.`;
  const fields =
    error instanceof InvalidRequestError ? (error.errors as unknown[]).flatMap((one) => readField(one) ?? []) : [];
  const lines = [
    `daypart: ${message}`,
    ...fields
      .filter((field) => !message.includes(field.message))
      .map((field) => `  ${field.name === '' ? '' : `${field.name}: `}${field.message}`),
    ...(next === undefined ? [] : [`  ${next}`]),
    ...(known?.requestId === undefined ? [] : [`  Request id: ${known.requestId}`]),
  ];
  return { code, lines: lines.map(shownText) };
}
