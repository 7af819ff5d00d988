/**
 * What the tabs of a restaurant share: their names, what they are given, and the line below the name of the restaurant.
 */
import type { Restaurant } from '../../data/restaurants.ts';
import { usePlace } from '../../data/router.ts';
import { may } from '../../data/session.ts';
import { sayHour } from '../../model/dates.ts';
import { datesIn } from '../../model/view.ts';

/** The name of each tab, by the last part of its path. */
export const TABS = { '': 'Sales', checks: 'Checks', settings: 'Settings' } as const;

export interface TabProps {
  restaurant: Restaurant;
}

/** The details of a restaurant in one line. */
function describe({ locationName, locationCode, timeZone, closeoutHour, currencyCode }: Restaurant): string[] {
  const place = [locationName, locationCode].filter((part) => part !== null).join(', ');
  return [
    place,
    timeZone.replaceAll('_', ' '),
    `day ends ${sayHour(closeoutHour)}`,
    currencyCode ?? 'no currency',
  ].filter((part) => part !== '');
}

/** The tabs of a restaurant; each keeps the dates. */
export function RestaurantTabs({ guid }: { guid: string }) {
  const { path, search } = usePlace();
  return (
    <nav class="tab-list" aria-label="Restaurant">
      {Object.entries(TABS).map(([tab, name]) => {
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
