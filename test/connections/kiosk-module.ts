/** The kiosk as a module for `--connect-sources`, over a state of its own. */
import { NOW } from '../journeys/service.ts';
import { small } from '../upstream/caller.ts';
import { createClock } from '../upstream/clock.ts';
import { createWorld } from '../upstream/world.ts';
import { kioskSource } from './kiosk-upstream.ts';

const restaurant = small();
/** Of its only restaurant. */
export const SMALL_GUID = restaurant.guid;
const world = createWorld({ clock: createClock({ at: NOW }), restaurants: [restaurant], days: 4 });

export default kioskSource(world, () => undefined);
