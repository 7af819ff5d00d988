/** Loads for restaurants that are being removed: none is merged after its restaurant's facts were deleted. */
import { RestaurantRemoved } from './errors.ts';
import type { Facts } from './facts.ts';

/** Facts whose `removeRestaurants` first refuses further loads of the restaurants, and waits for those in progress. */
export function refusingRemoved<F extends Facts>(facts: F): F {
  const removed = new Set<number>();
  const running = new Map<number, Set<Promise<unknown>>>();

  const guarded =
    <Rest extends unknown[], T>(change: (restaurantId: number, ...rest: Rest) => Promise<T>) =>
    async (restaurantId: number, ...rest: Rest): Promise<T> => {
      if (removed.has(restaurantId)) throw new RestaurantRemoved('the restaurant was removed');
      const work = change(restaurantId, ...rest);
      const ofRestaurant = running.get(restaurantId) ?? new Set();
      running.set(restaurantId, ofRestaurant.add(work));
      try {
        return await work;
      } finally {
        ofRestaurant.delete(work);
        if (ofRestaurant.size === 0) running.delete(restaurantId);
      }
    };

  return {
    ...facts,
    merge: guarded(facts.merge),
    putReference: guarded(facts.putReference),
    putMenus: guarded(facts.putMenus),
    async removeRestaurants(restaurantIds, bounds, always) {
      for (const id of restaurantIds) removed.add(id);
      await Promise.allSettled(restaurantIds.flatMap((id) => [...(running.get(id) ?? [])]));
      await facts.removeRestaurants(restaurantIds, bounds, always);
    },
  };
}
