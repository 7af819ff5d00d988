/**
 * `daypart clients`: credentials, created and revoked in the ledger whether or not a service runs on it, or over HTTP.
 */

import { type Effects, type ParsedArguments, UsageError } from '@daypart/cli';
import { shownJson } from '@daypart/client/text';
import { createClient, rotateSecretOf } from '../access/clients.ts';
import { dialect as readDialect } from '../config/setting.ts';
import type { Client, ClientLedger } from '../ledger/client.ts';
import type { ClockLedger } from '../ledger/clock.ts';
import type { GroupLedger } from '../ledger/group.ts';
import { readCommand, readName, readScopes, readSettings } from './arguments.ts';
import { clientTable, createdLines, rotatedLines } from './client-lines.ts';
import { isRemote, runRemote } from './clients-remote.ts';
import { openLedgerOf } from './ledger.ts';
import { limitedLine, missingLimits, readLimits } from './own-limits.ts';
import { prepareWebhook } from './webhook.ts';

/**
 * Runs `daypart clients create|list|rotate|revoke|webhook`; `args` are those after `clients`. Throws UsageError on
 * misuse, Error if there is no such client.
 */
export async function clientsCommand(args: string[], out: (line: string) => void, effects: Effects): Promise<void> {
  const parsed = readCommand('clients', args);
  if (isRemote(parsed)) return await runRemote(parsed, out, effects);
  const work = prepare(parsed.command, parsed);

  const config = readSettings(parsed.settings, effects);
  const ledger = await openLedgerOf(config, parsed.command === 'clients create' ? parsed.has('init') : undefined);
  try {
    await work(ledger, out, config.webhookPrivate);
  } finally {
    await ledger.close();
  }
}

/** Reads the arguments before the ledger is opened, so that misuse changes nothing. */
function prepare(command: string, args: ParsedArguments): ReturnType<typeof prepareWebhook> {
  const [id] = args.words;
  const asJson = args.has('json');
  if (command === 'clients create') {
    const request = readRequest(args);
    return (ledger: ClientLedger & ClockLedger, out: (line: string) => void) => create(ledger, request, asJson, out);
  }
  if (command === 'clients list')
    return (ledger: ClientLedger & ClockLedger, out: (line: string) => void) => listClients(ledger, asJson, out);
  if (command === 'clients webhook') return prepareWebhook(args);
  if (id === undefined) throw new UsageError(`${command} needs the id of a client`);
  if (command === 'clients set') {
    const limits = readLimits(args.value('quota') ?? missingLimits());
    return async (ledger: GroupLedger & ClientLedger & ClockLedger, out: (line: string) => void) => {
      await find(ledger, id);
      await ledger.limitClient(id, limits);
      out(limitedLine(id, limits));
    };
  }
  if (command === 'clients rotate')
    return (ledger: ClientLedger & ClockLedger, out: (line: string) => void) => rotate(ledger, id, asJson, out);
  return (ledger: ClientLedger & ClockLedger, out: (line: string) => void) => revoke(ledger, id, out);
}

function readRequest(args: ParsedArguments): Parameters<typeof createClient>[1] {
  const { value } = args;
  const [group, scopes, dialect, name] = [value('group')?.trim(), value('scopes'), value('dialect'), readName(args)];
  if (!group) throw new UsageError('clients create needs --group, the name of a management group');
  return {
    group,
    ...(scopes === undefined ? {} : { scopes: readScopes(scopes) }),
    ...(dialect === undefined ? {} : { dialect: readDialect(dialect) }),
    ...(name === undefined ? {} : { name }),
  };
}

async function create(
  ledger: ClientLedger & ClockLedger,
  request: Parameters<typeof createClient>[1],
  asJson: boolean,
  out: (line: string) => void,
): Promise<void> {
  const { id, secret, name, group, scopes, dialect } = await createClient(ledger, request, await ledger.now());
  if (asJson) {
    out(shownJson(JSON.stringify({ id, secret, name, group, scopes, dialect })));
    return;
  }
  for (const line of createdLines({ id, secret, group, scopes, dialect })) out(line);
}

async function listClients(
  ledger: ClientLedger & ClockLedger,
  asJson: boolean,
  out: (line: string) => void,
): Promise<void> {
  const clients = await ledger.clients();
  if (asJson) {
    out(shownJson(JSON.stringify(clients.map(({ secretHash: _, oldSecret: __, ...shown }) => shown))));
    return;
  }
  if (clients.length === 0) {
    out('No clients yet. Create one with: daypart clients create --group NAME');
    return;
  }
  for (const line of clientTable(clients)) out(line);
}

async function find(ledger: ClientLedger & ClockLedger, id: string): Promise<Client> {
  const client = await ledger.client(id);
  if (!client) throw new Error(`no client ${id}; daypart clients list shows them`);
  return client;
}

async function rotate(
  ledger: ClientLedger & ClockLedger,
  id: string,
  asJson: boolean,
  out: (line: string) => void,
): Promise<void> {
  const { revokedAt } = await find(ledger, id);
  if (revokedAt !== null) throw new Error(`${id} is revoked; daypart clients create creates another client`);
  const { secret, oldSecretUntil } = await rotateSecretOf(ledger, id, await ledger.now());
  if (asJson) out(shownJson(JSON.stringify({ id, secret, oldSecretUntil })));
  else for (const line of rotatedLines({ id, secret, oldSecretUntil })) out(line);
}

async function revoke(ledger: ClientLedger & ClockLedger, id: string, out: (line: string) => void): Promise<void> {
  await find(ledger, id);
  const revoked = await ledger.revokeClient(id, await ledger.now());
  out(revoked ? `Revoked ${id}: its secret and tokens are now refused.` : `${id} was already revoked.`);
}
