/** What every page does with scripts on: old addresses of operations lead to where they are now. */

/** An operation was once an anchor of the one page of all; that page now lists them, each with its page. */
function leadOn() {
  const row = document.getElementById(location.hash.slice(1));
  const link = row?.closest('.operations') && row.querySelector('a');
  if (link) location.replace(link.href);
}

leadOn();
window.addEventListener('hashchange', leadOn);
