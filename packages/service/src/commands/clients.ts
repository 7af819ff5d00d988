/** `daypart clients`: credentials, made and revoked in the ledger whether or not a service runs on it. */

import { type Given, nearest, shownJson, UsageError } from '@daypart/cli';
import { createClient } from '../access/clients.ts';
import { readConfig } from '../config.ts';
import { SCOPES } from '../contract/words.ts';
import type { ClientLedger } from '../ledger/client.ts';
import { dialect as readDialect } from '../setting.ts';
import { openLedgerOf } from './ledger.ts';
import { readCommand } from './read.ts';
import { shownInstant, table } from './table.ts';
import { prepareWebhook } from './webhook.ts';

/**
 * Runs `daypart clients create|list|revoke|webhook`; `args` are those after `clients`. Throws UsageError on misuse, Error when
 * there is no such client.
 */
export async function clientsCommand(args: string[], out: (line: string) => void): Promise<void> {
  const given = readCommand('clients', args);
  const work = prepare(given.command, given);

  const config = readConfig(given.settings);
  const ledger = await openLedgerOf(config.data, given.command === 'clients create' ? given.has('init') : undefined);
  try {
    await work(ledger, out, config.webhookPrivate);
  } finally {
    await ledger.close();
  }
}

/** Reads what was asked before the ledger is opened, so that misuse touches nothing. */
function prepare(command: string, given: Given): ReturnType<typeof prepareWebhook> {
  const [id] = given.words;
  const asJson = given.has('json');
  if (command === 'clients create') {
    const asked = readAsked(given);
    return (ledger: ClientLedger, out: (line: string) => void) => create(ledger, asked, asJson, out);
  }
  if (command === 'clients list')
    return (ledger: ClientLedger, out: (line: string) => void) => list(ledger, asJson, out);
  if (command === 'clients webhook') return prepareWebhook(given);
  if (id === undefined) throw new UsageError('clients revoke needs the id of a client');
  return (ledger: ClientLedger, out: (line: string) => void) => revoke(ledger, id, out);
}

function readAsked({ value }: Given): Parameters<typeof createClient>[1] {
  const [group, scopes, dialect, name] = [value('group')?.trim(), value('scopes'), value('dialect'), value('name')];
  if (!group) throw new UsageError('clients create needs --group, the name of a management group');
  return {
    group,
    ...(scopes === undefined ? {} : { scopes: readScopes(scopes) }),
    ...(dialect === undefined ? {} : { dialect: readDialect(dialect) }),
    ...(name === undefined ? {} : { name }),
  };
}

/** Scopes as a flag names them. Throws UsageError for none and for an unknown one. */
export function readScopes(text: string): string[] {
  const scopes = text.split(/[\s,]+/).filter((scope) => scope !== '');
  if (scopes.length === 0) throw new UsageError(`--scopes takes ${SCOPES.join(', ')}, separated by commas`);
  for (const scope of scopes) {
    if (!(SCOPES as readonly string[]).includes(scope)) {
      throw new UsageError(`--scopes: unknown scope ${scope}${nearest(scope, SCOPES)}`);
    }
  }
  return [...new Set(scopes)];
}

async function create(
  ledger: ClientLedger,
  asked: Parameters<typeof createClient>[1],
  asJson: boolean,
  out: (line: string) => void,
): Promise<void> {
  const { id, secret, name, group, scopes, dialect } = await createClient(ledger, asked, Date.now());
  if (asJson) {
    out(shownJson(JSON.stringify({ id, secret, name, group, scopes, dialect })));
    return;
  }
  out(`Client id  ${id}`);
  out(`Secret     ${secret}`);
  out(`Group      ${group}`);
  out(`Scopes     ${scopes.join(' ')}`);
  out(`Dialect    ${dialect}`);
  out('The secret is shown only once and is not stored: save it now.');
}

async function list(ledger: ClientLedger, asJson: boolean, out: (line: string) => void): Promise<void> {
  const clients = await ledger.clients();
  if (asJson) {
    out(shownJson(JSON.stringify(clients.map(({ secretHash: _, oldSecret: __, ...shown }) => shown))));
    return;
  }
  if (clients.length === 0) {
    out('No clients yet. Create one with: daypart clients create --group NAME');
    return;
  }
  const rows = clients.map((client) => [
    client.id,
    client.group,
    client.name ?? '-',
    client.dialect,
    client.scopes.join(' '),
    shownInstant(client.createdAt),
    client.revokedAt === null ? '-' : shownInstant(client.revokedAt),
  ]);
  for (const line of table(['ID', 'GROUP', 'NAME', 'DIALECT', 'SCOPES', 'CREATED', 'REVOKED'], rows)) out(line);
}

async function revoke(ledger: ClientLedger, id: string, out: (line: string) => void): Promise<void> {
  const client = await ledger.client(id);
  if (!client) throw new Error(`no client ${id}; daypart clients list shows them`);
  const revoked = await ledger.revokeClient(id, Date.now());
  out(revoked ? `Revoked ${id}: its secret and tokens are now refused.` : `${id} was already revoked.`);
}
