/** `daypart connect exports`: connects the SFTP server of nightly exports, or shows what is there. */
import { writeFile } from 'node:fs/promises';
import {
  type ConnectionAccess,
  type ConnectionsResource,
  connectionsOf,
  type Daypart,
  type FolderChoice,
} from '@daypart/client';
import { shownJson } from '@daypart/client/text';
import type { ParsedArguments } from './arguments.ts';
import { shownText } from './cells.ts';
import { openClient } from './client.ts';
import { type Reached, reachOf, showMade } from './connect-command.ts';
import { UsageError } from './exit.ts';
import { insist } from './point-access.ts';
import { profileAlone, readConnection } from './profiles.ts';
import { prompt, readPiped, readSecretVariable } from './prompt.ts';
import { findRestaurant, listRestaurants, needsNames } from './restaurants.ts';
import { readDate } from './span.ts';
import type { Terminal } from './terminal.ts';

const KIND = 'exports';

/** Makes a key pair, writes its id to a file, and prints the public half. */
async function makeKeys(file: string, connections: ConnectionsResource, terminal: Terminal): Promise<void> {
  const { keyId, publicKey } = await connections.makeKeys({ signal: terminal.signal });
  await writeFile(file, `${keyId}\n`, { mode: 0o600, flag: 'wx' }).catch((error: unknown) => {
    throw new UsageError(`--new-key ${file} cannot be written: ${(error as Error).message}`);
  });
  terminal.say(publicKey);
}

async function askedFor(flag: 'host' | 'user', question: string, args: ParsedArguments, terminal: Terminal) {
  const stated = args.value(flag);
  if (stated !== undefined) return stated;
  if (terminal.input.isTTY) return await insist(question, terminal);
  throw new UsageError(`which server? it needs --${flag}, or a terminal to ask on`);
}

/** The id of the key pair: stated, piped, or of a new pair whose public half somebody enters now. */
async function keyIdOf(connections: ConnectionsResource, terminal: Terminal): Promise<string> {
  const { env, input, err, signal } = terminal;
  const stated = readSecretVariable('DAYPART_CONNECT_SECRET', env);
  if (stated !== undefined) return stated;
  if (!input.isTTY) {
    const piped = await readPiped(input);
    if (piped !== '') return piped;
    throw new UsageError(
      'the id of the key pair is missing: make one with --new-key FILE, and pass that file on standard input, or in DAYPART_CONNECT_SECRET_FILE',
    );
  }
  const { keyId, publicKey } = await connections.makeKeys({ signal });
  err.write(`Enter this public key where the point of sale takes SSH keys:\n\n${publicKey}\n\n`);
  await prompt('Press Enter when it is entered there', {}, input, err);
  return keyId;
}

/** `FOLDER=RESTAURANT`. Throws UsageError for anything else. */
function splitFolder(text: string): { folder: string; typed: string } {
  const [, folder, typed] = /^([^=]+)=(.+)$/.exec(text) ?? [];
  if (folder === undefined || typed === undefined)
    throw new UsageError(`--folder is FOLDER=RESTAURANT, such as "185129=Corner Bistro", not ${text}`);
  return { folder: folder.trim(), typed: typed.trim() };
}

/** The folders with their restaurants: those of `--folder`; on a terminal each is asked for. */
async function foldersOf(
  args: ParsedArguments,
  { folders = [] }: Reached,
  client: Daypart,
  terminal: Terminal,
): Promise<FolderChoice[]> {
  let pairs = args.values('folder').map(splitFolder);
  if (pairs.length === 0) {
    if (!terminal.input.isTTY)
      throw new UsageError(
        `which restaurant has which folder? name them: ${folders.map((one) => `--folder ${one}=RESTAURANT`).join(' ') || '--folder FOLDER=RESTAURANT'}`,
      );
    pairs = [];
    for (const folder of folders) {
      const question = `Restaurant whose files are in the folder ${shownText(folder)} (none: it is not read)`;
      const typed = await prompt(question, {}, terminal.input, terminal.err);
      if (typed !== '') pairs.push({ folder, typed });
    }
  }
  const known = needsNames(pairs.map(({ typed }) => typed)) ? await listRestaurants(client, terminal.signal) : [];
  return pairs.map(({ folder, typed }) => ({ folder, restaurantGuid: findRestaurant(typed, known) }));
}

/** The fingerprint that somebody confirmed. Throws UsageError if nobody can. */
async function confirmed(args: ParsedArguments, { hostKey = '' }: Reached, terminal: Terminal): Promise<string> {
  const stated = args.value('host-key');
  if (stated !== undefined) return stated;
  const { input, err } = terminal;
  if (!input.isTTY)
    throw new UsageError(
      `the server has the host key ${hostKey}; compare it with what the point of sale says, and confirm it with --host-key ${hostKey}`,
    );
  const answer = await prompt(`The server has the host key ${hostKey}. Is that right? (yes or no)`, {}, input, err);
  if (/^y(es)?$/i.test(answer)) return hostKey;
  throw new UsageError('the host key was not confirmed, so nothing was stored');
}

function showFolders(args: ParsedArguments, terminal: Terminal, reach: Reached): void {
  if (args.has('json')) {
    terminal.say(shownJson(JSON.stringify(reach)));
    return;
  }
  const { folders = [], hostKey = '' } = reach;
  terminal.table(
    [{ heading: 'Folder', importance: 1 }],
    folders.map((folder) => [shownText(folder)]),
  );
  terminal.say(`Host key ${shownText(hostKey)}. Nothing was stored.`);
}

/**
 * `daypart connect exports`. Throws UsageError for missing values, CommandError if the server refuses, the service's
 * error if it stores nothing.
 */
export async function connectExports(args: ParsedArguments, terminal: Terminal): Promise<void> {
  const from = args.value('from');
  const pace = { name: args.value('name'), from: from === undefined ? undefined : readDate('from', from) };
  const client = openClient(await readConnection(profileAlone(args), terminal), terminal);
  const connections = connectionsOf(client);
  const file = args.value('new-key');
  if (file !== undefined) return await makeKeys(file, connections, terminal);

  const host = await askedFor('host', 'Host name of the SFTP server', args, terminal);
  const user = await askedFor('user', 'User name there', args, terminal);
  const [port, hostKey] = [args.value('port'), args.value('host-key')];
  const credentials: Record<string, string> = { host, user, keyId: await keyIdOf(connections, terminal) };
  if (port !== undefined) credentials.port = port;
  if (hostKey !== undefined) credentials.hostKey = hostKey;
  const access: ConnectionAccess = { kind: KIND, credentials };
  const reach = await reachOf(connections, access, terminal);
  if (args.has('dry-run')) return showFolders(args, terminal, reach);

  credentials.hostKey = await confirmed(args, reach, terminal);
  const restaurants = await foldersOf(args, reach, client, terminal);
  if (restaurants.length === 0) throw new UsageError('no folder has a restaurant, so nothing was stored');
  const spinner = terminal.spin(`Connecting ${host}`);
  const body = { ...access, ...pace, restaurants };
  const made = await connections.create(body, { signal: terminal.signal }).finally(() => spinner.stop());
  showMade(args, terminal, made, ['', 'Dates are imported in ten minutes']);
}
