/** The search over the docs finds what people look for, in an index that is small. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readDocument } from '../../packages/service/src/docs-site/document.ts';
import { GUIDES } from '../../packages/service/src/docs-site/guide-list.ts';
import { referencePages } from '../../packages/service/src/docs-site/reference-pages.ts';
import { makeSearchIndex } from '../../packages/service/src/docs-site/search-index.ts';
import { find } from '../../packages/service/src/docs-site/static/search.js';
import { readText } from '../docs/markdown.ts';

const operations = readDocument(JSON.parse(readText('docs/openapi.json')));
const index = makeSearchIndex(referencePages(operations));

/** What is searched for, and where the first of the answers leads. */
const WANTED: Record<string, string> = {
  span_too_long: '/docs/problems/span_too_long',
  'Net sales': '/docs/glossary#net-sales',
  'closeout hour': '/docs/glossary#closeout-hour',
  idempotency: '/docs/idempotency',
  backup: '/docs/operations#backups',
  'webhook signature': '/docs/webhooks#setting-it-up',
  'create a menu report': '/docs/reference/menu#createMenuDayReport',
  '/v1/metrics/day': '/docs/reference/metrics#createMetricsDayReport',
  'rate limits': '/docs/contract#rate-limits',
  sandb: '/docs/api#sandbox',
  'tax delivery partner': '/docs/metrics#check-records',
  'shortest decimal text': '/docs/metrics',
  'JSON number represents exactly': '/docs/metrics#check-records',
};

describe('the search over the docs', () => {
  for (const [text, first] of Object.entries(WANTED)) {
    it(`finds ${first} for "${text}"`, () => {
      assert.equal(find(index, text)[0]?.href, first);
    });
  }

  it('has every guide, operation and problem', () => {
    const paths = index.pages.map(([path]) => path);
    const anchors = new Set(index.sections.map(([, anchor]) => anchor));

    assert.deepEqual(
      GUIDES.filter(({ name }) => !paths.includes(`/docs/${name}`)),
      [],
    );
    assert.deepEqual(
      operations.filter(({ id }) => !anchors.has(id)).map(({ id }) => id),
      [],
    );
  });

  it('finds nothing for a word that is nowhere, and sections with all words only', () => {
    const number = index.sections.findIndex(([, anchor]) => anchor === 'createMenuDayReport');

    assert.deepEqual(find(index, 'xyzzy'), []);
    assert.deepEqual(find(index, ' / '), []);
    assert.notEqual(number, -1);
    assert.deepEqual(
      find(index, 'webhook createMenuDayReport').map(({ href }) => href),
      [],
    );
  });

  it('loads at most 64 kB', () => {
    const bytes = gzipSync(JSON.stringify(index)).length;
    assert.ok(bytes <= 64_000, `${bytes} bytes`);
  });
});
