import assert from 'node:assert/strict';
import { test } from 'node:test';
import { nearestPath } from './route-table.ts';

test('the path that was meant differs by a letter or two of one word', () => {
  const routes = ['/livez', '/v1/metrics/:timeRange', '/v1/labor/:timeRange', '/v1/restaurants/:guid/menus'].map(
    (url) => ({ url }),
  );
  for (const [path, meant] of [
    ['/v1/metrcs/day', '/v1/metrics/day'],
    ['/v1/metric/day', '/v1/metrics/day'],
    ['/v1/labour/day', '/v1/labor/day'],
    ['/v1/restaurants/a-b/menu', '/v1/restaurants/a-b/menus'],
    ['/v2/restaurants/a-b/menus', undefined],
    ['/livz', '/livez'],
    ['/v2/labour/day', undefined],
    ['/v1/orders/day', undefined],
    ['/v1/metrics', undefined],
    [`/${'x'.repeat(16_000)}`, undefined],
  ] as const)
    assert.equal(nearestPath(routes, path), meant, path.slice(0, 40));
});
