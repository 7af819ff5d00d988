/** The screens by path. The overview is in the first script; the others are loaded when they are opened. */
import type { ComponentType } from 'preact';
import { NotFound } from './screens/not-found.tsx';
import { Overview } from './screens/overview/overview.tsx';

export type Part = ComponentType<{ guid: string; tab: string }>;

interface ScreenOf {
  name: string;
  /** The path; its groups `guid` and `tab` are what varies in it. */
  pattern: RegExp;
  part?: Part;
  load?: () => Promise<Part>;
}

const GUID = '(?<guid>[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12})';
const path = (pattern: string): RegExp => new RegExp(`^/${pattern}$`, 'i');

const SCREENS: readonly ScreenOf[] = [
  { name: 'overview', pattern: path(''), part: Overview },
  {
    name: 'restaurants',
    pattern: path('restaurants'),
    load: async () => (await import('./screens/restaurants/restaurants.tsx')).Restaurants,
  },
  {
    name: 'restaurant',
    pattern: path(`restaurants/${GUID}(?:/(?<tab>checks|settings))?`),
    load: async () => (await import('./screens/restaurant/restaurant.tsx')).RestaurantScreen,
  },
  {
    name: 'reports',
    pattern: path('reports'),
    load: async () => (await import('./screens/reports/reports.tsx')).Reports,
  },
  {
    name: 'new-report',
    pattern: path('reports/new'),
    load: async () => (await import('./screens/reports/new-report.tsx')).NewReport,
  },
  {
    name: 'report',
    pattern: path(`reports/${GUID}(?:/(?<tab>changes))?`),
    load: async () => (await import('./screens/reports/report.tsx')).Report,
  },
];

export interface Found {
  name: string;
  guid: string;
  tab: string;
  part: Part | undefined;
  load: (() => Promise<Part>) | undefined;
}

/** The screen of a path, and what the path says of it. */
export function findScreen(path: string): Found {
  const plain = path.length > 1 ? path.replace(/\/$/, '') : path;
  for (const { name, pattern, part, load } of SCREENS) {
    const match = pattern.exec(plain);
    if (match) return { name, guid: match.groups?.guid?.toLowerCase() ?? '', tab: match.groups?.tab ?? '', part, load };
  }
  return { name: 'not-found', guid: '', tab: '', part: NotFound, load: undefined };
}
