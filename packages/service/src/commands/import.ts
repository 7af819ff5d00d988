/** `daypart import`: the nightly export folders of a restaurant, loaded as a service would load them. */
import { readFile } from 'node:fs/promises';
import { type Config, readConfig, readCredentials, UsageError } from '../config.ts';
import { readGuid } from '../contract/words.ts';
import { type Destination, serviceDestination, storesDestination } from '../ingest/export/destination.ts';
import { FolderProblem, findDays } from '../ingest/export/folder.ts';
import { importDays } from '../ingest/export/import.ts';
import { type Mapping, NO_MAPPING, readMapping } from '../ingest/export/mapping.ts';
import { reportLines } from '../ingest/export/report.ts';
import { openLog } from '../log.ts';
import { FolderHeld, openStores } from '../serve.ts';
import type { Given } from '../terminal/arguments.ts';
import { readCommand } from './read.ts';

/**
 * Runs `daypart import FOLDER --restaurant GUID`; `args` are those after `import`. Throws UsageError on misuse, Error when
 * anything was not read, after the report.
 */
export async function importCommand(args: string[], out: (line: string) => void): Promise<void> {
  const given = readCommand('import', args);
  const { settings, value } = given;
  const [folder] = given.words;
  if (folder === undefined) throw new UsageError('import needs a folder: a day of the export, or a tree of days');
  const restaurant = value('restaurant');
  if (restaurant === undefined) throw new UsageError('import needs --restaurant, the GUID of the restaurant');
  const guid = readGuid(restaurant);
  if (guid === undefined) throw new UsageError(`--restaurant must be a GUID, not ${restaurant}`);
  if (value('url') !== undefined && settings.data !== undefined) throw new UsageError('--url or --data, not both');
  const config = readConfig(settings);
  const columns = value('columns');
  const mapping = columns === undefined ? NO_MAPPING : await readColumns(columns);
  const days = await findDays(folder).catch((error: Error) => {
    throw error instanceof FolderProblem ? new UsageError(error.message) : error;
  });

  const { destination, close } = await openDestination(guid, given, config);
  let report: Awaited<ReturnType<typeof importDays>>;
  try {
    report = await importDays(days, destination, { mapping, progress: progressBar() });
  } finally {
    await close();
  }
  if (given.has('json')) out(JSON.stringify(report, null, 2));
  else for (const line of reportLines(report)) out(line);
  if (!report.complete) throw new Error('not everything was read; the report says what');
}

async function readColumns(path: string): Promise<Mapping> {
  try {
    return readMapping(await readFile(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`--columns ${path}: ${(error as Error).message}`);
  }
}

interface Opened {
  destination: Destination;
  close(): Promise<void>;
}

async function openDestination(guid: string, { value }: Given, config: Config): Promise<Opened> {
  const url = value('url');
  if (url !== undefined) {
    const base = readBase(url);
    const credentials = readCredentials(value('client-id'), value('client-secret'));
    return { destination: await serviceDestination({ base, ...credentials }, guid), close: async () => undefined };
  }
  return await openOwnStores(guid, config);
}

/** The base of a service, also where only its origin is named. */
function readBase(text: string): string {
  const url = URL.parse(text);
  if (!url || !/^https?:$/.test(url.protocol)) throw new UsageError('--url must be an http or https address');
  const base = text.replace(/\/+$/, '');
  return url.pathname === '/' ? `${base}/v1` : base;
}

async function openOwnStores(guid: string, config: Config): Promise<Opened> {
  const stores = await openStores(config, openLog(config.logLevel)).catch((error: Error) => {
    throw error instanceof FolderHeld
      ? new Error(`a daypart service is running on the data folder ${config.data}; import through it with --url`)
      : error;
  });
  const restaurant = await stores.ledger.restaurant(guid);
  if (restaurant) return { destination: storesDestination(stores, restaurant), close: () => stores.close() };
  await stores.close();
  throw new Error(`there is no restaurant ${guid} in ${config.data}; make it with PUT /v1/restaurants/${guid}`);
}

const BAR = 30;

/** A bar on a terminal, on standard error; nothing elsewhere. */
function progressBar(): (done: number, total: number, date: number) => void {
  if (!process.stderr.isTTY) return () => undefined;
  return (done, total, date) => {
    const filled = Math.round((done / total) * BAR);
    const bar = `${'█'.repeat(filled)}${'░'.repeat(BAR - filled)}`;
    process.stderr.write(`\r${bar} ${done}/${total} days, ${date}${done === total ? '\n' : ''}`);
  };
}
