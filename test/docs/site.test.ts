/** The pages at /docs as a whole: their navigation, their size, and that every link of theirs leads somewhere. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { writeConsole } from '../journeys/console-folder.ts';
import { type Running, startJourney } from '../journeys/service.ts';
import { readText } from './markdown.ts';

/** A page of more is slow on a phone, and nobody finds anything in it. */
const MOST_BYTES = 100_000;
/** How the description of a page ends. */
const ABOUT = '. Docs of Daypart, a reporting service for restaurants.';

const unescaped = (text: string): string =>
  text.replace(
    /&(amp|lt|gt|quot|#39);/g,
    (_all, name: string) => ({ amp: '&', lt: '<', gt: '>', quot: '"' })[name] ?? "'",
  );
const idsOf = (text: string): Set<string> => new Set([...text.matchAll(/ id="([^"]+)"/g)].map(([, id = '']) => id));
const linksOf = (text: string): string[] =>
  [...text.matchAll(/ href="([^"]+)"/g)].map(([, href = '']) => unescaped(href));

describe('the pages of the docs', () => {
  let running: Running;
  /** Every page that can be reached from /docs, by its path. */
  const pages = new Map<string, string>();
  /** What the pages link that is no page. */
  const files = new Set<string>();

  before(async () => {
    running = await startJourney({ console: 'off' });
    const open = async (path: string): Promise<void> => {
      if (pages.has(path) || files.has(path)) return;
      const answer = await running.call('GET', path, { base: '' });
      if (answer.status === 200 && !answer.headers.get('content-type')?.startsWith('text/html')) {
        files.add(path);
        return;
      }
      pages.set(path, answer.status === 200 ? answer.text : '');
      for (const href of linksOf(answer.text)) {
        const [target = ''] = href.split('#');
        if (/^\/docs(\/(?!assets)|$)/.test(target)) await open(target);
      }
    };
    await open('/docs');
  });
  after(() => running.stop());

  it('lead to pages and headings that exist', () => {
    const broken = [...pages].flatMap(([path, text]) =>
      linksOf(text)
        .filter((href) => /^(#|\/docs(?!\/assets))/.test(href))
        .filter((href) => {
          const [target, anchor] = href.split('#');
          const page = pages.get(target || path);
          return !files.has(href) && (!page || (anchor !== undefined && !idsOf(page).has(decodeURIComponent(anchor))));
        })
        .map((href) => `${path}: ${href}`),
    );

    assert.ok(pages.size > 100, `${pages.size} pages`);
    assert.deepEqual([...files], ['/docs/collection.json']);
    assert.deepEqual(broken, []);
  });

  it(`have at most ${MOST_BYTES / 1000} kB each`, () => {
    const large = [...pages]
      .map(([path, text]) => ({ path, bytes: Buffer.byteLength(text) }))
      .filter(({ bytes }) => bytes > MOST_BYTES);

    assert.deepEqual(large, []);
  });

  it('have a description each that no other has, and header cells in every table', () => {
    const described = [...pages].map(([path, text]) => {
      const [, description = ''] = /<meta name="description" content="([^"]+)"/.exec(text) ?? [];
      return { path, description };
    });
    const tables = [...pages].flatMap(([path, text]) =>
      [...text.matchAll(/<table[\s\S]*?<\/table>/g)].map(([table]) => ({ path, table })),
    );

    assert.deepEqual(
      described.filter(({ description }) => !description.endsWith(ABOUT)),
      [],
    );
    assert.equal(new Set(described.map(({ description }) => description)).size, pages.size);
    assert.ok(tables.some(({ path }) => path === '/docs/metrics'));
    assert.deepEqual(
      tables.filter(({ table }) => !/<th[ >]/.test(table)),
      [],
    );
  });

  it('begin with a picture that has a name, only colors of the style sheet, and no links', () => {
    const picture = /<svg[\s\S]*?<\/svg>/.exec(pages.get('/docs') ?? '')?.[0] ?? '';
    const [, label = ''] = /^<svg[^>]* role="img" aria-labelledby="([^"]+)"/.exec(picture) ?? [];

    assert.match(picture, new RegExp(`<title id="${label}">[^<]{20,}</title>`));
    assert.doesNotMatch(picture, / (style|fill|stroke)=|<a |#[0-9a-f]{3}/);
  });

  it('have the guides in the groups of the table of README.md, and every other document of docs/ that it links', () => {
    const rows = [...readText('README.md').matchAll(/^\| (\w[\w ]*) \| (.*\]\(docs\/.*) \|$/gm)]
      .map(([, title = '', links = '']) => ({
        title,
        guides: [...links.matchAll(/\]\(docs\/(\w[\w-]*)\.md\)/g)].map(([, name = '']) => `/docs/${name}`),
      }))
      .filter(({ guides }) => guides.length > 1);
    const side = /<nav class="side"[\s\S]*?<\/nav>/.exec(pages.get('/docs') ?? '')?.[0] ?? '';
    const groups = side.split('<div class="group">').slice(1);

    assert.deepEqual(
      groups.map((group) => ({ title: /<p class="label">([^<]+)/.exec(group)?.[1] ?? '', guides: linksOf(group) })),
      rows,
    );
  });

  it('have each operation of the description on one page, where its old address leads', async () => {
    const { body } = await running.call('GET', '/openapi.json', { base: '' });
    const operations = Object.values<Record<string, { operationId?: string; tags?: string[] }>>(body.paths)
      .flatMap((item) => Object.values(item))
      .filter(({ operationId }) => operationId !== undefined);
    const index = pages.get('/docs/reference') ?? '';
    const anchors = idsOf(index);
    const places = [...pages]
      .filter(([path]) => path.startsWith('/docs/reference/'))
      .flatMap(([path, text]) => [...idsOf(text)].map((id) => ({ id, path })));

    assert.ok(operations.length > 100);
    for (const { operationId: id = '', tags: [tag = ''] = [] } of operations) {
      const [page, ...others] = places.filter((place) => place.id === id).map(({ path }) => path);
      assert.deepEqual(others, [], id);
      const row = index.split(`<tr id="${id}">`)[1] ?? '';
      assert.equal(linksOf(row)[0], `${page}#${id}`);
      assert.ok(anchors.has(`tag-${tag.toLowerCase()}`), tag);
    }
  });

  it('are compressed as the browser takes them', async () => {
    for (const path of ['/docs/reference/metrics', '/docs/metrics']) {
      const answer = await fetch(running.service.origin + path, { headers: { 'accept-encoding': 'br' } });
      assert.equal(answer.headers.get('content-encoding'), 'br', path);
      assert.match(answer.headers.get('vary') ?? '', /Accept-Encoding/);
      assert.equal(await answer.text(), pages.get(path));
    }
  });
});

describe('the way back from the docs', () => {
  it('is on every page if there is a console', async () => {
    const built = await writeConsole();
    const running = await startJourney({ console: built.folder });
    try {
      for (const path of ['/docs', '/docs/reference', '/docs/reference/menu', '/docs/glossary', '/docs/nothing']) {
        const answer = await running.call('GET', path, { base: '', headers: { accept: 'text/html' } });
        assert.match(answer.text, /<a class="out" href="\/">Back to the console<\/a>/, path);
      }
    } finally {
      await running.stop();
      await built.remove();
    }
  });
});
