/** The screens by path. The overview is in the first script; the others are loaded when they are opened. */
import type { ComponentType } from 'preact';
import { NotFound } from './screens/not-found.tsx';
import { Overview } from './screens/overview/overview.tsx';

export type ScreenPart = ComponentType<{ guid: string; tab: string }>;

interface ScreenOf {
  name: string;
  /** The path; its groups `guid` and `tab` are the variable parts. */
  pattern: RegExp;
  part?: ScreenPart;
  load?: () => Promise<ScreenPart>;
}

const GUID = '(?<guid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';
const path = (pattern: string): RegExp => new RegExp(`^/${pattern}$`, 'i');

// Each by one import of its script: with an import for each screen the scripts were 0.2 kB more.
const ofSales = () => import('./screens/of-sales.ts');
const ofConnections = () => import('./screens/of-connections.ts');
const ofService = () => import('./screens/of-service.ts');

const SCREENS: readonly ScreenOf[] = [
  { name: 'overview', pattern: path(''), part: Overview },
  {
    name: 'restaurants',
    pattern: path('restaurants'),
    load: async () => (await ofSales()).Restaurants,
  },
  {
    name: 'restaurant',
    pattern: path(`restaurants/${GUID}(?:/(?<tab>checks|settings))?`),
    load: async () => (await ofSales()).RestaurantScreen,
  },
  {
    name: 'compare',
    pattern: path('compare'),
    load: async () => (await ofSales()).Compare,
  },
  {
    name: 'labour',
    pattern: path('labour'),
    load: async () => (await ofSales()).Labour,
  },
  {
    name: 'menu',
    pattern: path('menu'),
    load: async () => (await ofSales()).Menu,
  },
  {
    name: 'reports',
    pattern: path('reports'),
    load: async () => (await ofService()).Reports,
  },
  {
    name: 'new-report',
    pattern: path('reports/new'),
    load: async () => (await ofService()).NewReport,
  },
  {
    name: 'report',
    pattern: path(`reports/${GUID}(?:/(?<tab>changes))?`),
    load: async () => (await ofService()).Report,
  },
  {
    name: 'data',
    pattern: path('data'),
    load: async () => (await ofService()).Calendar,
  },
  {
    name: 'import',
    pattern: path('data/import'),
    load: async () => (await ofService()).Import,
  },
  {
    name: 'connections',
    pattern: path('data/connections'),
    load: async () => (await ofConnections()).Connections,
  },
  {
    name: 'connect',
    pattern: path('data/connections/new'),
    load: async () => (await ofConnections()).Connect,
  },
  {
    name: 'access',
    pattern: path('access(?:/(?<tab>clients|sessions|keys|webhook|limits|audit))?'),
    load: async () => (await ofService()).Access,
  },
  {
    name: 'health',
    pattern: path('health'),
    load: async () => (await ofService()).Health,
  },
  {
    name: 'more',
    pattern: path('more'),
    load: async () => (await ofService()).More,
  },
];

export interface Found {
  name: string;
  guid: string;
  tab: string;
  part: ScreenPart | undefined;
  load: (() => Promise<ScreenPart>) | undefined;
}

/** The screen of a path, and the variable parts of the path. */
export function findScreen(path: string): Found {
  const plain = path.length > 1 ? path.replace(/\/$/, '') : path;
  for (const { name, pattern, part, load } of SCREENS) {
    const match = pattern.exec(plain);
    if (match) return { name, guid: match.groups?.guid?.toLowerCase() ?? '', tab: match.groups?.tab ?? '', part, load };
  }
  return { name: 'not-found', guid: '', tab: '', part: NotFound, load: undefined };
}
