/** Sources of operators: modules that read kinds of point of sale of their own, with `--connect-sources`. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { isObject } from '../../contract/json.ts';
import type { AnySource } from '../folder-source.ts';
import { CONNECTION_SOURCES } from './index.ts';

const KIND = /^[a-z][a-z0-9-]{0,31}$/;
const isPace = (value: unknown): boolean => typeof value === 'number' && value > 0;

/** What is wrong with the default export of a module; undefined if it is a source as far as that can be seen. */
function faultOf(source: unknown, known: readonly AnySource[]): string | undefined {
  if (!isObject(source)) return 'exports no source by default';
  const { kind, title, credentials, requestsPerSecond: pace, orders } = source;
  if (typeof kind !== 'string' || !KIND.test(kind)) return 'has no kind of lower-case letters, digits and hyphens';
  if (known.some((one) => one.kind === kind)) return `has the kind ${kind}, which another source has`;
  if (typeof title !== 'string') return 'has no title';
  if (!isObject(credentials)) return 'has no credentials';
  if (!isObject(pace) || !isPace(pace.usual) || !isPace(pace.most))
    return 'has no requestsPerSecond with usual and most';
  const functions = ['signIn', 'restaurants', 'settings'].filter((name) => typeof source[name] !== 'function');
  if (functions.length > 0) return `has no function ${functions[0]}`;
  const ofOrders = isObject(orders) ? orders : {};
  const reads = ['begin', 'changed', 'readUntil', 'dates'].find((name) => typeof ofOrders[name] !== 'function');
  return reads === undefined ? undefined : `has no function orders.${reads}`;
}

/**
 * The built-in sources and those of the modules; paths are relative to the working folder. Throws an Error that names
 * the module which is no source.
 */
export async function loadSources(files: readonly string[]): Promise<AnySource[]> {
  const sources = [...CONNECTION_SOURCES];
  for (const file of files) {
    const module = await import(pathToFileURL(resolve(file)).href).catch((cause: unknown) => {
      throw new Error(`--connect-sources: ${file} cannot be imported: ${(cause as Error).message}`, { cause });
    });
    const fault = faultOf(module.default, sources);
    if (fault) throw new Error(`--connect-sources: ${file} ${fault}`);
    sources.push(module.default);
  }
  return sources;
}
