/**
 * Asks the service: one file for each kind of answer, kept by `load.ts`; and where the person is: session,
 * path, live events.
 */
