/** Parsers for the text of settings. Each throws an Error that says which values are allowed. */
import { BlockList, isIP } from 'node:net';
import { resolve } from 'node:path';
import type { Dialect } from '../contract/words.ts';

export interface Setting<T> {
  /** Parses the text; throws an Error that says which values are allowed. */
  parse: (givenText: string) => T;
  default: T;
  /** How the default is shown if its value depends on the machine. */
  defaultText?: string;
  help: string;
  secret?: boolean;
}

export const setting = <T>(value: Setting<T>): Setting<T> => value;
export const givenText = (value: string): string => {
  if (value === '') throw new Error('must not be empty');
  return value;
};
/**
 * The path of the data folder. The reporting engine cannot open a file whose path has a `?`: it puts the ending of its
 * log before the first.
 */
export const dataFolder = (value: string): string => {
  if (resolve(givenText(value)).includes('?'))
    throw new Error('must be a path without ?, which the reporting engine cannot open');
  return value;
};
/** An address or name to listen on; one of IPv6 with or without the brackets that it has in URLs. */
export const listenHost = (value: string): string => givenText(value).replace(/^\[(.*:.*)\]$/, '$1');
export const maybeText = (value: string): string | undefined => (value === '' ? undefined : value);
export const whole =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d+$/.test(value) || number < min || number > max)
      throw new Error(`must be a whole number from ${min} to ${max}`);
    return number;
  };
export const seconds =
  (min: number, max: number) =>
  (value: string): number => {
    const number = Number(value);
    if (!/^\d+(\.\d+)?$/.test(value) || number < min || number > max)
      throw new Error(`must be a number from ${min} to ${max}`);
    return number;
  };
export const onOff = (value: string): boolean => {
  const word = value.toLowerCase();
  if (['1', 'on', 'true', 'yes'].includes(word)) return true;
  if (['0', 'off', 'false', 'no', ''].includes(word)) return false;
  throw new Error('must be on or off');
};
export const httpUrl = (value: string): string | undefined => {
  if (value === '') return undefined;
  if (!/^https?:$/.test(URL.parse(value)?.protocol ?? '')) throw new Error('must be an http or https address');
  return value.replace(/\/+$/, '');
};
/** The address of the service: an origin, with the base path or without it. */
export const httpAddress = (value: string): string | undefined => {
  const text = httpUrl(value);
  if (text === undefined) return undefined;
  const { origin, pathname, href } = new URL(text);
  if (href !== origin + pathname)
    throw new Error(
      'must be an address such as https://reports.example.com, without credentials, a query or a fragment',
    );
  return (origin + pathname).replace(/\/+$/, '');
};
/** A host as an address has it: `[::1]` for an IPv6 address. */
export const hostInAddress = (host: string): string => (host.includes(':') ? `[${host}]` : host);

/** A path of plain segments: `/reports` of `/reports/`, `reports` and `/reports`; empty for the root. */
export const pathPrefix = (value: string): string => {
  const path = value.replace(/^\/|\/$/g, '');
  if (path === '') return '';
  if (!/^[\w-]+(\/[\w-]+)*$/.test(path))
    throw new Error('must be a path such as /reports/, of letters, digits, - and _');
  if (/(^|\/)(era|v\d+)$/i.test(path)) throw new Error('must not end like a base URL: /v1 and /era/v1 follow it');
  return `/${path}`;
};
/** The public address with the base path at its end. Throws Error if it has another path. */
export function publicAddress(publicUrl: string, basePath: string): string {
  const { origin, pathname } = new URL(publicUrl);
  if (pathname === '/' || pathname === basePath) return origin + basePath;
  throw new Error(
    `--public-url has the path ${pathname}/, but --base-path is ${basePath}/: set both to the same path, and let the proxy in front keep it`,
  );
}
export const origins = (value: string): string[] => {
  const listed = value.split(',').flatMap((item) => item.trim() || []);
  for (const origin of listed) {
    if (origin !== '*' && URL.parse(origin)?.origin !== origin)
      throw new Error('must be origins such as https://app.example.com, separated by commas, or *');
  }
  return listed;
};
export const isoDate = (value: string): Date => {
  const date = new Date(value);
  if (!/^\d{4}-\d{2}-\d{2}/.test(value) || Number.isNaN(date.getTime()))
    throw new Error('must be an ISO date such as 2028-01-01');
  return date;
};
export const dialect = (value: string): Dialect => {
  if (value === 'reference' || value === 'live') return value;
  throw new Error('must be reference or live');
};
export const claimValue = (value: string): { claim: string; value: string } | undefined => {
  if (value === '') return undefined;
  const [, claim = '', wanted = ''] = /^([^=]+)=(.+)$/.exec(value) ?? [];
  if (claim === '') throw new Error('must be a claim and its value such as role=vendor');
  return { claim, value: wanted };
};
/** Commands read names of groups without the spaces around them, so a group with some could not be named. */
export const bootstrap = (value: string): { id: string; secret: string; group: string } | undefined => {
  if (value === '') return undefined;
  const first = value.indexOf(':');
  const last = value.lastIndexOf(':');
  const parts = {
    id: value.slice(0, first),
    secret: value.slice(first + 1, last),
    group: value.slice(last + 1).trim(),
  };
  if (first < 1 || last <= first + 1 || !parts.group) throw new Error('must be id:secret:group');
  return parts;
};
export const limits = (value: string): 'on' | 'live' | 'off' => {
  if (value === 'live') return value;
  try {
    return onOff(value) ? 'on' : 'off';
  } catch {
    throw new Error('must be on, live or off');
  }
};
/** Addresses and CIDR blocks, separated by commas: `10.0.0.0/8, ::1`. */
export const addressBlocks = (value: string): BlockList => {
  const blocks = new BlockList();
  for (const part of value.split(',').flatMap((item) => item.trim() || [])) {
    const [, address = '', bits] = /^([\d.a-f:]+)(?:\/(\d{1,3}))?$/i.exec(part) ?? [];
    const version = isIP(address);
    const longest = version === 4 ? 32 : 128;
    if (version === 0 || Number(bits ?? 0) > longest)
      throw new Error('must be addresses or blocks such as 10.0.0.0/8, separated by commas');
    blocks.addSubnet(address, Number(bits ?? longest), version === 4 ? 'ipv4' : 'ipv6');
  }
  return blocks;
};
