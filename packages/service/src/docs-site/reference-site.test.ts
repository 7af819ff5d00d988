import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { it } from 'node:test';
import { openReference } from './reference-site.ts';

const DAY_MS = 24 * 3_600_000;
const DESCRIPTION = JSON.parse(readFileSync(new URL('../../../../docs/openapi.json', import.meta.url), 'utf8'));

it('the pages of the reference are rendered once a date, for all origins, from a description that is made once', () => {
  let described = 0;
  let rendered = 0;
  let now = Date.UTC(2026, 2, 20, 18);
  const site = {
    get hasConsole() {
      rendered++;
      return false;
    },
  };
  const description = () => {
    described++;
    return DESCRIPTION;
  };
  const reference = openReference({ description, clock: () => now, site, config: { basePath: '' } });

  assert.match(reference.page('metrics', 'http://one.example') ?? '', /http:\/\/one\.example/);
  const once = rendered;
  assert.ok(once > 0);
  assert.match(reference.page('metrics', 'http://other.example') ?? '', /http:\/\/other\.example/);
  reference.page('', 'http://one.example');
  assert.equal(reference.search(), reference.search());
  assert.deepEqual([rendered, described], [once, 1]);

  now += DAY_MS;
  reference.page('metrics', 'http://one.example');
  assert.deepEqual([rendered, described], [2 * once, 1]);
});
