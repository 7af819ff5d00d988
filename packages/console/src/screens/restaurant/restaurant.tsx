/** One restaurant: its sales, their hours and sources; its checks; its settings. */
import type { ComponentType } from 'preact';
import { useGroup } from '../../data/group.ts';
import { NotFound } from '../not-found.tsx';
import { Checks } from './checks.tsx';
import { Sales } from './sales.tsx';
import { Settings } from './settings.tsx';
import type { TABS, TabProps } from './tabs.tsx';

const PARTS: Record<keyof typeof TABS, ComponentType<TabProps>> = { '': Sales, checks: Checks, settings: Settings };

export function RestaurantScreen({ guid, tab }: { guid: string; tab: string }) {
  const restaurant = useGroup().byGuid.get(guid);
  const Part = Object.hasOwn(PARTS, tab) ? PARTS[tab as keyof typeof PARTS] : undefined;
  if (!restaurant || !Part) return <NotFound />;
  return <Part restaurant={restaurant} />;
}
