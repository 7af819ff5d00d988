/** Markup that cannot be broken by what is put into it: every value of a template is escaped unless it is markup itself. */

export interface Html {
  readonly html: string;
}
type Part = string | number | Html | readonly Html[] | undefined;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
export const escapeText = (text: string): string => text.replace(/[&<>"']/g, (letter) => ESCAPES[letter] ?? letter);

/** Takes text as markup: for what this room has made, never for what came from elsewhere. */
export const asHtml = (text: string): Html => ({ html: text });

function partText(part: Part): string {
  if (part === undefined) return '';
  if (typeof part === 'string' || typeof part === 'number') return escapeText(String(part));
  return 'html' in part ? part.html : part.map(({ html }) => html).join('');
}

/** `` html`<p>${text}</p>` ``: undefined is nothing, a list is joined without separators. */
export const html = (strings: TemplateStringsArray, ...parts: Part[]): Html =>
  asHtml(strings.map((text, index) => text + partText(parts[index])).join(''));

/** A sentence with `code` in backquotes, as descriptions and problems are written. */
export const prose = (text: string): Html => asHtml(escapeText(text).replace(/`([^`]+)`/g, '<code>$1</code>'));
