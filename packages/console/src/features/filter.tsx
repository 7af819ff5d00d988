/** Filters by a click: what is chosen in the cards, with buttons that take it off again. */
import type { DaypartHours } from '@daypart/client';
import type { ComponentChildren } from 'preact';
import { useMemo } from 'preact/hooks';
import { GroupContext, narrowed, useGroup } from '../data/group.ts';
import { navigate, place, usePlace } from '../data/router.ts';
import { choosing, type Filter, type FilterBy, filterOf } from '../model/filter.ts';
import { Icon } from '../widgets/icon.tsx';

/** The filter in the address; undefined if it has none. */
export function useFilter(dayparts: DaypartHours[]): Filter | undefined {
  const { search } = usePlace();
  const text = JSON.stringify(filterOf(new URLSearchParams(search), dayparts));
  return useMemo(() => text && JSON.parse(text), [text]);
}

/** Chooses a value, or with `undefined` none. */
export function pick(by: FilterBy, value: string | undefined): void {
  const next = choosing(new URLSearchParams(location.search), by, value);
  navigate(`${place.get().path}?${next}`.replace(/\?$/, ''), { keepScroll: true });
}

interface PickProps {
  by: FilterBy;
  value: string;
  /** What the value is called. */
  name: string;
  children?: ComponentChildren;
  /** Whether the children say the name. */
  named?: boolean;
}

/** A name in a card: a click keeps only what has it, another click everything again. */
export function Pick({ by, value, name, children = name, named = children === name }: PickProps) {
  const chosen = new URLSearchParams(usePlace().search).get(by) === value;
  const title = chosen ? 'Show all' : `Only ${name}`;
  return (
    <button
      type="button"
      class="pick"
      aria-pressed={chosen}
      title={title}
      aria-label={named ? undefined : title}
      onClick={() => pick(by, chosen ? undefined : value)}
    >
      {children}
    </button>
  );
}

/** The filter in words: "Lunch, Dine In". */
export const sayFilter = ({ names }: Filter): string => names.map(([, name]) => name).join(', ');

/** The funnel beside a restaurant, which keeps only what it has. */
export const PickRestaurant = ({ guid, name }: { guid: string; name: string }) => (
  <Pick by="at" value={guid} name={name}>
    <Icon name="filter" />
  </Pick>
);

/** In place of figures that cannot be filtered. */
export const sayUnfiltered = (filter: Filter, why: string): string => `Not filtered by ${sayFilter(filter)}: ${why}.`;

/** The figures of the group, or of the restaurant that a click has chosen. */
export function OfChosen({ children }: { children: ComponentChildren }) {
  const group = useGroup();
  const { search } = usePlace();
  const one = group.byGuid.get(new URLSearchParams(search).get('at') ?? '');
  const chosen = useMemo(() => (one ? narrowed(group, one) : group), [group, one]);
  return <GroupContext.Provider value={chosen}>{children}</GroupContext.Provider>;
}

/** What all cards of the screen are limited to. */
export function FilterBar({ filter }: { filter?: Filter | undefined }) {
  const { only, byGuid } = useGroup();
  const at = byGuid.get(only ?? '')?.name;
  const names: Filter['names'] = [...(at ? [['at', at] as [FilterBy, string]] : []), ...(filter?.names ?? [])];
  if (names.length === 0) return null;
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset is not a flex box in every browser
    <div class="row filters" role="group" aria-label="Filters of all cards">
      Only
      {names.map(([by, name]) => (
        <button
          key={by}
          type="button"
          class="button small"
          aria-label={`Remove the filter ${name}`}
          onClick={() => pick(by, undefined)}
        >
          {name}
          <Icon name="close" />
        </button>
      ))}
    </div>
  );
}
