import assert from 'node:assert/strict';
import { it } from 'node:test';
import Fastify from 'fastify';
import type { Caller } from '../access/caller.ts';
import { createPlaces } from '../access/places.ts';
import { type ReferenceDeps, referenceRoutes } from './reference-routes.ts';

const GUID = 'b1500000-0000-4000-8000-000000000001';

it('long menus and reference data are read in the thread, so that they hold up no other answer; short ones are not', async () => {
  const inThread: string[] = [];
  const deps = {
    ledger: { restaurant: async () => ({ id: 1, group: 'group' }) },
    facts: { hasList: async () => true, putMenus: async () => ({}), putReference: async () => ({}) },
    async readLists({ lists }: { lists: string }, body: AsyncIterable<Buffer>) {
      for await (const _ of body);
      inThread.push(lists);
      return { menus: [], skipped: 0 };
    },
    lists: createPlaces(4),
    config: { requestSeconds: 30 },
  } as unknown as ReferenceDeps;
  const app = Fastify();
  app.decorateRequest('caller');
  app.addHook('onRequest', async (request) => {
    request.caller = { group: 'group', clientId: 'client' } as Caller;
  });
  await app.register(referenceRoutes, deps);
  const put = async (list: string, payload: object): Promise<void> => {
    const answer = await app.inject({ method: 'PUT', url: `/restaurants/${GUID}/${list}`, payload });
    assert.equal(answer.statusCode, 200, answer.body);
  };
  try {
    const jobs = (count: number) => Array.from({ length: count }, (_, at) => ({ guid: `j${at}`, title: 'Cook' }));
    await put('menus', []);
    await put('reference', { jobs: jobs(1) });
    assert.deepEqual(inThread, []);
    await put('menus', { menus: jobs(1000) });
    await put('reference', { jobs: jobs(1000) });
    assert.deepEqual(inThread, ['menus', 'reference']);
  } finally {
    await app.close();
  }
});
