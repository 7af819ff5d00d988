/** Safe HTML templates: every value in a template is escaped unless it is markup itself. */

export interface Html {
  readonly html: string;
}
type HtmlPart = string | number | Html | readonly Html[] | undefined;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeText = (text: string): string => text.replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? letter);

/** Treats text as markup: only for text made in this room, never for text from elsewhere. */
export const asHtml = (text: string): Html => ({ html: text });

function partText(part: HtmlPart): string {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return 'html' in part ? part.html : part.map(({ html }) => html).join('');
}

/** `` html`<p>${text}</p>` ``: undefined is omitted, a list is joined without separators. */
export const html = (strings: TemplateStringsArray, ...parts: HtmlPart[]): Html =>
  asHtml(strings.map((text, index) => text + partText(parts[index])).join(''));

/** A sentence with `code` in backquotes, as in descriptions and problems. */
export const prose = (text: string): Html => asHtml(escapeText(text).replace(/`([^`]+)`/g, '<code>$1</code>'));
