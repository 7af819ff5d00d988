/** Connecting a point of sale over HTTP, and what is shown of connections: docs/connections.md#over-http. */
import { randomBytes } from 'node:crypto';
import { isSourceError } from '@daypart/client/source';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { type Caller, callerOf, note } from '../access/caller.ts';
import { findAnswer, REPLAYED, readKey, requestFingerprint, useOf } from '../access/idempotency.ts';
import { fieldProblem } from '../contract/problems.ts';
import { queryOf } from '../http/query-parameters.ts';
import { CHECK_DAYS, type Connection, newConnection } from '../ledger/connection.ts';
import { type ConnectionRouteDeps, createAsking } from './asking.ts';
import { changeRoutes } from './change-routes.ts';
import { addRestaurants, chooseOf, isConnected, joining, refuseFarFrom, refuseTaken } from './choose.ts';
import { checkBody, connectionBody } from './connection-bodies.ts';
import { checkAccess, getConnection, listConnections, makeConnection, makeKeys } from './connection-operations.ts';
import { datesRestaurant, listDates, spanOfDates } from './date-operations.ts';
import { streamsOfSource } from './folder-source.ts';
import { keyIdOf, makeKeyPair } from './key-pair.ts';
import { guidOfFound, type Reached, refusalText, requireHostKey } from './reach.ts';
import { connectionAnswer, dateAnswer } from './shown.ts';

/** `con_` and 22 characters. */
const newConnectionId = (): string => `con_${randomBytes(16).toString('base64url')}`;

/** Mounts all routes of connections under the base. */
export async function connectionRoutes(app: FastifyInstance, deps: ConnectionRouteDeps): Promise<void> {
  const { ledger, vault, clock } = deps;
  const { sourceOf, find, reachOf, ask, accessOf, answer, membersOf, memberNamed } = createAsking(deps);
  await app.register(changeRoutes, deps);

  app.post('/connections/keys', { config: { operation: makeKeys } }, async (request) => {
    const { group } = callerOf(request);
    const pair = makeKeyPair();
    return { keyId: await keyIdOf(pair, group, vault), publicKey: pair.publicKey };
  });

  app.post('/connections/check', { config: { operation: checkAccess } }, async (request, reply) => {
    const access = await accessOf(checkBody.read(request.body), callerOf(request).group);
    let reached: Reached;
    try {
      reached = await reachOf(access, reply);
    } catch (error) {
      if (isSourceError(error)) return { ok: false, code: error.code, message: refusalText(error) };
      throw error;
    }
    const taken = new Set(
      (await ledger.connectedStates(callerOf(request).group)).map(({ restaurantGuid }) => restaurantGuid),
    );
    const restaurants = reached.restaurants.map((found) => {
      const { upstreamId, name, locationName = null, timeZone, closeoutHour, currencyCode, archived } = found;
      const restaurantGuid = guidOfFound(access, found);
      const isTaken = taken.has(restaurantGuid);
      const place = { timeZone, closeoutHour, currencyCode, archived };
      return { upstreamId, restaurantGuid, name, locationName, ...place, taken: isTaken };
    });
    const { access: how, streams, past, folders } = reached;
    return { ok: true, access: how, restaurants, streams, past, ...(folders && { ...folders }) };
  });

  async function create({ group, clientId }: Caller, request: FastifyRequest, reply: FastifyReply): Promise<string> {
    const body = connectionBody.read(request.body);
    refuseFarFrom(body.from, clock());
    const access = await accessOf(body, group);
    const source = sourceOf(body.kind);
    await vault.check();
    const reached = await ask(access, reply);
    requireHostKey(access, reached);
    const { session } = reached;
    const chosen = await chooseOf(deps, group, access, reached, body.restaurants);
    await refuseTaken(deps, group, chosen, { from: body.from, fromExports: reached.folders !== undefined });
    const described = await addRestaurants(deps, group, chosen);
    const id = newConnectionId();
    const now = clock();
    const { backfillDays, pollSeconds, requestsPerSecond } = body;
    const settings = { pollSeconds, backfillDays, requestsPerSecond, checkDays: CHECK_DAYS, first: access.first };
    const { kind, url } = access;
    const fields = { id, group, kind, name: body.name ?? source.title, url, settings, createdBy: clientId };
    const connection: Connection = {
      ...newConnection({ ...fields, credentials: await vault.seal(id, access.credentials) }, now),
      ...(session && { token: await vault.seal(id, session), tokenUntil: session.until, signedInAt: now }),
    };
    const detail = { kind: connection.kind, url: connection.url, restaurants: chosen.length };
    await note(deps, request, { group, action: 'connection.created', target: id, detail });
    const join = joining(id, chosen, { from: body.from, now, backfillDays, described });
    const members = { join, streams: streamsOfSource(source) };
    const [taken] = await ledger.addConnection(connection, members);
    if (taken !== undefined) throw isConnected(taken);
    deps.onChanged(id);
    return id;
  }

  app.post('/connections', { config: { operation: makeConnection } }, async (request, reply): Promise<FastifyReply> => {
    const caller = callerOf(request);
    const key = readKey(request.headers['idempotency-key']);
    if (key === undefined) return reply.status(201).send(await answer(await create(caller, request, reply)));
    const { group, clientId } = caller;
    const name = { group, clientId, path: '/connections', key };
    return await deps.inTurn(name, async () => {
      const keyed = { ...name, fingerprint: requestFingerprint(request.body) };
      const before = await findAnswer(ledger, keyed, clock());
      if (before)
        return reply
          .status(201)
          .headers(REPLAYED)
          .send(await answer(String(before)));
      const id = await create(caller, request, reply);
      await ledger.addKeyUse(useOf(keyed, id, clock()), clock());
      return reply.status(201).send(await answer(id));
    });
  });

  app.get('/connections', { config: { operation: listConnections } }, async (request) => {
    const connections = await ledger.connections(callerOf(request).group);
    return await Promise.all(connections.map((connection) => connectionAnswer(deps, connection)));
  });

  app.get('/connections/:connectionId', { config: { operation: getConnection } }, async (request) =>
    connectionAnswer(deps, await find(request)),
  );

  app.get('/connections/:connectionId/dates', { config: { operation: listDates } }, async (request) => {
    const { id } = await find(request);
    const query = queryOf(request);
    const guid = datesRestaurant.read(query);
    if (guid === undefined) throw fieldProblem('invalid_parameter', 'restaurant', 'restaurant is required.');
    const { from, to } = spanOfDates.read(query);
    const { upstreamId } = memberNamed(await membersOf(id), guid, 'restaurant');
    return (await ledger.connectionDates(id, upstreamId, from, to)).map(dateAnswer);
  });
}
