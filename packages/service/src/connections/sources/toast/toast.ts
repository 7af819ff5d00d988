/** Toast: its documented API, with read-only credentials of a restaurant group or of a partner. */
import { defineSource } from '@daypart/client/source';
import { rateLimit } from './calls.ts';
import { readMenusOfToast, readNamesOfToast } from './names.ts';
import { orders } from './orders.ts';
import { restaurants, settings, signInToToast } from './restaurants.ts';
import { timeEntries } from './time-entries.ts';

const DAY_SECONDS = 86_400;

export const toast = defineSource({
  kind: 'toast',
  title: 'Toast',
  credentials: { clientId: { label: 'Client id' }, clientSecret: { label: 'Client secret', secret: true } },
  // 10,000 calls in 15 minutes are allowed.
  requestsPerSecond: { usual: 8, most: 11 },
  signIn: signInToToast,
  restaurants,
  settings,
  rateLimit,
  orders,
  timeEntries,
  names: { everySeconds: DAY_SECONDS, read: readNamesOfToast },
  menus: { everySeconds: 1800, read: readMenusOfToast },
});
