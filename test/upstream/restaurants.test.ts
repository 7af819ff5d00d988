/** Restaurants, partners, configuration and menus of the stand-in. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { type Called, call, login, START, signIn, small, startSmall } from './caller.ts';
import type { Upstream } from './upstream.ts';

const PARTNER = { clientId: 'rehearsal-partner', clientSecret: 'rehearsal-partner-secret' };

describe('the restaurants of the stand-in', () => {
  let upstream: Upstream;
  let get: (path: string, restaurant?: string) => Promise<Called>;
  let guids: string[];
  before(async () => {
    upstream = await startSmall({ limits: 'off', configPageSize: 2, restaurants: [small(0), small(7), small(4)] });
    get = await signIn(upstream);
    guids = [...upstream.world.houses.keys()];
  });
  after(() => upstream.close());

  it('are found from one of them: its settings, its group, the others', async () => {
    const [first = '', second = ''] = guids;
    const { body } = await get(`/restaurants/v1/restaurants/${first}`);
    const { general } = body;
    assert.deepEqual(
      [body.guid, general.name, general.timeZone, general.closeoutHour, general.currencyCode, general.archived],
      [first, 'Harbor Light Oyster House', 'America/New_York', 4, 'USD', false],
    );
    const group = await get(`/restaurants/v1/groups/${general.managementGroupGuid}/restaurants`);
    assert.deepEqual(
      group.body,
      guids.map((guid) => ({ guid })),
    );
    assert.equal((await get(`/restaurants/v1/restaurants/${second}`)).body.general.currencyCode, 'EUR');
    assert.equal((await get(`/restaurants/v1/groups/${first}/restaurants`)).status, 404);
    assert.equal((await get('/restaurants/v1/restaurants/00000000-0000-4000-8000-000000000000')).status, 404);
  });

  it('are 404 while they are archived, unless archived ones are asked for', async () => {
    const [, , third = ''] = guids;
    upstream.world.change({ restaurant: third, settings: { archived: true } });
    assert.equal((await get(`/restaurants/v1/restaurants/${third}`)).status, 404);
    const { status, body } = await get(`/restaurants/v1/restaurants/${third}?includeArchived=true`);
    assert.deepEqual([status, body.general.archived], [200, true]);
    upstream.world.change({ restaurant: third, settings: { archived: false, closeoutHour: 6, name: 'Day Owl' } });
    const { general } = (await get(`/restaurants/v1/restaurants/${third}`)).body;
    assert.deepEqual([general.name, general.closeoutHour], ['Day Owl', 6]);
  });

  it('are 403 where the credentials do not reach them, and 200 again', async () => {
    const [first = '', second = ''] = guids;
    upstream.world.change({ restaurants: [first] });
    assert.equal((await get('/orders/v2/ordersBulk?businessDate=20260310', second)).status, 403);
    assert.equal((await get(`/restaurants/v1/restaurants/${second}`)).status, 403);
    const { managementGroupGuid } = upstream.world;
    assert.equal((await get(`/restaurants/v1/groups/${managementGroupGuid}/restaurants`)).body.length, 1);
    upstream.world.change({ restaurants: guids });
    assert.equal((await get('/orders/v2/ordersBulk?businessDate=20260310', second)).status, 200);
  });

  it('are listed for a partner, who has no group', async () => {
    const { body } = await login(upstream, PARTNER);
    const partner = (path: string) => call(upstream, path, { token: body.token.accessToken });
    const all = await partner('/partners/v1/restaurants');
    assert.deepEqual(
      all.body.map((one: { restaurantGuid: string }) => one.restaurantGuid),
      guids,
    );
    const first = await partner('/partners/v1/connectedRestaurants?pageSize=2');
    const second = await partner(`/partners/v1/connectedRestaurants?pageSize=2&pageToken=${first.body.nextPageToken}`);
    assert.deepEqual([...first.body.results, ...second.body.results], all.body);
    assert.deepEqual([second.body.nextPageToken, second.body.totalCount], [null, 3]);
    assert.equal((await get('/partners/v1/restaurants')).status, 403);
    assert.equal((await get('/partners/v1/connectedRestaurants')).status, 403);
  });

  it('have a configuration in pages by token, which is 409 once it was published meanwhile', async () => {
    const first = await get('/config/v2/diningOptions');
    const token = first.headers.get('toast-next-page-token');
    const second = await get(`/config/v2/diningOptions?pageToken=${token}`);
    assert.deepEqual([first.body.length, second.body.length], [2, 1]);
    assert.equal(second.headers.get('toast-next-page-token'), null);
    assert.deepEqual(
      [...first.body, ...second.body].map(({ name, behavior }) => [name, behavior]),
      [
        ['Dine In', 'DINE_IN'],
        ['Take Out', 'TAKE_OUT'],
        ['Delivery', 'DELIVERY'],
      ],
    );
    upstream.world.change({ publishConfig: true });
    assert.equal((await get(`/config/v2/diningOptions?pageToken=${token}`)).status, 409);
    assert.equal((await get('/config/v2/diningOptions?pageToken=x')).status, 400);
    assert.equal((await get('/config/v2/revenueCenters')).body[0].name, 'Dining Room');
    assert.equal((await get('/config/v2/revenueCenters?page=1')).status, 400);
  });

  it('have menus, whose `lastUpdated` moves when they are published', async () => {
    const { body } = await get('/menus/v2/metadata');
    assert.equal(body.lastUpdated, '2026-03-10T23:00:00.000+0000');
    upstream.clock.advance(60_000);
    upstream.world.change({ publishMenus: true });
    assert.equal(
      (await get('/menus/v2/metadata')).body.lastUpdated,
      new Date(START + 60_000).toISOString().replace('Z', '+0000'),
    );
    const menus = await get('/menus/v2/menus');
    assert.deepEqual(
      menus.body.menus.map(({ name }: { name: string }) => name),
      ['All Day', 'Beverages'],
    );
    assert.equal((await get('/menus/v3/menus')).status, 403);
  });
});
