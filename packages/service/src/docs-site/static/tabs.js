/** The same call in several languages: what is folded without scripts becomes tabs, one choice for all operations. */
const KEY = 'daypart-docs-language';

/** @param {string} language */
function remember(language) {
  try {
    localStorage.setItem(KEY, language);
  } catch {
    // Where nothing may be stored, the choice ends with the page.
  }
}

function remembered() {
  try {
    return localStorage.getItem(KEY);
  } catch {
    return null;
  }
}

/** @type {((language: string) => void)[]} */
const places = [];

/** @param {Element} place */
function makeTabs(place) {
  const list = document.createElement('div');
  list.setAttribute('role', 'tablist');
  list.setAttribute('aria-label', 'Language of the example');
  const parts = [...place.querySelectorAll('details')].map((details) => {
    const title = details.querySelector('summary')?.textContent ?? '';
    const panel = /** @type {HTMLElement} */ (details.querySelector('pre'));
    const tab = document.createElement('button');
    tab.type = 'button';
    tab.textContent = title;
    tab.id = `${place.closest('section')?.id}-${title}`;
    tab.setAttribute('role', 'tab');
    panel.setAttribute('role', 'tabpanel');
    panel.id = `${tab.id}-call`;
    tab.setAttribute('aria-controls', panel.id);
    tab.addEventListener('click', () => choose(title));
    return { title, tab, panel };
  });
  list.append(...parts.map(({ tab }) => tab));
  list.addEventListener('keydown', (event) => {
    const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
    if (step === undefined) return;
    const at = parts.findIndex(({ tab }) => tab.matches(':focus'));
    const next = parts[(at + step + parts.length) % parts.length];
    if (!next) return;
    choose(next.title);
    next.tab.focus();
    event.preventDefault();
  });
  place.replaceChildren(list, ...parts.map(({ panel }) => panel));
  places.push((language) => {
    for (const { title, tab, panel } of parts) {
      const chosen = title === language;
      tab.setAttribute('aria-selected', String(chosen));
      tab.tabIndex = chosen ? 0 : -1;
      panel.hidden = !chosen;
    }
  });
}

/** @param {string} language */
function choose(language) {
  remember(language);
  for (const show of places) show(language);
}

const all = [...document.querySelectorAll('.calls')];
const titles = [...(all[0]?.querySelectorAll('summary') ?? [])].map(({ textContent }) => textContent ?? '');
for (const place of all) makeTabs(place);
const known = remembered();
for (const show of places) show(known !== null && titles.includes(known) ? known : (titles[0] ?? ''));
