/**
 * The pages of the reference, the index of the search and the collection, which are made from the description at their
 * first request.
 */
import type { Config } from '../config/config.ts';
import { etagOfAll } from '../http/conditional.ts';
import { type CodedText, codedText } from '../http/content-coding.ts';
import { makeCollection } from './collection.ts';
import { readDocument } from './document.ts';
import { escapeText, type Html, html } from './html.ts';
import { renderPage, type Site } from './layout.ts';
import { ANY_ORIGIN, renderIndex, renderOperations } from './reference.ts';
import { type ReferencePage, referencePages, referencePath } from './reference-pages.ts';
import { makeSearchIndex } from './search-index.ts';
import { yesterdayOf } from './start.ts';

/** The list of all operations. */
export const REFERENCE = '/docs/reference';

const indexPage = (pages: readonly ReferencePage[]): Html => html`<h1>Reference</h1>
<p>Every operation, with its parameters, bodies and answers, and a form to try it. Everything under <code>/v1</code> is also served under <code>/era/v1</code>. For programs there is <a href="/openapi.json">openapi.json</a>, for Postman, Bruno and Insomnia <a href="/docs/collection.json" download="daypart.postman_collection.json">a collection</a>.</p>
${renderIndex(pages)}`;

const operationsPage = (
  title: string,
  date: string,
  body: Html,
): Html => html`<p><a href="${REFERENCE}">Reference</a></p>
<h1>${title}</h1>
<div id="credentials" data-yesterday="${date}"></div>
<noscript><p class="note">With scripts on, every operation has a form to try it.</p></noscript>
${body}`;

/** The pages by name; that of the index is empty. Forms are filled in with a date, YYYYMMDD. */
function renderAll(pages: readonly ReferencePage[], date: string, site: Site): Map<string, string> {
  const among = {
    title: 'Reference',
    pages: [
      { path: REFERENCE, title: 'All operations' },
      ...pages.map(({ name, title }) => ({ path: referencePath(name), title })),
    ],
  };
  const index = renderPage(
    { title: 'Reference', path: REFERENCE, about: 'every operation', among, body: indexPage(pages) },
    site,
  );
  return new Map([
    ['', index],
    ...pages.map((page): [string, string] => {
      const { body, headings } = renderOperations(page);
      const { name, title, about } = page;
      const path = referencePath(name);
      const whole = operationsPage(title, date, body);
      return [name, renderPage({ title, path, about, among, headings, script: 'try.js', body: whole }, site)];
    }),
  ]);
}

/** JSON with its entity tag. */
interface TaggedText {
  etag: string;
  json: CodedText;
}

function taggedText(value: object): TaggedText {
  const text = JSON.stringify(value);
  return { etag: etagOfAll(text), json: codedText(text) };
}

interface ReferenceSite {
  /** A page of the reference for callers of this origin; undefined for an unknown name. That of the index is empty. */
  page(name: string, origin: string): string | undefined;
  search(): TaggedText;
  /** All operations, for callers of this origin. */
  collection(origin: string): TaggedText;
}

/** What is made from the description: the pages once a date, some 600 kB, and the index once. */
export function openReference(deps: {
  description: (origin: string) => object;
  clock: () => number;
  site: Site;
  config: Pick<Config, 'basePath'>;
}): ReferenceSite {
  const any = ANY_ORIGIN + deps.config.basePath;
  let pages: ReferencePage[] | undefined;
  let rendered: { date: string; texts: Map<string, string> } | undefined;
  let index: TaggedText | undefined;
  /** For the last origin that was called: any could be named in a request. */
  let collection: { origin: string; text: TaggedText } | undefined;
  const read = (): ReferencePage[] => {
    pages ??= referencePages(readDocument(deps.description(any)));
    return pages;
  };
  return {
    page(name, origin) {
      const date = yesterdayOf(deps.clock());
      if (rendered?.date !== date) rendered = { date, texts: renderAll(read(), date, deps.site) };
      return rendered.texts.get(name)?.replaceAll(any, escapeText(origin));
    },
    search() {
      index ??= taggedText(makeSearchIndex(read()));
      return index;
    },
    collection(origin) {
      if (collection?.origin !== origin)
        collection = { origin, text: taggedText(makeCollection(read(), origin, deps.config.basePath)) };
      return collection.text;
    },
  };
}
