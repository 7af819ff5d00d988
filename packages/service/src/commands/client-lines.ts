/** Output of `daypart clients` for people. */
import type { OwnLimits } from '../ledger/group.ts';
import { shownInstant, table } from './lines.ts';
import { shownLimits } from './own-limits.ts';

/** A client, from the ledger or over HTTP. Times are milliseconds since 1970 UTC. */
export interface ClientLine {
  id: string;
  group: string;
  name: string | null;
  dialect: string;
  scopes: readonly string[];
  createdAt: number;
  revokedAt: number | null;
  limits?: OwnLimits;
}

/** The lines of a table of clients, with its header. */
export function clientTable(clients: readonly ClientLine[]): string[] {
  const rows = clients.map((client) => [
    client.id,
    client.group,
    client.name ?? '-',
    client.dialect,
    client.scopes.join(' '),
    shownInstant(client.createdAt),
    client.revokedAt === null ? '-' : shownInstant(client.revokedAt),
    shownLimits(client.limits),
  ]);
  return table(['ID', 'GROUP', 'NAME', 'DIALECT', 'SCOPES', 'CREATED', 'REVOKED', 'LIMITS'], rows);
}

const ONCE = 'The secret is shown only once and is not stored: save it now.';

export const createdLines = (made: {
  id: string;
  secret: string;
  group: string;
  scopes: readonly string[];
  dialect: string;
}): string[] => [
  `Client id  ${made.id}`,
  `Secret     ${made.secret}`,
  `Group      ${made.group}`,
  `Scopes     ${made.scopes.join(' ')}`,
  `Dialect    ${made.dialect}`,
  ONCE,
];

export const rotatedLines = (made: { id: string; secret: string; oldSecretUntil: number }): string[] => [
  `Client id  ${made.id}`,
  `Secret     ${made.secret}`,
  `The previous secret is valid until ${shownInstant(made.oldSecretUntil)}. Tokens remain valid.`,
  ONCE,
];
