/**
 * Base URLs at which there is no reporting service, or not at this path: how that is recognised, and what is said about
 * it.
 */
import { DaypartError } from '@daypart/client';

/** The paths of a Daypart service, and of the live system. */
const PATHS = ['/v1', '/era/v1'];

/** A Daypart service that has no such operation. */
export const isUnknownRoute = (error: unknown): boolean =>
  error instanceof DaypartError && error.code === 'route_not_found';

/**
 * Whether the path is not that of an operation: a Daypart service says so, other web servers answer without a message.
 */
export const isNoOperation = (error: unknown): boolean =>
  error instanceof DaypartError &&
  (error.status === 404 || error.status === 405) &&
  (isUnknownRoute(error) || error.message === `The service answered ${error.status}.`);

/** What to do about it. */
export function wrongBase(error: unknown, base: string): string {
  if (!isUsual(base)) return `The base URL is probably wrong: ${likeness(base)}`;
  if (isUnknownRoute(error))
    return `The service at ${base} does not have this operation: it may be of an older version.`;
  return `The base URL is probably wrong, or the service does not have this operation: ${likeness(base)}`;
}

/** What the base URL is, and what it should look like. */
export function likeness(base: string): string {
  const { origin } = new URL(base);
  const other = isUsual(base)
    ? 'be that of a reporting service, with its version at the end'
    : `look like ${PATHS.map((path) => origin + path).join(' or ')}`;
  return `it is ${base}, and should ${other}.`;
}

/** A service may be below a path of its proxy, which does not end like a base URL. */
const isUsual = (base: string): boolean => {
  const { pathname } = new URL(base);
  const path = PATHS.findLast((one) => pathname.endsWith(one));
  return path !== undefined && !/\/(era|v\d+)$/.test(pathname.slice(0, -path.length));
};
