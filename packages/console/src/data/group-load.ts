/** Loads the restaurants of the group, and loads them again when the page is shown again or data are loaded. */
import { distinguish } from '../model/money.ts';
import { currentWatermark } from './client.ts';
import { type Group, groupOf } from './group.ts';
import { readRestaurants } from './restaurants.ts';
import { createStore, useStore } from './store.ts';

interface GroupState {
  group: Group | undefined;
  error: unknown;
}

const state = createStore<GroupState>({ group: undefined, error: undefined });

export const useGroupState = (): GroupState => useStore(state);
export const useGroupCount = (): number | undefined => useStore(state).group?.used.length;

/** Whether the past of a restaurant may still be unread at its point of sale. */
export const mayBeUnread = (): boolean =>
  state.get().group?.used.some(({ connection }) => connection && connection.state !== 'current') === true;

let loading: AbortController | undefined;

/** Reads the restaurants; the screen changes only if the data did. */
export async function loadGroup(): Promise<void> {
  loading?.abort();
  const own = new AbortController();
  loading = own;
  try {
    const restaurants = await readRestaurants(own.signal);
    distinguish(restaurants.map(({ currencyCode }) => currencyCode));
    const watermark = currentWatermark();
    const { group } = state.get();
    if (group && group.watermark === watermark && watermark !== '') state.set({ group, error: undefined });
    else state.set({ group: groupOf(restaurants, watermark), error: undefined });
  } catch (error) {
    if (!own.signal.aborted) state.set({ group: state.get().group, error });
  }
}

/** Removes the group from memory, because another person signs in. */
export const forgetGroup = (): void => state.set({ group: undefined, error: undefined });
