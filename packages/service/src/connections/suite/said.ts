/**
 * What the suite says to the author of a source: what does not hold, and what the source throws, in words, with the
 * place in its module.
 */
import { isSourceError } from '@daypart/client/source';

/** What a test of a source found: what does not hold, and where. */
export interface SuiteFault {
  message: string;
  restaurant?: string | undefined;
  /** YYYYMMDD. */
  date?: number;
  /** GUID. */
  order?: string;
}

/** An error whose message is for the author of a source as it is. */
export class SaidError extends Error {
  override readonly name = 'SaidError';
}

/** The text without the secrets. */
export const maskedText = (text: string, secrets: Iterable<string>): string =>
  [...secrets].reduce((masked, secret) => masked.replaceAll(secret, '[Redacted]'), text);

/** File, line and column of the first line of the stack that is in the module, whose URL is given. */
function placeIn(stack = '', module: string): string | undefined {
  const at = stack.indexOf(`${module}:`);
  const [, place] = /^:(\d+:\d+)/.exec(stack.slice(at + module.length)) ?? [];
  return at < 0 || place === undefined ? undefined : `${decodeURIComponent(module).split('/').at(-1)}:${place}`;
}

/** An error in one line; `module` is the URL of the module that may have thrown it. */
export function saidError(error: unknown, module: string | undefined): string {
  if (error instanceof SaidError) return error.message;
  if (!(error instanceof Error)) return `${typeof error === 'string' ? error : JSON.stringify(error)} was thrown`;
  const text = `${isSourceError(error) ? error.code : error.name}: ${error.message}`;
  const place = module === undefined ? undefined : placeIn(error.stack, module);
  return place === undefined ? text : `${text} (${place})`;
}
