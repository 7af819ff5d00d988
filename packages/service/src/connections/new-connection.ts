/** What every connection begins with. */
import type { Connection } from '../ledger/connection.ts';

/** How many days after its end a date is read once more. */
export const CHECK_DAYS = [3, 10, 35];

type Given = 'id' | 'group' | 'kind' | 'name' | 'url' | 'settings' | 'credentials' | 'createdBy';

/** A connection that is due at once (`now` in ms since 1970 UTC), that nobody reads, and without a session. */
export const newConnection = (given: Pick<Connection, Given>, now: number): Connection => ({
  ...given,
  credentialsSetAt: now,
  token: null,
  tokenUntil: null,
  signedInAt: null,
  state: 'active',
  reason: null,
  worker: null,
  leaseUntil: null,
  attempt: 0,
  nextAt: now,
  throttledUntil: null,
  createdAt: now,
  changedAt: now,
});
