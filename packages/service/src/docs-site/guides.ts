/** The guides: the project's Markdown as pages, from docs/ in a checkout or from the copy in a built package. */
import { existsSync, readFileSync } from 'node:fs';
import { Marked, type Tokens } from 'marked';
import { asHtml, escapeText, type Html } from './html.ts';
import type { Heading } from './layout.ts';

/**
 * The files of docs/ that the service shows as pages, with their titles in the navigation and what /docs says of them.
 */
export const GUIDES = [
  { name: 'quickstart', title: 'Quickstart', about: 'token, create, poll, retrieve' },
  { name: 'console', title: 'The console', about: 'the page of an owner: what it shows, by twelve questions' },
  { name: 'polling', title: 'Polling and events', about: 'waiting for a report, and its events' },
  { name: 'downloads', title: 'Downloads', about: 'formats, compression, caching, resuming and verifying' },
  { name: 'webhooks', title: 'Webhooks', about: 'a call to your server when a report completes' },
  {
    name: 'pagination',
    title: 'Lists and pagination',
    about: 'lists of reports, and what changed between two reports',
  },
  { name: 'idempotency', title: 'Idempotency', about: 'repeating a call safely' },
  { name: 'api', title: 'Operations of the API', about: 'all operations in one table' },
  { name: 'loading', title: 'Loading', about: 'restaurants, reference data, orders and time entries' },
  { name: 'import', title: 'Importing exports', about: 'the nightly export folders of a point of sale' },
  {
    name: 'connect',
    title: 'Rehearsing on a stand-in',
    about: 'a stand-in for the live point of sale, for clients that read its orders',
  },
  { name: 'metrics', title: 'Metrics', about: 'what every number means, with an example by hand' },
  { name: 'glossary', title: 'Glossary', about: 'the words of the field, and those of this service' },
  { name: 'errors', title: 'Errors and causes', about: 'every problem code, and which cause leads to which status' },
  { name: 'access', title: 'Access', about: 'clients, tokens, keys, external issuers' },
  { name: 'sessions', title: 'Signing in to the console', about: 'how a person signs in, and what protects it' },
  { name: 'config', title: 'Settings', about: 'every setting' },
  { name: 'cli', title: 'The command', about: 'what daypart … does' },
  { name: 'terminal', title: 'Reports at a terminal', about: 'tables, files and exit codes for people and scripts' },
  { name: 'install', title: 'Installing', about: 'npm, a container, systemd, and a proxy in front' },
  { name: 'upgrade', title: 'Upgrading', about: 'a newer version on the same data folder' },
  { name: 'operations', title: 'Running it', about: 'data folder, backups, health, faults' },
  { name: 'scaling', title: 'Several nodes', about: 'PostgreSQL, ClickHouse and S3 under any number of nodes' },
  {
    name: 'stability',
    title: 'Stability and versions',
    about: 'what will not change, and how long deprecated features work',
  },
] as const;

export interface Guide {
  title: string;
  body: Html;
  headings: Heading[];
}

/** A heading's anchor, as code hosts make it, so that links in the Markdown work on both. */
export const anchorOf = (text: string): string =>
  text
    .toLowerCase()
    .replace(/<[^>]+>|[^\p{L}\p{N}\s_-]/gu, '')
    .trim()
    .replace(/\s/g, '-');

/**
 * `loading.md#x` is one of these pages. Targets outside docs/ are not served: the text stays and the link is removed.
 */
function targetOf(href: string): string | undefined {
  if (href.startsWith('#')) return href;
  const [, name, anchor = ''] = /^([a-z]+)\.md(#.*)?$/.exec(href) ?? [];
  return GUIDES.some((guide) => guide.name === name) ? `/docs/${name}${anchor}` : undefined;
}

function render(markdown: string): Guide {
  const headings: Heading[] = [];
  let title = '';
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens);
        const plain = text.replaceAll('`', '');
        const id = anchorOf(plain);
        if (depth === 1) title = plain;
        else if (depth <= 3) headings.push({ id, text: plain, level: depth });
        return `<h${depth} id="${id}">${inner}</h${depth}>\n`;
      },
      link({ href, tokens }: Tokens.Link) {
        const inner = this.parser.parseInline(tokens);
        const target = targetOf(href);
        return target ? `<a href="${escapeText(target)}">${inner}</a>` : inner;
      },
      image: ({ text }: Tokens.Image) => escapeText(text),
      // Comments mark generated blocks and examples; the guides contain no other markup.
      html: ({ text }: Tokens.HTML | Tokens.Tag) => (text.startsWith('<!--') ? '' : escapeText(text)),
      table(token: Tokens.Table) {
        const cell = (one: Tokens.TableCell, name: string): string =>
          `<${name}>${this.parser.parseInline(one.tokens)}</${name}>`;
        const head = token.header.map((one) => cell(one, 'th')).join('');
        const rows = token.rows.map((row) => `<tr>${row.map((one) => cell(one, 'td')).join('')}</tr>`).join('');
        const bare = token.header.every(({ text }) => text === '');
        // Focusable, because a keyboard must be able to scroll a table that is wider than the page.
        return `<div class="scroll" tabindex="0" role="group" aria-label="Table"><table>${bare ? '' : `<thead><tr>${head}</tr></thead>`}<tbody>${rows}</tbody></table></div>\n`;
      },
      code: ({ text }: Tokens.Code) => `<pre tabindex="0"><code>${escapeText(text)}</code></pre>\n`,
    },
  });
  const body = asHtml(marked.parse(markdown, { async: false }));
  return { title, body, headings };
}

const guides = new Map<string, Guide>();
const BUILT = new URL('./text/', import.meta.url);
const FOLDER = existsSync(BUILT) ? BUILT : new URL('../../../../docs/', import.meta.url);

/** The Markdown of a guide. */
export const guideText = (name: (typeof GUIDES)[number]['name']): string =>
  readFileSync(new URL(`${name}.md`, FOLDER), 'utf8');

/** The guide of that name, rendered once; undefined when there is none. */
export function findGuide(name: string): Guide | undefined {
  const listed = GUIDES.find((guide) => guide.name === name);
  if (!listed) return undefined;
  const known = guides.get(name);
  if (known) return known;
  const guide = render(guideText(listed.name));
  guides.set(name, guide);
  return guide;
}
