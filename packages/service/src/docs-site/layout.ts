/** The parts that every page has: head, navigation, contents. */
import { assetPath } from './assets.ts';
import { GUIDE_GROUPS } from './guide-list.ts';
import { type Html, html } from './html.ts';
import { linkWords } from './words.ts';

export interface Heading {
  id: string;
  text: string;
  /** 2 or 3. */
  level: number;
}

/** A page as the navigation names it. */
interface PageLink {
  path: string;
  title: string;
}

export interface Page {
  title: string;
  /** The path of the page, to mark it in the navigation. */
  path: string;
  /** What it is about, for search engines. */
  about?: string | undefined;
  body: Html;
  /** Listed in the contents beside the page. */
  headings?: Heading[];
  /** Pages that belong together, listed while one of them is open. */
  among?: { title: string; pages: readonly PageLink[] };
  /** The script modules of the page, by file name. */
  script?: string;
}

/** What pages say of the service that serves them. */
export interface Site {
  /** Whether it serves a console at `/`. */
  hasConsole: boolean;
}

/** No inline script or style, no other host, and no form that could put a secret into an address. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "connect-src 'self'",
  "img-src 'self' data:",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

export const PAGE_TYPE = 'text/html; charset=utf-8';
/** Headers of every page, its style and its scripts. */
export const PAGE_HEADERS = {
  'content-security-policy': POLICY,
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

const SECTIONS: readonly PageLink[] = [
  { path: '/docs', title: 'Start' },
  { path: '/docs/reference', title: 'Reference' },
  { path: '/docs/metrics', title: 'Metrics' },
  { path: '/docs/problems', title: 'Problems' },
];

const link = ({ path, title }: PageLink, here: string): Html =>
  here === path
    ? html`<li><a href="${path}" aria-current="page">${title}</a></li>`
    : html`<li><a href="${path}">${title}</a></li>`;

/** A section is marked while a page below it is open. */
const sectionLink = (section: PageLink, here: string): Html =>
  section.path !== '/docs' && here.startsWith(`${section.path}/`)
    ? html`<li><a href="${section.path}" aria-current="true">${section.title}</a></li>`
    : link(section, here);

const group = (title: string, links: Html[], name = 'group'): Html =>
  html`<div class="${name}"><p class="label">${title}</p><ul>${links}</ul></div>
`;

const contents = (headings: Heading[]): Html[] =>
  headings.map(({ id, text, level }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`);

/** The pages that belong together with the open one, its headings, and the guides. */
function sideNavigation({ path, headings = [], among }: Page): Html {
  const listed = among?.pages.map((page) =>
    page.path === path && headings.length > 1
      ? html`<li><a href="${page.path}" aria-current="page">${page.title}</a><ul>${contents(headings)}</ul></li>`
      : link(page, path),
  );
  const isAmong = among?.pages.some((page) => page.path === path) ?? false;
  const guides = GUIDE_GROUPS.map(({ title, guides: all }) =>
    group(
      title,
      all.map(({ name, title: text }) => link({ path: `/docs/${name}`, title: text }, path)),
    ),
  );
  return html`<nav class="side" aria-label="Contents">
${headings.length > 1 && !isAmong ? group('On this page', contents(headings), 'here') : undefined}
${among && listed ? group(among.title, listed) : undefined}
${guides}</nav>`;
}

/**
 * The whole document. Language, title, landmarks and contents serve screen readers too. The first paint waits for the
 * script of the page, whose forms would push down what is read already.
 */
export function renderPage(page: Page, { hasConsole }: Site): string {
  const { title, path, about, body, headings = [], script } = page;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Daypart</title>
<meta name="description" content="${title}${about ? `: ${about}` : ''}. Docs of Daypart, a reporting service for restaurants.">
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetPath('docs.css')}">
<script type="module" src="${assetPath('site.js')}"></script>
${script ? html`<script type="module" blocking="render" src="${assetPath(script)}"></script>` : undefined}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><div class="bar">
<a class="brand" href="/docs">Daypart</a>
<nav aria-label="Sections"><ul>${SECTIONS.map((section) => sectionLink(section, path))}</ul></nav>
<div class="search" role="search"></div>
${hasConsole ? html`<a class="out" href="/">Back to the console</a>` : undefined}
</div></header>
<div class="frame">
${sideNavigation(page)}
<main id="content" tabindex="-1">
${headings.length > 1 ? html`<details class="toc"><summary>On this page</summary><ul>${contents(headings)}</ul></details>` : undefined}
${path === '/docs/glossary' ? body : linkWords(body)}
</main>
</div>
<footer><p>This page comes from the service itself and asks no other host for anything. <a href="/openapi.json">openapi.json</a></p></footer>
</body>
</html>
`.html;
}
