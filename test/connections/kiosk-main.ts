/** Starts the point of sale of the kiosk, for the examples of the docs. */
import { START, small } from '../upstream/caller.ts';
import { createClock } from '../upstream/clock.ts';
import { createWorld } from '../upstream/world.ts';
import { startKiosk } from './kiosk-upstream.ts';

const [port = '0', key = ''] = process.argv.slice(2);
const world = createWorld({ clock: createClock({ at: START }), restaurants: [small(0)], days: 5 });
const { url } = await startKiosk(world, { key, port: Number(port) });
console.log(`The kiosk is at ${url}`);
