/** The parts that every page has: head, navigation, contents. */
import { assetPath } from './assets.ts';
import { GUIDES } from './guides.ts';
import { type Html, html } from './html.ts';
import { linkWords } from './words.ts';

export interface Heading {
  id: string;
  text: string;
  /** 2 or 3. */
  level: number;
}

export interface Page {
  title: string;
  /** The path of the page, to mark it in the navigation. */
  path: string;
  body: Html;
  /** Listed in the contents beside the page. */
  headings?: Heading[];
  /** The script modules of the page, by file name. */
  script?: string;
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

const SECTIONS = [
  { path: '/docs', title: 'Start' },
  { path: '/docs/reference', title: 'Reference' },
  { path: '/docs/metrics', title: 'Metrics' },
  { path: '/docs/problems', title: 'Problems' },
];

function link(path: string, title: string, here: string): Html {
  return here === path
    ? html`<li><a href="${path}" aria-current="page">${title}</a></li>`
    : html`<li><a href="${path}">${title}</a></li>`;
}

function contents(headings: Heading[]): Html {
  const items = headings.map(
    ({ id, text, level }) => html`<li class="level-${level}"><a href="#${id}">${text}</a></li>`,
  );
  return html`<ul>${items}</ul>`;
}

/** The whole document. Language, title, landmarks and contents serve screen readers too. */
export function renderPage({ title, path, body, headings = [], script }: Page): string {
  const guides = GUIDES.filter(({ name }) => name !== 'metrics');
  const onPage = headings.length > 1;
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${title} · Daypart</title>
<link rel="icon" href="data:,">
<link rel="stylesheet" href="${assetPath('docs.css')}">
${script ? html`<script type="module" src="${assetPath(script)}"></script>` : undefined}
</head>
<body>
<a class="skip" href="#content">Skip to the content</a>
<header class="top"><div class="bar">
<a class="brand" href="/docs">Daypart</a>
<nav aria-label="Sections"><ul>${SECTIONS.map((section) => link(section.path, section.title, path))}</ul></nav>
</div></header>
<div class="frame">
<nav class="side" aria-label="Contents">
${onPage ? html`<p class="label">On this page</p>${contents(headings)}` : undefined}
<p class="label">Guides</p>
<ul>${guides.map(({ name, title: text }) => link(`/docs/${name}`, text, path))}</ul>
</nav>
<main id="content" tabindex="-1">
${onPage ? html`<details class="toc"><summary>On this page</summary>${contents(headings)}</details>` : undefined}
${path === '/docs/glossary' ? body : linkWords(body)}
</main>
</div>
<footer><p>This page comes from the service itself and asks no other host for anything. <a href="/openapi.json">openapi.json</a></p></footer>
</body>
</html>
`.html;
}
