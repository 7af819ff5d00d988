/** Shows an answer: its status, time, headers, and its body as far as a page can show it. */

/** Characters of a body that are shown; all of it is in the download. */
const SHOWN = 20_000;
/** A JSON body up to this many bytes is parsed to be indented: 4 MB takes some 50 ms. */
const INDENTED = 4_000_000;

const EXTENSIONS = /** @type {const} */ ([
  ['json', 'json'],
  ['ndjson', 'ndjson'],
  ['csv', 'csv'],
  ['parquet', 'parquet'],
  ['html', 'html'],
]);

/**
 * @param {string} name
 * @param {Record<string, string>} [attributes]
 * @param {(Node | string)[]} [children]
 */
export function element(name, attributes = {}, children = []) {
  const made = document.createElement(name);
  for (const [key, value] of Object.entries(attributes)) made.setAttribute(key, value);
  made.append(...children);
  return made;
}

/** @param {string} type */
const isText = (type) => /^text\/|[/+](nd)?json|x-ndjson|xml/.test(type);

/**
 * @param {Blob} content
 * @param {string} type
 */
async function shownText(content, type) {
  if (/[/+]json/.test(type) && content.size <= INDENTED) {
    const text = await content.text();
    try {
      return JSON.stringify(JSON.parse(text), null, 2);
    } catch {
      return text;
    }
  }
  // Four bytes are the most that a character takes.
  return await content.slice(0, SHOWN * 4).text();
}

/**
 * @param {Blob} content
 * @param {string} type
 */
async function bodyNodes(content, type) {
  const [, extension = 'bin'] = EXTENSIONS.findLast(([word]) => type.includes(word)) ?? [];
  const link = element('a', { href: URL.createObjectURL(content), download: `answer.${extension}` }, [
    `Download (${content.size.toLocaleString('en')} bytes)`,
  ]);
  if (!isText(type)) return [element('p', {}, ['Not text. ', link])];
  const text = await shownText(content, type);
  const cut = text.length > SHOWN || (content.size > INDENTED && content.size > text.length);
  const shown = element('pre', { tabindex: '0', 'aria-label': 'Body of the answer' }, [
    element('code', {}, [text.slice(0, SHOWN)]),
  ]);
  return [shown, element('p', { class: 'muted' }, [...(cut ? ['Only the beginning is shown. '] : []), link])];
}

/**
 * @param {HTMLElement} place
 * @param {{ response: Response, content: Blob, milliseconds: number }} answer
 */
export async function showAnswer(place, { response, content, milliseconds }) {
  const status = element('strong', { class: `status s${String(response.status)[0]}` }, [
    `${response.status} ${response.statusText}`.trim(),
  ]);
  const headers = [...response.headers].map(([name, value]) => `${name}: ${value}`).join('\n');
  const type = response.headers.get('content-type') ?? '';
  place.append(
    element('p', { role: 'status' }, [
      status,
      ` in ${milliseconds.toFixed(0)} ms, ${content.size.toLocaleString('en')} bytes`,
    ]),
    element('details', {}, [
      element('summary', {}, ['Headers']),
      element('pre', { tabindex: '0', 'aria-label': 'Headers of the answer' }, [element('code', {}, [headers])]),
    ]),
    ...(content.size > 0 ? await bodyNodes(content, type) : []),
  );
}
