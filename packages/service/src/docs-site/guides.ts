/** The guides: the project's Markdown as pages, from docs/ in a checkout or from the copy in a built package. */
import { existsSync, readFileSync } from 'node:fs';
import { Marked, type Tokens } from 'marked';
import { GUIDES } from './guide-list.ts';
import { asHtml, escapeText, type Html } from './html.ts';
import type { Heading } from './layout.ts';

interface Guide {
  title: string;
  /** What it is about, in a few words. */
  about: string;
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
  const [, name, anchor = ''] = /^([a-z-]+)\.md(#.*)?$/.exec(href) ?? [];
  return GUIDES.some((guide) => guide.name === name) ? `/docs/${name}${anchor}` : undefined;
}

function render(markdown: string): Omit<Guide, 'about'> {
  const headings: Heading[] = [];
  const ids = new Map<string, number>();
  /** The anchor, with a number where another heading has it. */
  const freeOf = (anchor: string): string => {
    const times = ids.get(anchor) ?? 0;
    ids.set(anchor, times + 1);
    return times === 0 ? anchor : `${anchor}-${times}`;
  };
  let title = '';
  const marked = new Marked({
    renderer: {
      heading({ tokens, depth, text }: Tokens.Heading) {
        const inner = this.parser.parseInline(tokens);
        const plain = text.replaceAll('`', '');
        const id = freeOf(anchorOf(plain));
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
          `<${name}>${this.parser.parseInline(one.tokens)}</${name.split(' ')[0]}>`;
        const head = token.header.map((one) => cell(one, 'th')).join('');
        const bare = token.header.every(({ text }) => text === '');
        // Under an empty header the first cell says what its row is about.
        const first = token.header[0]?.text === '' ? 'th scope="row"' : 'td';
        const rows = token.rows
          .map((row) => `<tr>${row.map((one, index) => cell(one, index === 0 ? first : 'td')).join('')}</tr>`)
          .join('');
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
export const guideText = (name: string): string => readFileSync(new URL(`${name}.md`, FOLDER), 'utf8');

/** The guide of that name, rendered once; undefined when there is none. */
export function findGuide(name: string): Guide | undefined {
  const listed = GUIDES.find((guide) => guide.name === name);
  if (!listed) return undefined;
  const known = guides.get(name);
  if (known) return known;
  const guide = { ...render(guideText(listed.name)), about: listed.about };
  guides.set(name, guide);
  return guide;
}
