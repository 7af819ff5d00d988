/**
 * `npm run test:clock`: test files of the console, the command line and the service, run while the machine's clock is
 * at the end of a day, a month, February or a year, between midnight and closeout, or minutes before summer time begins
 * or ends. The clock is set by Debian's libfaketime; all processes of a file share it.
 */
import { globSync } from 'node:fs';

const DEMO = 'test/commands/demo.test.ts';
const DESK = 'test/commands/terminal-analysis.test.ts';
const DESK_LONG = 'test/commands/terminal-odd.long.ts';
const CONSOLE = 'test/browser/console-dates.browser.ts';
const CONSOLE_SAYS = 'test/browser/console-says.browser.ts';
const DAILY_REPORT = 'test/journeys/daily-report.test.ts';
const CHANGES = 'test/journeys/changes.test.ts';
const CLIENT = 'packages/client/src/dates.test.ts';
const SPANS = ['packages/cli/src/words.test.ts', 'packages/console/src/model/dates.test.ts'];

/** Instants, what they are of, the time zone of the machine, and the files that are run there. */
const CLOCKS: { at: string; what: string; zone: string; files: string[] }[] = [
  { at: '2027-04-13T23:52:00Z', what: 'the end of a day', zone: 'UTC', files: [DAILY_REPORT, ...SPANS] },
  { at: '2027-05-01T03:52:00Z', what: 'the end of a month', zone: 'America/New_York', files: [DEMO, ...SPANS] },
  { at: '2027-12-31T23:52:00Z', what: 'the end of a year', zone: 'UTC', files: [DEMO] },
  { at: '2027-12-31T22:52:00Z', what: 'the end of a year', zone: 'Europe/Paris', files: [CLIENT, ...SPANS] },
  { at: '2027-06-15T09:52:00Z', what: 'after midnight, before closeout', zone: 'UTC', files: [CONSOLE_SAYS] },
  { at: '2028-02-28T23:52:00Z', what: '28 February of a leap year', zone: 'UTC', files: [CHANGES, ...SPANS] },
  { at: '2028-02-29T23:52:00Z', what: '29 February', zone: 'UTC', files: [CONSOLE] },
  { at: '2028-03-01T04:52:00Z', what: '29 February', zone: 'America/New_York', files: [DESK, CLIENT] },
  { at: '2027-02-28T22:52:00Z', what: '28 February of a common year', zone: 'Europe/Paris', files: [DAILY_REPORT] },
  { at: '2027-03-14T06:52:00Z', what: 'summer time begins', zone: 'America/New_York', files: [DESK_LONG] },
  { at: '2027-11-07T05:52:00Z', what: 'summer time ends', zone: 'America/New_York', files: [CONSOLE] },
  { at: '2027-03-28T00:52:00Z', what: 'summer time begins', zone: 'Europe/Paris', files: [CLIENT, CHANGES] },
  { at: '2027-10-31T00:52:00Z', what: 'summer time ends', zone: 'Europe/Paris', files: [DAILY_REPORT, ...SPANS] },
];

const LIBRARY = globSync('/usr/lib/*/faketime/libfaketimeMT.so.1')[0];

/** A test file, and the clock that it is run with. */
export interface ClockedRun {
  file: string;
  /** How the clock is named in the report. */
  clock: string;
  environment(): Record<string, string>;
}

/** All runs of the suite. */
export const CLOCKED_RUNS: ClockedRun[] = CLOCKS.flatMap(({ at, what, zone, files }) =>
  files.map((file) => ({ file, clock: `${what}, ${at} in ${zone}`, environment: () => environmentAt(at, zone) })),
);

/**
 * All runs of the suite, or those of the files that were chosen; an Error where there are none. Where libfaketime is
 * missing none is returned, and they are reported as left out; with `CI=true` that is an Error.
 */
export function clockedRuns(chosen: readonly string[]): ClockedRun[] {
  const runs = CLOCKED_RUNS.filter(({ file }) => chosen.length === 0 || chosen.includes(file));
  if (runs.length === 0) throw new Error(`scripts/clock.ts has no test file ${chosen.join(' ')}`);
  if (LIBRARY) return runs;
  const missing = "Debian's libfaketime is missing";
  if (process.env.CI === 'true') throw new Error(missing);
  for (const { file, clock } of runs) console.log(`﹣ left out: ${file} (${clock}): ${missing}`);
  return [];
}

/**
 * The clock as a distance from the machine's, so that processes that start later agree with those before them: an
 * instant would begin again in each. Timers remain those of the machine.
 */
function environmentAt(at: string, zone: string): Record<string, string> {
  const seconds = Math.round((Date.parse(at) - Date.now()) / 1000);
  return {
    LD_PRELOAD: LIBRARY ?? '',
    FAKETIME: `${seconds < 0 ? '' : '+'}${seconds}s`,
    TZ: zone,
    FAKETIME_DONT_FAKE_MONOTONIC: '1',
  };
}
