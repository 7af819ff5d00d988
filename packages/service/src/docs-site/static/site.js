/** What every page does with scripts on: the search, and old addresses of operations that lead to where they are now. */

/** An operation was once an anchor of the one page of all; that page now lists them, each with its page. */
function leadOn() {
  const row = document.getElementById(location.hash.slice(1));
  const link = row?.closest('.operations') && row.querySelector('a');
  if (link) location.replace(link.href);
}

/** The field of the search. What searches is loaded when it gets the focus. */
function addSearch() {
  const place = document.querySelector('.search');
  const label = document.createElement('label');
  label.textContent = 'Search the docs';
  label.className = 'unseen';
  label.htmlFor = 'search';
  const input = document.createElement('input');
  Object.assign(input, {
    id: 'search',
    type: 'search',
    placeholder: 'Search  /',
    autocomplete: 'off',
    spellcheck: false,
  });
  place?.append(label, input);
  input.addEventListener('focus', () => import('./search.js').then(({ attach }) => attach(input)), { once: true });
  document.addEventListener('keydown', (event) => {
    const writes = event.target instanceof Element && event.target.closest('input, textarea, select');
    if (event.key !== '/' || event.ctrlKey || event.metaKey || event.altKey || writes) return;
    event.preventDefault();
    input.focus();
  });
}

leadOn();
window.addEventListener('hashchange', leadOn);
addSearch();
