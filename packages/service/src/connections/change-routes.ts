/** Changing connections over HTTP. */
import type { FastifyInstance } from 'fastify';
import { note } from '../access/caller.ts';
import { addDays, dashedDate, datesIn } from '../contract/dates.ts';
import { fieldProblem } from '../contract/problems.ts';
import type { ConnectedRestaurant } from '../ledger/connection.ts';
import { type ConnectionRouteDeps, createAsking } from './asking.ts';
import {
  addRestaurants,
  type Chosen,
  chooseOf,
  isConnected,
  joining,
  lastDateAnywhere,
  refuseFarFrom,
  refuseTaken,
} from './choose.ts';
import { changeBody, credentialsBody, datesBody } from './connection-bodies.ts';
import {
  changeConnection,
  pauseConnection,
  putCredentials,
  readDates,
  removeConnection,
  resumeConnection,
} from './connection-operations.ts';
import { isFolderSource, streamsOfSource } from './folder-source.ts';

interface OneConnection {
  Params: { connectionId: string };
}

const MOST_DATES = 1100;
const MOST_REQUESTED = 20_000;

/** New first dates of backfills that have begun, when `days` change. */
const backfillsOf = (members: readonly ConnectedRestaurant[], days: number) =>
  members.flatMap(({ upstreamId, backfillTo, notBefore }) =>
    backfillTo === null ? [] : { upstreamId, backfillFrom: Math.max(addDays(backfillTo, 1 - days), notBefore ?? 0) },
  );

/** The dates of a span. */
const datesOf = (from: number, to: number): number[] =>
  Array.from({ length: datesIn(from, to) }, (_, days) => addDays(from, days));

/** Mounts the routes under the base. */
export async function changeRoutes(app: FastifyInstance, deps: ConnectionRouteDeps): Promise<void> {
  const { ledger, vault, clock } = deps;
  const { sourceOf, find, ask, changedAccess, storedAccess, changed, membersOf, memberNamed } = createAsking(deps);

  app.patch('/connections/:connectionId', { config: { operation: changeConnection } }, async (request, reply) => {
    const connection = await find(request);
    const { group, id } = connection;
    const { name, restaurants, backfillDays, pollSeconds, requestsPerSecond, from } = changeBody.read(request.body);
    refuseFarFrom(from, clock());
    const members = await membersOf(id);
    let chosen: Chosen[] | undefined;
    if (restaurants !== undefined) {
      const access = await storedAccess(connection);
      chosen = await chooseOf(deps, group, access, await ask(access, reply), restaurants);
    }
    const isMember = (upstreamId: string): boolean => members.some((member) => member.upstreamId === upstreamId);
    const joins = (chosen ?? []).filter((one) => !isMember(one.upstreamId));
    const source = sourceOf(connection.kind);
    if (from !== null && joins.length === 0)
      throw fieldProblem('invalid_body', '/from', 'from is of restaurants that join: send restaurants with a new one.');
    await refuseTaken(deps, group, joins, { from, connection: id, fromExports: isFolderSource(source) });
    const described = await addRestaurants(deps, group, joins);
    const stays = (upstreamId: string): boolean => chosen?.some((one) => one.upstreamId === upstreamId) ?? true;
    const leave = members.filter(({ upstreamId }) => !stays(upstreamId)).map(({ upstreamId }) => upstreamId);
    const { settings } = connection;
    const now = clock();
    const days = backfillDays ?? settings.backfillDays;
    const change = {
      name: name ?? connection.name,
      settings: {
        pollSeconds: pollSeconds ?? settings.pollSeconds,
        backfillDays: days,
        requestsPerSecond: requestsPerSecond === undefined ? settings.requestsPerSecond : requestsPerSecond,
        checkDays: settings.checkDays,
        first: settings.first,
      },
      leave,
      backfills: backfillDays === undefined ? [] : backfillsOf(members, backfillDays),
      join: joining(id, joins, { from, now, backfillDays: days, described }),
      streams: streamsOfSource(source),
    };
    const detail = { name: change.name, joined: joins.length, left: leave.length };
    await note(deps, request, { group, action: 'connection.changed', target: id, detail });
    const taken = await ledger.changeConnection(id, change, now);
    if (taken?.[0] !== undefined) throw isConnected(taken[0]);
    return await changed(id, taken !== undefined);
  });

  app.put(
    '/connections/:connectionId/credentials',
    { config: { operation: putCredentials } },
    async (request, reply) => {
      const connection = await find(request);
      const { id, group } = connection;
      const access = await changedAccess(connection, credentialsBody.read(request.body));
      await vault.check();
      await ask(access, reply);
      const sealed = await vault.seal(id, access.credentials);
      await note(deps, request, { group, action: 'connection.credentials_replaced', target: id });
      return await changed(id, await ledger.replaceCredentials(id, sealed, clock()));
    },
  );

  const states = {
    pause: ['paused', pauseConnection, 'paused'],
    resume: ['active', resumeConnection, 'resumed'],
  } as const;
  for (const [path, [state, operation, action]] of Object.entries(states)) {
    app.post<OneConnection>(`/connections/:connectionId/${path}`, { config: { operation } }, async (request) => {
      const { id, group } = await find(request as never);
      await note(deps, request as never, { group, action: `connection.${action}`, target: id });
      return await changed(id, await ledger.setConnectionState(id, { state, reason: null }, clock()));
    });
  }

  app.post('/connections/:connectionId/read', { config: { operation: readDates } }, async (request, reply) => {
    const connection = await find(request);
    const { restaurants, from, to } = datesBody.read(request.body);
    if (to < from) throw fieldProblem('dates_reversed', '/to', 'to is before from.');
    if (to > lastDateAnywhere(clock())) throw fieldProblem('date_in_future', '/to', 'to is in the future.');
    const all = await membersOf(connection.id);
    const members = restaurants?.map((guid, index) => memberNamed(all, guid, `/restaurants/${index}`)) ?? all;
    const early = members.find(({ notBefore }) => notBefore !== null && from < notBefore);
    if (early)
      throw fieldProblem(
        'invalid_body',
        '/from',
        `The restaurant ${early.restaurantGuid} is read from ${dashedDate(early.notBefore ?? 0)} on. Ask for dates from then on, or name other restaurants.`,
      );
    const dates = datesIn(from, to);
    if (dates > MOST_DATES || dates * members.length > MOST_REQUESTED)
      throw fieldProblem(
        'span_too_long',
        '/to',
        `At most ${MOST_DATES} dates, and ${MOST_REQUESTED} of all restaurants.`,
      );
    const { id, group } = connection;
    const requested = members.flatMap(({ upstreamId }) =>
      datesOf(from, to).map((businessDate) => ({ upstreamId, businessDate })),
    );
    const detail = { from, to, restaurants: members.length };
    await note(deps, request, { group, action: 'connection.read', target: id, detail });
    await changed(id, await ledger.askDates(id, requested, clock()));
    return reply.status(202).send({ restaurants: members.length, dates });
  });

  app.delete('/connections/:connectionId', { config: { operation: removeConnection } }, async (request, reply) => {
    const { id, group } = await find(request);
    await note(deps, request, { group, action: 'connection.removed', target: id });
    if (await ledger.removeConnection(id, clock())) deps.onChanged(id);
    return reply.status(204).send();
  });
}
