/** Sources of operators: modules that read kinds of point of sale of their own, with `--connect-sources`. */
import { existsSync } from 'node:fs';
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { ConnectionSource } from '@daypart/client/source';
import { isObject, type JsonObject } from '../../contract/json.ts';
import type { AnySource } from '../folder-source.ts';
import { CONNECTION_SOURCES } from './index.ts';

const KIND = /^[a-z][a-z0-9-]{0,31}$/;
const isPositive = (value: unknown): boolean => typeof value === 'number' && value > 0;
const FUNCTIONS = ['begin', 'changed', 'readUntil', 'dates'];
const NUMBERS = ['everySeconds', 'datesAtOnce'];

/** The first of the properties of an object that is no such thing; undefined if all are. */
function lackOf(
  of: JsonObject,
  path: string,
  { functions = [], numbers = [] }: { functions?: readonly string[]; numbers?: readonly string[] },
): string | undefined {
  const wrong = functions.find((name) => typeof of[name] !== 'function');
  if (wrong !== undefined) return `has no function ${path}${wrong}`;
  const absent = numbers.find((name) => !isPositive(of[name]));
  return absent === undefined ? undefined : `has no number ${path}${absent} above 0`;
}

/** What is wrong with a stream; one that may be absent is fine if it is. */
function faultOfStream(source: JsonObject, name: string, wanted: Parameters<typeof lackOf>[2]): string | undefined {
  const stream = source[name];
  if (stream === undefined && name !== 'orders') return undefined;
  return isObject(stream) ? lackOf(stream, `${name}.`, wanted) : `has no object ${name}`;
}

/** What is wrong with the default export of a module; undefined if it is a source as far as that can be seen. */
function faultOf(source: unknown, known: readonly AnySource[]): string | undefined {
  if (!isObject(source)) return 'exports no source by default';
  const { kind, title, credentials, requestsPerSecond: pace } = source;
  if (typeof kind !== 'string' || !KIND.test(kind)) return 'has no kind of lower-case letters, digits and hyphens';
  if (known.some((one) => one.kind === kind)) return `has the kind ${kind}, which another source has`;
  if (typeof title !== 'string') return 'has no title';
  if (!isObject(credentials)) return 'has no credentials';
  const unnamed = Object.entries(credentials).find(([, field]) => !isObject(field) || typeof field.label !== 'string');
  if (unnamed) return `has no label of credentials.${unnamed[0]}`;
  if (!isObject(pace) || !isPositive(pace.usual) || !isPositive(pace.most))
    return 'has no requestsPerSecond with usual and most';
  const often = { functions: ['read'], numbers: ['everySeconds'] };
  return (
    lackOf(source, '', { functions: ['signIn', 'restaurants', 'settings'] }) ??
    faultOfStream(source, 'orders', { functions: FUNCTIONS, numbers: NUMBERS }) ??
    faultOfStream(source, 'timeEntries', { functions: FUNCTIONS, numbers: NUMBERS }) ??
    faultOfStream(source, 'names', often) ??
    faultOfStream(source, 'menus', often)
  );
}

/**
 * The source of a module, whose path is relative to the working folder. Throws an Error that names the module and what
 * is wrong with it.
 */
export async function loadSource(
  file: string,
  known: readonly AnySource[] = CONNECTION_SOURCES,
): Promise<ConnectionSource> {
  if (!existsSync(file)) throw new Error(`${file} does not exist`);
  const module = await import(pathToFileURL(resolve(file)).href).catch((cause: unknown) => {
    throw new Error(`${file} cannot be imported: ${(cause as Error).message}`, { cause });
  });
  const fault = faultOf(module.default, known);
  if (fault) throw new Error(`${file} ${fault}`);
  return module.default;
}

/** The built-in sources and those of the modules. Throws an Error that names the module which is no source. */
export async function loadSources(files: readonly string[]): Promise<AnySource[]> {
  const sources = [...CONNECTION_SOURCES];
  for (const file of files) {
    const source = await loadSource(file, sources).catch((cause: Error) => {
      throw new Error(`--connect-sources: ${cause.message}`, { cause });
    });
    sources.push(source);
  }
  return sources;
}
