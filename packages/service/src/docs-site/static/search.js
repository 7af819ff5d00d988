/** The search over the docs: in an index that the service makes, in the browser, without another host. */

/** @typedef {{ pages: [string, string][], sections: [number, string, string][], words: Record<string, number[]> }} Index */
/** @typedef {{ href: string, page: string, heading: string }} Found */

/** As many as fit beside the text without scrolling. */
const MOST = 10;

/** @param {string} text */
const wordsOf = (text) => text.toLowerCase().match(/[\p{L}\p{N}]{2,}/gu) ?? [];

/** How well each section has the beginning of a word: 3 for the whole word, 1 for a longer one.
 * @param {Index} index
 * @param {string} word
 */
function sectionsWith(index, word) {
  /** @type {Map<number, number>} */
  const found = new Map();
  for (const [known, steps] of Object.entries(index.words)) {
    if (!known.startsWith(word)) continue;
    const weight = known.length - word.length < 2 ? 3 : 1;
    let number = 0;
    for (const step of steps) {
      number += step;
      found.set(number, Math.max(found.get(number) ?? 0, weight));
    }
  }
  return found;
}

/** The sections that have all words that the index knows, best first: headings and titles weigh more than text.
 * @param {Index} index
 * @param {string} text
 * @returns {Found[]}
 */
export function find(index, text) {
  const all = wordsOf(text).map((word) => ({ word, sections: sectionsWith(index, word) }));
  const known = all.filter(({ sections }) => sections.size > 0);
  const [first, ...others] = known;
  if (!first) return [];
  const scored = [...first.sections.keys()]
    .filter((number) => others.every(({ sections }) => sections.has(number)))
    .map((number) => {
      const [page = 0, anchor = '', heading = ''] = index.sections[number] ?? [];
      const [path = '', title = ''] = index.pages[page] ?? [];
      const [inHeading, inTitle] = [wordsOf(heading), wordsOf(title)];
      let score = (heading || title).toLowerCase() === text.trim().toLowerCase() ? 50 : 0;
      for (const { word, sections } of known) {
        score += sections.get(number) ?? 0;
        if (inHeading.some((one) => one.startsWith(word))) score += 8;
        if (inTitle.some((one) => one.startsWith(word))) score += anchor === '' ? 8 : 3;
      }
      // Of two headings that have the words, the shorter one is about them.
      return {
        score: score - Math.min(inHeading.length, 12) / 4,
        found: { href: anchor ? `${path}#${anchor}` : path, page: title, heading },
      };
    });
  return scored
    .sort((one, other) => other.score - one.score)
    .slice(0, MOST)
    .map(({ found }) => found);
}

/** @type {Promise<Index> | undefined} */
let loading;

/** @returns {Promise<Index>} */
async function load() {
  const response = await fetch(new URL('../../search.json', import.meta.url), { credentials: 'omit' });
  if (!response.ok) throw new Error(`${response.status}`);
  return response.json();
}

/** @param {Found} found */
function rowOf({ href, page, heading }) {
  const link = document.createElement('a');
  // Below the address of the service, which may have a path. This file is at docs/assets/{version}/.
  link.href = new URL(`../../..${href}`, import.meta.url).href;
  link.className = 'hit';
  const first = document.createElement('strong');
  first.textContent = heading || page;
  link.append(first);
  if (heading) {
    const second = document.createElement('span');
    second.textContent = page;
    link.append(' ', second);
  }
  const row = document.createElement('li');
  row.append(link);
  return row;
}

/** Moves the focus among the field and the links below it.
 * @param {HTMLInputElement} input
 * @param {HTMLElement} list
 * @param {number} step
 */
function move(input, list, step) {
  const stops = [input, ...list.querySelectorAll('a')];
  const next = stops.findIndex((one) => one.matches(':focus')) + step;
  stops[Math.max(0, Math.min(stops.length - 1, next))]?.focus();
}

/** Makes the field search.
 * @param {HTMLInputElement} input
 */
export function attach(input) {
  const place = /** @type {HTMLElement} */ (input.parentElement);
  const panel = document.createElement('div');
  panel.className = 'found';
  panel.hidden = true;
  const list = document.createElement('ul');
  list.className = 'hits';
  const told = document.createElement('p');
  told.setAttribute('role', 'status');
  panel.append(told, list);
  place.append(panel);

  const show = async () => {
    const text = input.value;
    if (text.trim() === '') {
      panel.hidden = true;
      return;
    }
    try {
      loading ??= load();
      const found = find(await loading, text);
      if (input.value !== text) return;
      list.replaceChildren(...found.map(rowOf));
      told.textContent = found.length === 0 ? 'Nothing found' : `${found.length} found`;
    } catch {
      loading = undefined;
      told.textContent = 'The search could not be loaded. Type again to retry.';
    }
    panel.hidden = false;
  };
  const close = () => {
    panel.hidden = true;
    input.focus();
  };
  input.addEventListener('input', show);
  input.addEventListener('focus', show);
  place.addEventListener(
    'keydown',
    (event) => {
      if (event.key === 'Escape') close();
      else if (event.key === 'ArrowDown') move(input, list, 1);
      else if (event.key === 'ArrowUp') move(input, list, -1);
      else if (event.key === 'Enter' && event.target === input) list.querySelector('a')?.click();
      else return;
      event.preventDefault();
    },
    true,
  );
  // A link within the page keeps the document, and the panel would cover it.
  list.addEventListener('click', () => {
    panel.hidden = true;
  });
  document.addEventListener('click', ({ target }) => {
    if (target instanceof Node && !place.contains(target)) panel.hidden = true;
  });
  void show();
}
