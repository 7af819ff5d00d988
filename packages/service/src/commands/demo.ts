/** `daypart demo`: sample restaurants, credentials, and three commands to paste. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type Effects, UsageError } from '@daypart/cli';
import { ensureBootstrapClient } from '../access/clients.ts';
import { createSignInLink, linkAddress } from '../access/sessions.ts';
import { demoToday, loadDemo } from '../demo/demo.ts';
import { DEMO_RESTAURANTS } from '../demo/restaurants.ts';
import { openLog } from '../log.ts';
import { type Service, startService } from '../serve.ts';
import { openStores, type Stores } from '../stores.ts';
import { readCommand, readSettings } from './arguments.ts';
import { endWhenLost, untilStopped, warnExposed } from './serve.ts';

const GROUP = 'demo';

/** What the demo stores between starts, in `demo.json` of its data folder. */
interface DemoState {
  clientId: string;
  secret: string;
  /** Last business date that was loaded, YYYYMMDD. */
  loadedTo: number | null;
  /** Which restaurants and trade were loaded; absent before there were two years of it. */
  trade?: number;
}

/** Raised when what the sample restaurants sell is other than before. */
const TRADE = 2;

async function readState(file: string): Promise<DemoState> {
  if (existsSync(file)) return JSON.parse(await readFile(file, 'utf8')) as DemoState;
  return { clientId: 'demo', secret: randomBytes(18).toString('base64url'), loadedTo: null, trade: TRADE };
}

async function writeState(file: string, state: DemoState): Promise<void> {
  await writeFile(`${file}.new`, JSON.stringify(state), { mode: 0o600 });
  await rename(`${file}.new`, file);
}

/**
 * Shows progress in orders: in one line that is overwritten on a terminal, otherwise one line for each tenth; nothing
 * if there are none to load.
 */
export function progressLine({ stderr }: Pick<Effects, 'stderr'>): (done: number, total: number) => void {
  let shown = -1;
  return (done, total) => {
    // Started again on the same day, there is nothing to load.
    if (total === 0) return;
    const percent = Math.floor((done / total) * 100);
    if (percent === shown || (!stderr.isTTY && Math.floor(percent / 10) === Math.floor(shown / 10))) return;
    shown = percent;
    const line = `Loading sample restaurants: ${String(percent).padStart(3)} % (${done.toLocaleString('en')} orders)`;
    stderr.write(stderr.isTTY ? `\r${line}${percent === 100 ? '\n' : ''}` : `${line}\n`);
  };
}

/** Loads the days that are missing, up to the last one that has ended at every restaurant. */
async function load(stores: Stores, state: DemoState, effects: Effects): Promise<DemoState> {
  const since = state.loadedTo ?? undefined;
  const { lastDate } = await loadDemo(stores, {
    group: GROUP,
    today: demoToday(effects.now()),
    until: effects.now(),
    ...(since ? { since } : {}),
    progress: progressLine(effects),
  });
  return { ...state, loadedTo: lastDate };
}

/** The three commands of the demo, each on one line that can be pasted. `date` is YYYYMMDD. */
function tour(baseUrl: string, origin: string, state: { clientId: string; secret: string }, date: number): string[] {
  const bearer = '-H "Authorization: Bearer $TOKEN"';
  return [
    `TOKEN=$(curl -s -u ${state.clientId}:${state.secret} -d grant_type=client_credentials ${origin}/oauth/token | sed 's/.*"access_token":"\\([^"]*\\)".*/\\1/')`,
    `GUID=$(curl -s -X POST ${bearer} -H "Content-Type: application/json" -d '{"startBusinessDate":"${date}"}' ${baseUrl}/metrics/day | tr -d '"')`,
    `curl -s ${bearer} "${baseUrl}/metrics/$GUID?fetchRestaurantNames=true"`,
  ];
}

/** The same with the command of this package, to be run in the checkout. */
function atTerminal(baseUrl: string, { clientId, secret }: DemoState): string[] {
  const daypart = 'npx --no-install daypart';
  return [
    `DAYPART_CLIENT_SECRET=${secret} ${daypart} login --url ${baseUrl} --client-id ${clientId} --profile demo`,
    `${daypart} report metrics --last-7-days --profile demo`,
  ];
}

/** Prints a link that signs in to the console, and another on Enter; each can be used once. */
async function offerConsole(
  { stores, origin }: Service,
  clientId: string,
  out: (line: string) => void,
  { stdin, now }: Effects,
): Promise<void> {
  const { ledger } = stores;
  async function offer(): Promise<void> {
    const client = await ledger.client(clientId);
    if (client) out(`Console  ${linkAddress(origin, await createSignInLink(ledger, { client }, now()))}`);
  }
  await offer();
  if (!stdin.isTTY) return;
  stdin.on('data', () => void offer().catch(() => undefined));
  stdin.unref?.();
}

/** Runs the command until it is stopped. Throws UsageError for servers, and for a folder of an earlier version. */
export async function demoCommand(args: string[], out: (line: string) => void, effects: Effects): Promise<void> {
  const config = readSettings(readCommand('demo', args).settings, effects, {
    data: './data/demo',
    sandbox: true,
    webhookPrivate: true,
    corsOrigins: ['*'],
    logLevel: 'warn',
  });
  if (config.ledger !== undefined) throw new UsageError('daypart demo makes a data folder: unset DAYPART_LEDGER');
  const log = openLog(config.logLevel, effects.stderr);
  const file = join(config.data, 'demo.json');
  const state = await readState(file);
  if (state.trade !== TRADE)
    throw new UsageError(
      `${config.data} has the sample restaurants of an earlier version: remove it, or choose another folder with --data`,
    );
  const stores = await openStores(config, log);
  endWhenLost(stores, effects);
  let loaded: DemoState;
  try {
    loaded = await load(stores, state, effects);
    await writeState(file, loaded);
    await ensureBootstrapClient(
      stores.ledger,
      { id: loaded.clientId, secret: loaded.secret, group: GROUP },
      effects.now(),
    );
  } catch (error) {
    await stores.close();
    throw error;
  }
  const warn = (text: string): boolean => effects.stderr.write(`Warning: ${text}\n`);
  const service = await startService(config, log, stores, { warn });
  const stopped = untilStopped(service, config, effects);
  warnExposed(config, effects);
  if (service.hasConsole) await offerConsole(service, loaded.clientId, out, effects);
  out(`
Daypart demo: ${DEMO_RESTAURANTS.length} restaurants, sales up to ${loaded.loadedTo}

  Base URL       ${service.baseUrl}
  Client id      ${loaded.clientId}
  Client secret  ${loaded.secret}

Paste these, one after the other (without the "$ "): a token, a report request, its records.
`);
  for (const line of tour(service.baseUrl, service.origin, loaded, loaded.loadedTo ?? 0)) out(`$ ${line}`);
  out(`
Or at a terminal, in this folder: log in once, then ask. A script has @daypart/client for that.
`);
  for (const line of atTerminal(service.baseUrl, loaded)) out(`$ ${line}`);
  out(`
Every operation, to read and to try: ${service.origin}/docs
${service.hasConsole && effects.stdin.isTTY ? 'Enter prints another link to the console. ' : ''}Stop with Ctrl-C. Data stays in ${config.data}`);
  await stopped;
}
