/** One restaurant: its sales, their hours and sources; its checks; its settings. */
import type { ComponentType } from 'preact';
import { useGroup } from '../../data/group.ts';
import type { Restaurant } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { may } from '../../data/session.ts';
import { sayHour } from '../../model/dates.ts';
import { datesIn } from '../../model/view.ts';
import { NotFound } from '../not-found.tsx';
import { Checks } from './checks.tsx';
import { Sales } from './sales.tsx';
import { Settings } from './settings.tsx';

export interface TabProps {
  restaurant: Restaurant;
}

const TABS: readonly { tab: string; name: string; part: ComponentType<TabProps> }[] = [
  { tab: '', name: 'Sales', part: Sales },
  { tab: 'checks', name: 'Checks', part: Checks },
  { tab: 'settings', name: 'Settings', part: Settings },
];

/** The details of a restaurant in one line. */
export function describe({ locationName, locationCode, timeZone, closeoutHour, currencyCode }: Restaurant): string[] {
  const place = [locationName, locationCode].filter((part) => part !== null).join(', ');
  return [
    place,
    timeZone.replaceAll('_', ' '),
    `day ends ${sayHour(closeoutHour)}`,
    currencyCode ?? 'no currency',
  ].filter((part) => part !== '');
}

export function RestaurantScreen({ guid, tab }: { guid: string; tab: string }) {
  const restaurant = useGroup().byGuid.get(guid);
  const found = TABS.find((one) => one.tab === tab);
  if (!restaurant || !found) return <NotFound />;
  const Part = found.part;
  return <Part restaurant={restaurant} />;
}

/** The tabs of a restaurant; each keeps the dates. */
export function RestaurantTabs({ guid }: { guid: string }) {
  const { path, search } = usePlace();
  return (
    <nav class="tab-list" aria-label="Restaurant">
      {TABS.map(({ tab, name }) => {
        const href = `/restaurants/${guid}${tab && `/${tab}`}`;
        return (
          <a key={tab} href={href + datesIn(search)} aria-current={path === href ? 'page' : undefined}>
            {name}
          </a>
        );
      })}
    </nav>
  );
}

/** The line below the name of a restaurant. */
export function Description({ restaurant }: { restaurant: Restaurant }) {
  return (
    <>
      <span>{describe(restaurant).join(' · ')}</span>
      {restaurant.currencyCode === null && may('ingest:write') && (
        <a href={`/restaurants/${restaurant.guid}/settings`}>Set the currency</a>
      )}
    </>
  );
}
