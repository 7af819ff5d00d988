/** What the routes of connections share: the connection in the path, and what its point of sale says. */

import { isSourceError, SourceError } from '@daypart/client/source';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { type AuditDeps, callerOf } from '../access/caller.ts';
import type { KeyTurns } from '../access/idempotency.ts';
import { type Places, takePlace } from '../access/places.ts';
import { fieldProblem, Problem } from '../contract/problems.ts';
import { MINUTE_MS } from '../contract/time.ts';
import { signalOfGone } from '../http/connections.ts';
import { readPublicUrl } from '../http/public-address.ts';
import type { ConnectedRestaurant, Connection, ConnectionLedger } from '../ledger/connection.ts';
import type { IdempotencyLedger } from '../ledger/idempotency-key.ts';
import { bounded } from '../threads/bounded.ts';
import type { ChooseDeps } from './choose.ts';
import { type checkBody, readCredentials } from './connection-bodies.ts';
import type { Vault } from './credentials.ts';
import { type AnySource, type FolderSource, isFolderSource } from './folder-source.ts';
import { privateKeyOf } from './key-pair.ts';
import { type CheckConnection, credentialsOf, type PointOfSale, type Reached, refusalOf } from './reach.ts';
import { connectionAnswer, type ShownDeps } from './shown.ts';

export interface ConnectionRouteDeps extends ChooseDeps, ShownDeps, AuditDeps {
  ledger: ConnectionLedger & IdempotencyLedger & ChooseDeps['ledger'] & ShownDeps['ledger'] & AuditDeps['ledger'];
  config: { connectPrivate: boolean };
  sources: readonly AnySource[];
  checkConnection: CheckConnection;
  /** How many are asked at once for each management group. */
  asking: Places;
  vault: Vault;
  inTurn: KeyTurns;
  clock: () => number;
  /** Called with the id of a connection that was added or changed. */
  onChanged(connectionId: string): void;
}

/**
 * What is asked before anything is stored may take so long in all: 2,000 restaurants are described one by one, eight a
 * second, and a caller waits five minutes for an answer.
 */
export const LONGEST_ASKING_MS = 5 * MINUTE_MS - 10_000;
const HOST = /^([\w.-]{1,253}|\[[\da-fA-F:.]{2,45}\])$/;

/** What the routes get besides the stores. */
export type ConnectionParts = Pick<ConnectionRouteDeps, 'sources' | 'checkConnection' | 'vault' | 'onChanged'>;

/** Why nobody waits for a point of sale any more. */
const ASKING_ERRORS = {
  late: () => new SourceError('upstream_unreachable', 'the answers took too long in all'),
  cancelled: () => new SourceError('upstream_unreachable', 'the caller has disconnected'),
};

/** The functions that the routes share. */
export function createAsking(deps: ConnectionRouteDeps) {
  const { ledger, vault, sources } = deps;

  function sourceOf(kind: string): AnySource {
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

  /** What a point of sale says. Throws SourceError, and Problem too_many_at_once. */
  async function reachOf(access: PointOfSale, reply: FastifyReply): Promise<Reached> {
    const leave = takePlace(deps.asking, reply.request, 'questions to points of sale', 'management group');
    try {
      // A source may never answer, nor notice that its signal was aborted.
      return await bounded(
        (signal) => deps.checkConnection(access, signal),
        { deadlineMs: LONGEST_ASKING_MS, signal: signalOfGone(reply) },
        ASKING_ERRORS,
      );
    } finally {
      leave();
    }
  }

  /** The same, for what is stored. Throws Problems. */
  async function ask(access: PointOfSale, reply: FastifyReply): Promise<Reached> {
    try {
      return await reachOf(access, reply);
    } catch (error) {
      throw isSourceError(error) ? refusalOf(error) : error;
    }
  }

  /** What is asked of a point of sale. Throws Problem invalid_body and unknown_field. */
  async function accessOf(body: ReturnType<typeof checkBody.read>, group: string): Promise<PointOfSale> {
    const { kind, restaurantGuid: first } = body;
    const source = sourceOf(kind);
    const at = '/credentials';
    if (isFolderSource(source)) {
      if (body.url !== null)
        throw fieldProblem('invalid_body', '/url', 'url must be absent: the host is one of the credentials.');
      const credentials = await withKey(readCredentials(source, body.credentials, at), group, at);
      return { kind, url: urlOfFolders(source, credentials, at), credentials, first: null };
    }
    const { href } = readPublicUrl(body.url, deps.config.connectPrivate);
    const credentials = readCredentials(source, body.credentials, at);
    return { kind, url: href.replace(/\/+$/, ''), credentials, first };
  }

  /** The credentials with the private half of the key pair that they name, if they name one. */
  async function withKey({ keyId, ...others }: Record<string, string>, group: string, at: string) {
    if (keyId === undefined) return others;
    return Object.assign(others, { privateKey: await privateKeyOf(keyId, group, vault, `${at}/keyId`) });
  }

  /** The address of a server of folders, checked as those of points of sale are. Throws Problem invalid_body. */
  function urlOfFolders(source: FolderSource, credentials: Record<string, string>, at: string): string {
    const { scheme, host, port } = source.addressOf(credentials);
    const refuse = (name: string, rule: string) =>
      fieldProblem('invalid_body', `${at}/${name}`, `${name} must be ${rule}.`);
    if (!HOST.test(host)) throw refuse('host', 'the name of a host, or an address');
    if (!/^\d{1,5}$/.test(credentials.port ?? '22') || port < 1 || port > 65_535)
      throw refuse('port', 'a number from 1 to 65535');
    const { hostname } = readPublicUrl(`https://${host}:${port}`, deps.config.connectPrivate, `${at}/host`);
    return `${scheme}://${hostname}:${port}`;
  }

  /** The credentials of a stored connection with these instead; kinds of folders need only name what changes. */
  async function changedAccess(connection: Connection, changed: Record<string, string>): Promise<PointOfSale> {
    const { kind, url, group, settings } = connection;
    const source = sourceOf(kind);
    if (!isFolderSource(source))
      return { kind, url, credentials: readCredentials(source, changed, ''), first: settings.first };
    const { credentials: stored } = await storedAccess(connection);
    const changes = await withKey(readCredentials(source, changed, '', true), group, '');
    const credentials = Object.assign(stored, changes);
    if (urlOfFolders(source, credentials, '') === url) return { kind, url, credentials, first: null };
    throw fieldProblem('invalid_body', '/host', `host must be that of ${url}: connect another server by itself.`);
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

  return {
    sourceOf,
    find,
    reachOf,
    ask,
    accessOf,
    changedAccess,
    storedAccess,
    answer,
    changed,
    membersOf,
    memberNamed,
  };
}
