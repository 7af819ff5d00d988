/** The words of docs/glossary.md, which pages link at their first place, with what they mean. */
import { anchorOf, guideText } from './guides.ts';
import { asHtml, escapeText, type Html } from './html.ts';

interface Word {
  anchor: string;
  meaning: string;
  pattern: string;
}

/** Words that are everyday words or verbs too: a link on "check" or "in order to" would mislead. */
const COMMON = ['Check', 'Comp', 'Fact', 'Load', 'Order', 'Refund', 'Sandbox', 'Void'];
/** Elements in which no word is linked: links in links, names, headings, pictures, and what is no text. */
const QUIET = /^(a|code|pre|h[1-6]|title|summary|button|label|script|noscript|svg)$/;

/**
 * How a word is written: in lower case, a term of two words also at the beginning of a sentence ("Daypart" is the
 * service), and its plural.
 */
function patternOf(word: string): string {
  const [first = '', ...rest] = word;
  const begin = word.includes(' ') ? `[${first}${first.toLowerCase()}]` : first.toLowerCase();
  return `${begin}${rest.join('').replace(/y$/, '(?:y|ie)')}s?`;
}

let known: readonly Word[] | undefined;

/** Read at the first page. */
function words(): readonly Word[] {
  known ??= [...guideText('glossary').matchAll(/^## (.+)\n\n(.+)$/gm)]
    .filter(([, word = '']) => !COMMON.includes(word))
    .map(([, word = '', meaning = '']) => ({
      anchor: anchorOf(word),
      meaning: escapeText(meaning.replaceAll('`', '')),
      pattern: patternOf(word),
    }));
  return known;
}

/** The markup of a page with a link to the glossary at the first place of each of its words. */
export function linkWords({ html }: Html): Html {
  const left = new Set(words());
  const any = new RegExp(`(?<![\\w@/-])(?:${[...left].map(({ pattern }) => pattern).join('|')})(?![\\w/-])`, 'g');
  const linked = (found: string): string => {
    const word = [...left].find(({ pattern }) => new RegExp(`^${pattern}$`).test(found));
    if (!word) return found;
    left.delete(word);
    return `<a class="word" href="/docs/glossary#${word.anchor}" title="${word.meaning}">${found}</a>`;
  };
  let quiet: string | undefined;
  const parts = html.split(/(<[^>]*>)/).map((part) => {
    const [, closing, element = ''] = /^<(\/?)(\w+)/.exec(part) ?? [];
    if (!element) return quiet ? part : part.replace(any, linked);
    if (quiet === undefined && !closing && QUIET.test(element)) quiet = element;
    else if (closing && element === quiet) quiet = undefined;
    return part;
  });
  return asHtml(parts.join(''));
}
