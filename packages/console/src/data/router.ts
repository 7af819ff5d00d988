/** The address of the page and navigation. Addresses of the service itself are left to the browser. */
import { pathInside, ROOT } from './root.ts';
import { createStore, useStore } from './store.ts';

export interface Place {
  /** Without the base path of the service. */
  path: string;
  search: string;
  hash: string;
}

const here = (): Place => ({
  path: pathInside(location.pathname) ?? '/',
  search: location.search,
  hash: location.hash,
});

export const place = createStore<Place>(here());
export const usePlace = (): Place => useStore(place);

/** The scroll position of the page, by entry of the history. */
interface HistoryEntry {
  scroll?: number;
}

/** Paths that the service answers itself: docs, descriptions, data. */
const ELSEWHERE = /^\/(docs|openapi\.json|oauth|v1|era|session|livez|readyz|version|console|\.well-known)(\/|$)/;

/** Whether a screen of the console is at the path. */
export const isOurs = (path: string): boolean =>
  path.startsWith('/') && !path.startsWith('//') && !ELSEWHERE.test(path);

/**
 * Navigates to an address of the console; `replace` while the user types, so that Back leads to the previous screen.
 */
export function navigate(to: string, { replace = false, keepScroll = false } = {}): void {
  const url = new URL(to.startsWith('/') ? ROOT + to : to, location.href);
  const before = place.get();
  if (replace) history.replaceState(history.state, '', url);
  else {
    history.replaceState({ scroll: scrollY } satisfies HistoryEntry, '');
    history.pushState({} satisfies HistoryEntry, '', url);
  }
  place.set(here());
  if (place.get().path === before.path || keepScroll) return;
  scrollTo(0, 0);
  openedScreens.set(openedScreens.get() + 1);
}

/** Counts how often another screen was opened, because the head of a newly opened screen takes the focus. */
export const openedScreens = createStore(0);

/** Handles clicks on links and the Back and Forward buttons of the browser. */
export function startRouter(): void {
  history.scrollRestoration = 'manual';
  addEventListener('popstate', ({ state }) => {
    const before = place.get();
    place.set(here());
    const { scroll = 0 } = Object(state) as HistoryEntry;
    // Known data are drawn at once; everything else already has its final size.
    requestAnimationFrame(() => requestAnimationFrame(() => scrollTo(0, scroll)));
    if (before.path !== place.get().path) openedScreens.set(openedScreens.get() + 1);
  });
  document.addEventListener('click', (event) => {
    const link = event.target instanceof Element ? event.target.closest('a[href]') : null;
    if (!(link instanceof HTMLAnchorElement || link instanceof SVGAElement)) return;
    const href = link.getAttribute('href') ?? '';
    const url = new URL(href, location.href);
    const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
    if (!plain || event.defaultPrevented || link.hasAttribute('download')) return;
    if (link.getAttribute('target') || url.origin !== location.origin) return;
    const path = pathInside(url.pathname);
    if (path === undefined || !isOurs(path)) return;
    if (href.startsWith('#')) return;
    event.preventDefault();
    navigate(path + url.search + url.hash);
  });
}

/** The path of `next` if it is a path of the console, otherwise the overview. */
export function safeNext(next: string | null): string {
  if (!next?.startsWith('/') || next.startsWith('//') || next.includes('\\')) return '/';
  const url = new URL(next, location.origin);
  return url.origin === location.origin && isOurs(url.pathname) ? url.pathname + url.search : '/';
}
