/**
 * The clock that `npm run test:clock` sets (scripts/clock.ts), for programs that a test starts with an environment of
 * their own. The clock is the preloaded libfaketime's; without it, all of this is empty.
 */
const CLOCK = /^(LD_PRELOAD|FAKETIME\w*)$/;

const variables = (are: (name: string) => boolean): Record<string, string> =>
  Object.fromEntries(
    Object.entries(process.env).filter((entry): entry is [string, string] => are(entry[0]) && entry[1] !== undefined),
  );

/** Whether this run has another clock than the machine. */
export const isClockSet = process.env.FAKETIME !== undefined;

/** The variables by which a program has the clock of the test that starts it. */
export const clockEnvironment = (): Record<string, string> => variables((name) => CLOCK.test(name));

/**
 * The environment of a Chromium: its processes hang under libfaketime, so that its pages are given the clock instead.
 */
export const browserEnvironment = (): Record<string, string> => variables((name) => !CLOCK.test(name));
