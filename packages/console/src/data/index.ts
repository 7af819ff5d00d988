/**
 * Asks the service: one file for each kind of answer, over the cache of `load.ts`; and where the person is: session,
 * path, live events.
 */
