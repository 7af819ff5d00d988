/**
 * `daypart console-link`: a one-time link with which a person signs in to the console, whether or not a service runs.
 */
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Effects } from '@daypart/cli';
import { shownJson } from '@daypart/client/text';
import { createClient } from '../access/clients.ts';
import { createSignInLink, LINK_MS, linkAddress } from '../access/sessions.ts';
import type { Config } from '../config/config.ts';
import { hostInAddress } from '../config/setting.ts';
import { SCOPE_ACCESS, SCOPE_INGEST, SCOPE_READ } from '../contract/words.ts';
import type { Client, ClientLedger } from '../ledger/client.ts';
import { ORIGIN_FILE } from '../serve.ts';
import { readCommand, readName, readScopes, readSettings } from './arguments.ts';
import { openLedgerOf } from './ledger.ts';

/** The client for which the link is made: the one of this name in the group, created if it does not exist. */
interface Person {
  group: string | undefined;
  name: string;
  scopes: string[] | undefined;
}

/** Anyone with a shell on the machine may manage access too. */
const DEFAULT_SCOPES = [SCOPE_READ, SCOPE_INGEST, SCOPE_ACCESS];

/** Runs the command. Throws UsageError on misuse, Error if no group, or no such client, is found. */
export async function consoleLinkCommand(args: string[], out: (line: string) => void, effects: Effects): Promise<void> {
  const parsed = readCommand('console-link', args);
  const { settings, value, has } = parsed;
  const scopes = value('scopes');
  const person: Person = {
    group: value('group')?.trim(),
    name: readName(parsed) ?? 'console',
    scopes: scopes === undefined ? undefined : readScopes(scopes),
  };
  const config = readSettings(settings, effects);
  const ledger = await openLedgerOf(config);
  try {
    const now = await ledger.now();
    const client = await clientOf(ledger, person, now);
    const granted = person.scopes ?? client.scopes;
    const key = await createSignInLink(ledger, { client, name: person.name, scopes: granted }, now);
    const isSet = settings.port !== undefined || settings.host !== undefined;
    const url = linkAddress(await originOf(config, isSet), key);
    const expiresAt = new Date(now + LINK_MS).toISOString();
    if (has('json')) {
      const { id: clientId, group } = client;
      out(shownJson(JSON.stringify({ url, expiresAt, clientId, name: person.name, group, scopes: granted })));
      return;
    }
    out(url);
    out(`It signs in once, within ${LINK_MS / 60_000} minutes: ${person.name}, ${client.group}, ${granted.join(' ')}`);
  } finally {
    await ledger.close();
  }
}

async function clientOf(ledger: ClientLedger, { group: named, name, scopes }: Person, now: number): Promise<Client> {
  const groups = await ledger.groups();
  const [only] = groups;
  const group = named ?? (groups.length === 1 ? only : undefined);
  if (group === undefined) {
    const known = groups.length === 0 ? 'there is no management group yet' : `the groups are ${groups.join(', ')}`;
    throw new Error(`${known}; name one with --group`);
  }
  const found = (await ledger.clients()).find(
    (client) => client.group === group && client.name === name && client.revokedAt === null,
  );
  if (!found) {
    const { secret: _nobodyNeedsIt, ...made } = await createClient(
      ledger,
      { group, name, scopes: scopes ?? DEFAULT_SCOPES },
      now,
    );
    return { ...made, secretHash: '', revokedAt: null };
  }
  const lacking = scopes?.filter((scope) => !found.scopes.includes(scope)) ?? [];
  if (lacking.length === 0) return found;
  throw new Error(
    `the client ${name} (${found.id}) does not have ${lacking.join(', ')}; choose another --name, or revoke it first: daypart clients revoke ${found.id}`,
  );
}

/** The origin of the service that runs on the folder, or last ran there, unless a setting names one. */
async function originOf(config: Config, isSet: boolean): Promise<string> {
  if (config.publicUrl) return config.publicUrl;
  const last = isSet ? '' : await readFile(join(config.data, ORIGIN_FILE), 'utf8').catch(() => '');
  return last.trim() || `http://${hostInAddress(config.host)}:${config.port}${config.basePath}`;
}
