/** `daypart connect test`: the suite for authors of sources, against a point of sale of theirs. */
import { resolve } from 'node:path';
import { pathToFileURL } from 'node:url';
import { type Effects, type ParsedArguments, UsageError } from '@daypart/cli';
import { insist, openSpinner, readPiped, readSecretVariable } from '@daypart/cli/connect';
import { type ConnectionSource, isSourceError } from '@daypart/client/source';
import { shownJson, shownLines } from '@daypart/client/text';
import { loadSource } from '../connections/sources/load.ts';
import { importOf, Patience } from '../connections/suite/patience.ts';
import type { SuiteFault } from '../connections/suite/said.ts';
import { type LawResult, type SuiteOptions, testSource } from '../connections/suite/suite.ts';
import { SHORTEST_SECRET } from '../connections/suite/watch.ts';
import { parseInstant } from '../contract/clock.ts';
import { dashedDate } from '../contract/dates.ts';
import { isObject } from '../contract/json.ts';
import { openLog } from '../log.ts';
import { openStores } from '../stores.ts';
import { readCommand } from './arguments.ts';
import { guardModule } from './connect-test-guard.ts';

const ENGINE_MB = 512;
/** So long (ms) nothing may move. */
const PATIENCE_MS = 60_000;
const USUAL_DAYS = 2;
const MOST_DAYS = 28;
/** Faults of a law that are listed for people. */
const MOST_SHOWN = 10;

type Credentials = Record<string, string>;

/** The fields of a pipe: one alone is the text, several are an object of JSON. Throws UsageError. */
function fieldsOf(text: string, names: readonly string[]): Credentials {
  const [only] = names;
  if (only !== undefined && names.length === 1) return { [only]: text };
  try {
    const fields: unknown = JSON.parse(text);
    if (isObject(fields) && Object.values(fields).every((value) => typeof value === 'string'))
      return fields as Credentials;
  } catch {
    // Said below.
  }
  throw new UsageError(`the credentials are an object of JSON with ${names.join(', ')}`);
}

/**
 * The credentials that the source asks for: from `--credential`, then from the variable, a terminal or a pipe. Throws
 * UsageError.
 */
async function readCredentials(
  { credentials }: ConnectionSource,
  args: ParsedArguments,
  { env, stdin: input, stderr: err }: Effects,
): Promise<Credentials> {
  const read: Credentials = {};
  for (const pair of args.values('credential')) {
    const [, name = '', value = ''] = /^([^=]+)=(.+)$/s.exec(pair) ?? [];
    const field = credentials[name];
    if (!field) throw new UsageError(`--credential takes NAME=VALUE, one of ${Object.keys(credentials).join(', ')}`);
    if (field.secret) throw new UsageError(`${name} is secret: give it on standard input or in DAYPART_CONNECT_SECRET`);
    read[name] = value;
  }
  const missing = Object.keys(credentials).filter((name) => read[name] === undefined);
  if (missing.length === 0) return read;
  const stated = readSecretVariable('DAYPART_CONNECT_SECRET', env);
  if (stated === undefined && input.isTTY) {
    for (const name of missing) {
      const { label, secret = false } = credentials[name] ?? { label: name };
      read[name] = await insist(secret ? `${label} (not shown)` : label, { env, input, err }, secret);
    }
  } else {
    const required = missing.filter((name) => !credentials[name]?.isOptional);
    Object.assign(read, fieldsOf(stated ?? (await readPiped(input)), required.length === 1 ? required : missing));
  }
  for (const [name, { secret, isOptional }] of Object.entries(credentials)) {
    const value = read[name] ?? '';
    if (value === '' && !isOptional)
      throw new UsageError(`${name} is missing: on standard input, or in DAYPART_CONNECT_SECRET`);
    if (secret && value !== '' && value.length < SHORTEST_SECRET)
      throw new UsageError(`${name} is too short to be searched for: at least ${SHORTEST_SECRET} characters`);
  }
  return read;
}

function readAddress(args: ParsedArguments): string {
  const address = args.value('against');
  if (address === undefined) throw new UsageError('against which point of sale? name its address: --against URL');
  if (!/^https?:$/.test(URL.parse(address)?.protocol ?? ''))
    throw new UsageError(`--against is the address of an API, http:// or https://, not ${address}`);
  return address;
}

function readSpan(args: ParsedArguments, now: number): { days: number; at: number } {
  const days = Number(args.value('days') ?? USUAL_DAYS);
  if (!Number.isInteger(days) || days < 1 || days > MOST_DAYS)
    throw new UsageError(`--days is a whole number from 1 to ${MOST_DAYS}`);
  const text = args.value('at');
  const at = text === undefined ? now : parseInstant(text);
  if (at === undefined) throw new UsageError(`--at is an instant such as 2026-03-10T18:00:00Z, not ${text}`);
  return { days, at };
}

const lineOf = ({ message, restaurant, date, order }: SuiteFault): string =>
  [date === undefined ? undefined : dashedDate(date), restaurant, order, message]
    .filter((part) => part !== undefined)
    .join('  ');

function linesOf({ law, name, holds, checked, faults }: LawResult): string[] {
  const more = faults.length - MOST_SHOWN;
  return [
    `${law} ${name.padEnd(11)}  ${holds ? 'holds' : 'does not hold'}: ${checked}`,
    ...faults.slice(0, MOST_SHOWN).map((fault) => `    ${lineOf(fault)}`),
    ...(more > 0 ? [`    and ${more} more`] : []),
  ];
}

/** The laws, with stores in a folder of their own. Throws what `testSource` does. */
async function testIn(data: string, options: Omit<SuiteOptions, 'stores'>): Promise<LawResult[]> {
  const { ledger, facts, spoolFolder, close } = await openStores({ data, engineMemory: ENGINE_MB }, openLog('silent'));
  const stores = { ledger, facts, spoolFolder, openLog: (to: { write(line: string): void }) => openLog('debug', to) };
  return await testSource({ ...options, stores }).finally(close);
}

/**
 * Runs `daypart connect test`; `args` are those after `connect`. Throws UsageError on misuse, Error if the file has no
 * source, it cannot connect, or a law does not hold.
 */
export async function connectTestCommand(args: string[], out: (line: string) => void, effects: Effects): Promise<void> {
  const { command: _, ...parsed } = readCommand('connect', args);
  const [file] = parsed.words;
  if (file === undefined) throw new UsageError('which source? name the file of its module');
  const url = readAddress(parsed);
  const span = readSpan(parsed, effects.now());
  const module = pathToFileURL(resolve(file)).href;
  const guard = guardModule({ file, module }, effects);
  let laws: LawResult[];
  let kind: string;
  try {
    const patience = new Patience(PATIENCE_MS);
    const source = await guard.race(patience.await(importOf(file), () => loadSource(file)));
    const credentials = await guard.race(readCredentials(source, parsed, effects));
    const secret = Object.keys(credentials).filter((name) => source.credentials[name]?.secret);
    guard.secrets.push(...secret.flatMap((name) => credentials[name] || []));
    const spinner = openSpinner('Connecting', effects.stderr, effects.env);
    guard.onClose(() => spinner.stop());
    const first = parsed.value('restaurant') ?? null;
    const onStory = (index: number, count: number): void => spinner.say(`Story ${index} of ${count}`);
    const tested = { source, module, url, credentials, patience, ...span, first, onStory };
    laws = await guard.race(testIn(guard.folder, tested));
    kind = source.kind;
  } catch (error) {
    if (!isSourceError(error)) throw error;
    throw new Error(`${file} cannot read ${url}: ${error.message} (${error.code})`, { cause: error });
  } finally {
    guard.close();
  }
  if (parsed.has('json')) out(shownJson(JSON.stringify({ kind, url, laws })));
  else for (const law of laws) for (const line of linesOf(law)) out(shownLines(line));
  if (!laws.every(({ holds }) => holds)) throw new Error(`${file} does not keep every law`);
  // A timer of the module would keep the process.
  effects.exit(0);
}
