/** The navigation: beside the screen, or below it on phones. */

import { useGroupCount } from '../data/group-load.ts';
import { place, usePlace } from '../data/router.ts';
import { type Identity, may } from '../data/session.ts';
import { spell } from '../model/locale.ts';
import { datesIn } from '../model/view.ts';
import { Icon, type IconName } from '../widgets/icon.tsx';

interface Item {
  path: string;
  name: string;
  icon: IconName;
  /** The scope that the screen needs besides reading. */
  scope?: string;
}

export const SALES: readonly Item[] = [
  { path: '/', name: 'Overview', icon: 'overview' },
  { path: '/restaurants', name: 'Restaurants', icon: 'restaurants' },
  { path: '/compare', name: 'Compare', icon: 'compare' },
  { path: '/labour', name: spell('Labor'), icon: 'labour' },
  { path: '/menu', name: 'Menu', icon: 'menu' },
];
export const SERVICE: readonly Item[] = [
  { path: '/reports', name: 'Reports', icon: 'reports' },
  { path: '/data', name: 'Data', icon: 'data' },
  { path: '/access', name: 'Access', icon: 'access', scope: 'access:admin' },
  { path: '/health', name: 'Health', icon: 'health' },
];
const TABS: readonly Item[] = [
  { path: '/', name: 'Overview', icon: 'overview' },
  { path: '/restaurants', name: 'Restaurants', icon: 'restaurants' },
  { path: '/labour', name: spell('Labor'), icon: 'labour' },
  { path: '/reports', name: 'Reports', icon: 'reports' },
  { path: '/more', name: 'More', icon: 'more' },
];

const isAt = (path: string, item: string): boolean =>
  item === '/' ? path === '/' : path === item || path.startsWith(`${item}/`);

/** The items that the person may see. */
export const visible = (items: readonly Item[]): Item[] => items.filter(({ scope }) => !scope || may(scope));

const isOfSales = (path: string): boolean => SALES.some(({ path: item }) => isAt(path, item));

/** The dates of the last screen of sales, as its address has them. */
let dates = '';

/**
 * The address of a screen: screens of sales keep the dates when the user changes between them, also by way of another
 * screen.
 */
export function hrefOf(path: string): string {
  const here = place.get();
  if (isOfSales(here.path)) dates = datesIn(here.search);
  return isOfSales(path) ? path + dates : path;
}

function Links({ items, count }: { items: Item[]; count?: number | undefined }) {
  const { path } = usePlace();
  return (
    <>
      {items.map((item) => (
        <a
          key={item.path}
          class="item"
          href={hrefOf(item.path)}
          aria-current={isAt(path, item.path) ? 'page' : undefined}
        >
          <Icon name={item.icon} /> {item.name}
          {item.path === '/restaurants' && count !== undefined && <span class="count">{count}</span>}
        </a>
      ))}
    </>
  );
}

export function Nav({ who, onWho }: { who: Identity; onWho: () => void }) {
  const count = useGroupCount();
  return (
    <nav class="nav" aria-label="Main">
      <a class="brand" href="/">
        <svg class="brand-mark" viewBox="0 0 32 32" aria-hidden="true">
          <rect width="32" height="32" rx="8" />
          <path d="M6 21h20M8 21a8 8 0 0 1 16 0M16 13v-2.5M9 24.5h14" />
        </svg>
        <span>
          Daypart<small>{who.group}</small>
        </span>
      </a>
      <Links items={visible(SALES)} count={count} />
      <h2>Service</h2>
      <Links items={visible(SERVICE)} />
      <div class="foot">
        <a class="item" href="/docs">
          <Icon name="docs" /> Docs
        </a>
        <button type="button" class="who" onClick={onWho}>
          <i class="dot" />
          <span>
            <span class="hidden">Signed in as </span>
            {who.clientId}
          </span>
          <small>{scopesInWords(who.scopes)}</small>
        </button>
      </div>
    </nav>
  );
}

/** The permissions of a person in one or two words. */
export function scopesInWords(scopes: string[]): string {
  if (scopes.includes('access:admin')) return 'all scopes';
  return scopes.includes('ingest:write') ? 'reads and loads' : 'reads';
}

export function Tabs() {
  const { path } = usePlace();
  const known = TABS.some((item) => item.path !== '/more' && isAt(path, item.path));
  return (
    <nav class="tabs" aria-label="Main, short">
      {TABS.map((item) => (
        <a
          key={item.path}
          href={hrefOf(item.path)}
          aria-current={(item.path === '/more' ? !known : isAt(path, item.path)) ? 'page' : undefined}
        >
          <Icon name={item.icon} />
          {item.name}
        </a>
      ))}
    </nav>
  );
}
