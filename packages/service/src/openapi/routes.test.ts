import assert from 'node:assert/strict';
import { it } from 'node:test';
import Fastify from 'fastify';
import type { RouteEntry } from '../http/route-table.ts';
import { openapiRoutes } from './routes.ts';

it('the description is made once for an origin and a dialect', async () => {
  const app = Fastify();
  let made = 0;
  app.decorate('routeTable', {
    getter(): readonly RouteEntry[] {
      made++;
      return [];
    },
  });
  await app.register(openapiRoutes, { bases: ['/v1'], origin: ({ headers }) => `http://${headers.host}` });
  const read = async (url: string, host = 'a'): Promise<number> =>
    (await app.inject({ url, headers: { host } })).statusCode;
  try {
    for (let times = 0; times < 3; times++) assert.equal(await read('/openapi.json'), 200);
    assert.equal(made, 1);
    assert.equal(await read('/openapi.json', 'b'), 200);
    assert.equal(await read('/openapi.json?dialect=live'), 200);
    assert.equal(made, 3);
  } finally {
    await app.close();
  }
});
