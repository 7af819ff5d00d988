/** What the routes of connections share: the connection in the path, and what its point of sale says. */
import type { FastifyRequest } from 'fastify';
import type { AuditDeps } from '../access/audit-note.ts';
import { callerOf } from '../access/caller.ts';
import type { KeyTurns } from '../access/idempotency.ts';
import { fieldProblem, Problem } from '../contract/problems.ts';
import { readPublicUrl } from '../http/public-address.ts';
import type { ConnectedRestaurant, Connection, ConnectionLedger } from '../ledger/connection.ts';
import type { IdempotencyLedger } from '../ledger/idempotency-key.ts';
import type { ChooseDeps } from './choose.ts';
import { type checkBody, readCredentials } from './connection-bodies.ts';
import type { Vault } from './credentials.ts';
import { type CheckConnection, credentialsOf, type PointOfSale, type Reached, refusalOf } from './reach.ts';
import { connectionAnswer, type ShownDeps } from './shown.ts';
import { type ConnectionSource, SourceError } from './source.ts';

export interface ConnectionRouteDeps extends ChooseDeps, ShownDeps, AuditDeps {
  ledger: ConnectionLedger & IdempotencyLedger & ChooseDeps['ledger'] & ShownDeps['ledger'] & AuditDeps['ledger'];
  config: { connectPrivate: boolean };
  sources: readonly ConnectionSource[];
  checkConnection: CheckConnection;
  vault: Vault;
  inTurn: KeyTurns;
  clock: () => number;
  /** Called with the id of a connection that was added or changed. */
  onChanged(connectionId: string): void;
}

/** What the routes get besides the stores. */
export type ConnectionParts = Pick<ConnectionRouteDeps, 'sources' | 'checkConnection' | 'vault' | 'onChanged'>;

/** Aborts what is asked of a point of sale when the caller disconnects. */
export function untilClosed(request: FastifyRequest): AbortSignal {
  const abort = new AbortController();
  request.raw.once('close', () => {
    if (request.raw.destroyed && !request.raw.complete) abort.abort(new Error('the caller has disconnected'));
  });
  return abort.signal;
}

/** The functions that the routes share. */
export function createAsking(deps: ConnectionRouteDeps) {
  const { ledger, vault, sources } = deps;

  function sourceOf(kind: string): ConnectionSource {
    const source = sources.find((one) => one.kind === kind);
    if (source) return source;
    throw fieldProblem('invalid_body', '/kind', `kind must be one of ${sources.map((one) => one.kind).join(', ')}.`);
  }

  /** The connection in the path. Throws Problem connection_not_found, also for one of another group. */
  async function find(request: FastifyRequest): Promise<Connection> {
    const { connectionId } = request.params as { connectionId: string };
    const connection = await ledger.connection(connectionId);
    if (connection && connection.group === callerOf(request).group && connection.state !== 'removed') return connection;
    throw new Problem('connection_not_found', 'No connection of the management group has this id.');
  }

  /** What a point of sale says. Throws Problems. */
  async function ask(access: PointOfSale, request: FastifyRequest): Promise<Reached> {
    try {
      return await deps.checkConnection(access, untilClosed(request));
    } catch (error) {
      throw error instanceof SourceError ? refusalOf(error) : error;
    }
  }

  function accessOf(body: ReturnType<typeof checkBody.read>): PointOfSale {
    const source = sourceOf(body.kind);
    const { href } = readPublicUrl(body.url, deps.config.connectPrivate);
    const credentials = readCredentials(source, body.credentials, '/credentials');
    return { kind: body.kind, url: href.replace(/\/+$/, ''), credentials, first: body.restaurantGuid };
  }

  /** The access of a stored connection. Throws SecretUnreadable as the problem of credentials that are refused. */
  async function storedAccess({ id, kind, url, credentials, settings }: Connection): Promise<PointOfSale> {
    const content = await vault.open(id, credentials ?? '').catch((cause: unknown) => {
      const text = 'The key that protects the credentials is missing. Enter the credentials again.';
      throw new Problem('credentials_refused', text, { cause });
    });
    return { kind, url, credentials: credentialsOf(content), first: settings.first };
  }

  /** The members of a connection that have not left. */
  const membersOf = async (id: string): Promise<ConnectedRestaurant[]> =>
    (await ledger.connectedRestaurants(id)).filter(({ state }) => state !== 'left');

  /** Throws Problem unknown_restaurant, of the field `at`. */
  function memberNamed(members: readonly ConnectedRestaurant[], guid: string, at: string): ConnectedRestaurant {
    const member = members.find(({ restaurantGuid }) => restaurantGuid === guid);
    if (member) return member;
    throw fieldProblem('unknown_restaurant', at, 'The connection does not have this restaurant.');
  }

  const answer = async (id: string) => {
    const connection = await ledger.connection(id);
    if (!connection) throw new Problem('connection_not_found', 'The connection was removed meanwhile.');
    return await connectionAnswer(deps, connection);
  };
  const changed = async (id: string, isChanged: boolean) => {
    if (!isChanged) throw new Problem('connection_not_found', 'The connection was removed meanwhile.');
    deps.onChanged(id);
    return await answer(id);
  };

  return { sourceOf, find, ask, accessOf, storedAccess, answer, changed, membersOf, memberNamed };
}
