/** `daypart clients`: credentials, made and revoked in the ledger whether or not a service runs on it. */
import { closest } from 'fastest-levenshtein';
import { createClient } from '../access/clients.ts';
import { readArguments, readConfig, UsageError } from '../config.ts';
import { type Dialect, SCOPES } from '../contract/words.ts';
import type { Ledger } from '../ledger/ledger.ts';
import { openLedgerIn } from '../ledger/sqlite.ts';
import { shownInstant, table } from './table.ts';
import { prepareWebhook, type WebhookFlags } from './webhook.ts';

/** The flags of each, `true` where one takes a value. */
const SUBCOMMANDS = {
  create: { group: true, scopes: true, dialect: true, name: true, json: false },
  list: { json: false },
  revoke: {},
  webhook: { url: true, off: false, 'rotate-secret': false },
} as const;
const FLAGS = { ...SUBCOMMANDS.create, ...SUBCOMMANDS.webhook };

const isSubcommand = (word: string): word is keyof typeof SUBCOMMANDS => Object.hasOwn(SUBCOMMANDS, word);

interface Flags extends WebhookFlags {
  group?: string;
  scopes?: string;
  dialect?: string;
  name?: string;
  json?: string;
}

/**
 * Runs `daypart clients create|list|revoke|webhook`; `args` are those after `clients`. Throws UsageError on misuse, Error when
 * there is no such client.
 */
export async function clientsCommand(args: string[], out: (line: string) => void): Promise<void> {
  const { settings, flags, words } = readArguments(args, FLAGS);
  const [name, ...rest] = words;
  if (name === undefined) throw new UsageError('clients needs create, list, revoke or webhook');
  if (!isSubcommand(name)) {
    throw new UsageError(`unknown clients ${name}; did you mean ${closest(name, Object.keys(SUBCOMMANDS))}?`);
  }
  const strange = Object.keys(flags).find((flag) => !Object.hasOwn(SUBCOMMANDS[name], flag));
  if (strange) throw new UsageError(`clients ${name} does not take --${strange}`);
  const extra = rest[name === 'revoke' || name === 'webhook' ? 1 : 0];
  if (extra !== undefined) throw new UsageError(`unexpected ${extra}`);
  const work = prepare(name, flags, rest[0]);

  const config = readConfig(settings);
  const ledger = await openLedgerIn(config.data);
  try {
    await work(ledger, out, config.webhookPrivate);
  } finally {
    await ledger.close();
  }
}

/** Reads what was asked before the ledger is opened, so that misuse touches nothing. */
function prepare(
  name: keyof typeof SUBCOMMANDS,
  flags: Flags,
  id: string | undefined,
): ReturnType<typeof prepareWebhook> {
  const asJson = flags.json !== undefined;
  if (name === 'create') {
    const asked = readAsked(flags);
    return (ledger: Ledger, out: (line: string) => void) => create(ledger, asked, asJson, out);
  }
  if (name === 'list') return (ledger: Ledger, out: (line: string) => void) => list(ledger, asJson, out);
  if (name === 'webhook') return prepareWebhook(flags, id);
  if (id === undefined) throw new UsageError('clients revoke needs the id of a client');
  return (ledger: Ledger, out: (line: string) => void) => revoke(ledger, id, out);
}

function readAsked({ group, scopes, dialect, name }: Flags): Parameters<typeof createClient>[1] {
  if (!group?.trim()) throw new UsageError('clients create needs --group, the name of a management group');
  return {
    group: group.trim(),
    ...(scopes === undefined ? {} : { scopes: readScopes(scopes) }),
    ...(dialect === undefined ? {} : { dialect: readDialect(dialect) }),
    ...(name === undefined ? {} : { name }),
  };
}

function readScopes(text: string): string[] {
  const scopes = text.split(/[\s,]+/).filter((scope) => scope !== '');
  if (scopes.length === 0) throw new UsageError(`--scopes takes ${SCOPES.join(' and ')}, separated by commas`);
  for (const scope of scopes) {
    if (!(SCOPES as readonly string[]).includes(scope)) {
      throw new UsageError(`--scopes: unknown scope ${scope}; did you mean ${closest(scope, [...SCOPES])}?`);
    }
  }
  return [...new Set(scopes)];
}

function readDialect(text: string): Dialect {
  if (text === 'reference' || text === 'live') return text;
  throw new UsageError('--dialect must be reference or live');
}

async function create(
  ledger: Ledger,
  asked: Parameters<typeof createClient>[1],
  asJson: boolean,
  out: (line: string) => void,
): Promise<void> {
  const { id, secret, name, group, scopes, dialect } = await createClient(ledger, asked, Date.now());
  if (asJson) {
    out(JSON.stringify({ id, secret, name, group, scopes, dialect }));
    return;
  }
  out(`Client id  ${id}`);
  out(`Secret     ${secret}`);
  out(`Group      ${group}`);
  out(`Scopes     ${scopes.join(' ')}`);
  out(`Dialect    ${dialect}`);
  out('The secret is shown this once and is not stored: keep it now.');
}

async function list(ledger: Ledger, asJson: boolean, out: (line: string) => void): Promise<void> {
  const clients = await ledger.clients();
  if (asJson) {
    out(JSON.stringify(clients.map(({ secretHash: _, ...shown }) => shown)));
    return;
  }
  if (clients.length === 0) {
    out('No clients yet. Make one with: daypart clients create --group NAME');
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

async function revoke(ledger: Ledger, id: string, out: (line: string) => void): Promise<void> {
  const client = await ledger.client(id);
  if (!client) throw new Error(`no client ${id}; daypart clients list shows them`);
  const revoked = await ledger.revokeClient(id, Date.now());
  out(revoked ? `Revoked ${id}: it and its tokens are refused from now on.` : `${id} was revoked before.`);
}
