/**
 * Whether what a day's files contain is of the date of its folder and of the restaurant: a file in the wrong folder
 * looks right otherwise.
 */
import { dashedDate, dateIn } from '../contract/dates.ts';
import type { Tables } from './day.ts';
import { FILE_NAMES, plainHeader } from './file-columns.ts';
import type { Draft } from './join.ts';
import { type Notice, placeOfDraft } from './notices.ts';
import type { EntryRecord } from './source-entries.ts';
import { checkOpened } from './source-orders.ts';
import { momentOf } from './times.ts';

/** What is loaded all the same: `date` of other dates, `location` of several locations. */
export interface Force {
  date: boolean;
  location: boolean;
}
export const NO_FORCE: Force = { date: false, location: false };

/** Why a day that can be read is not loaded; it is, with the Force of this name, if there is one. */
export interface Refusal {
  kind: keyof Force | null;
  message: string;
}

/** What is loaded of a day, and where to. */
interface DayContent {
  /** YYYYMMDD, of the folder. */
  date: number;
  timeZone: string;
  /** The name and the location name of the restaurant. */
  restaurantNames: readonly string[];
  /** The first date (YYYYMMDD) that a connection reads; undefined without one. */
  connectedFrom: number | undefined;
  drafts: readonly Draft[];
  entries: readonly EntryRecord[];
  tables: Tables;
}

const NEAR_DAYS = 2;
const MOST_PLACES = 5;

/** The notices about a day, and the reason to refuse it, if there is one that `force` does not name. */
export function judgeBelonging(content: DayContent, force: Force): { notices: Notice[]; refusal: Refusal | undefined } {
  const dates = judgeDates(content);
  const locations = judgeLocations(content);
  const connected = judgeConnected(content);
  return {
    notices: [...locations.notices, ...dates.notices],
    refusal: [connected, locations.refusal, dates.refusal].find(
      (one) => one !== undefined && (one.kind === null || !force[one.kind]),
    ),
  };
}

/** A connection reads the same orders and time entries under other GUIDs, so they would count twice. */
function judgeConnected({ date, connectedFrom }: DayContent): Refusal | undefined {
  if (connectedFrom === undefined || date < connectedFrom) return undefined;
  const what = connectedFrom > 0 ? `only dates before ${dashedDate(connectedFrom)}` : 'nothing of this restaurant';
  const message = `a connection reads this date of the restaurant, and it would count twice. Import ${what}: what is read stays when the connection is removed`;
  return { kind: null, message };
}

/** An order or a time entry: where it is in the files, and the instants (ms since 1970 UTC) that its rows name. */
interface DatedPart {
  place: string;
  moments: number[];
}

function judgeDates({ date, timeZone, drafts, entries }: DayContent) {
  const [year, month, day] = [Math.trunc(date / 10_000), Math.trunc(date / 100) % 100, date % 100];
  const midnight = (days: number): number => momentOf(Date.UTC(year, month - 1, day + days), timeZone).at;
  const [from, to] = [midnight(-NEAR_DAYS), midnight(NEAR_DAYS + 1)];
  // An order ahead is opened long before and paid or closed on its date, so one time is enough.
  const isFar = ({ moments }: DatedPart): boolean => moments.length > 0 && !moments.some((at) => at >= from && at < to);
  const notices: Notice[] = [];
  let refusal: Refusal | undefined;
  const judge = (what: 'orders' | 'timeEntries', parts: readonly DatedPart[]): void => {
    const far = parts.filter(isFar);
    const [first] = far;
    if (!first) return;
    const name = what === 'orders' ? 'orders' : 'time entries';
    const counts = { orders: 0, timeEntries: 0, [what]: far.length };
    const message = `no time of it is within two days of ${dashedDate(date)}, the date of the folder, on which it counts`;
    notices.push({ message, ...counts, first: far.slice(0, MOST_PLACES).map(({ place }) => place), amount: 0 });
    if (far.length * 2 <= parts.length) return;
    const opened = dashedDate(dateIn(timeZone, first.moments[0] ?? 0));
    refusal ??= {
      kind: 'date',
      message: `${far.length} of ${parts.length} ${name} have no time within two days of ${dashedDate(date)}, the date of the folder; the first is of ${opened} (${first.place}). Name the folder by the date of its files`,
    };
  };
  judge(
    'orders',
    drafts.map((draft) => ({ place: placeOfDraft(draft), moments: momentsOfDraft(draft, timeZone) })),
  );
  judge(
    'timeEntries',
    entries.map(({ row: { line, values } }) => ({
      place: `TimeEntries.csv:${line}`,
      moments: [values.in, values.out].flatMap((moment) => moment?.at ?? []),
    })),
  );
  return { notices, refusal };
}

function momentsOfDraft({ row, checks }: Draft, timeZone: string): number[] {
  const own = [row?.values.opened, row?.values.paid, row?.values.closed];
  const parts = [...checks.values()].flatMap((check) => [
    ...check.items.map(({ values }) => values.opened),
    ...check.payments.flatMap(({ values }) => [values.opened, values.paid, values.voidDate]),
  ]);
  const opened = [...checks.values()].flatMap((check) => checkOpened(check.row?.values, timeZone) ?? []);
  return [...[...own, ...parts].flatMap((moment) => moment?.at ?? []), ...opened];
}

/** Names of places are compared as headers are: without regard to case and runs of blanks. */
function judgeLocations({ restaurantNames, drafts, entries, tables }: DayContent) {
  const rows = new Map<string, { name: string; rows: number }>();
  for (const file of FILE_NAMES)
    for (const { values } of tables[file]?.rows ?? []) {
      const { location } = values as { location?: string | undefined };
      if (location === undefined) continue;
      const one = rows.get(plainHeader(location)) ?? { name: location, rows: 0 };
      one.rows++;
      rows.set(plainHeader(location), one);
    }
  const known = new Set(restaurantNames.map(plainHeader));
  const notices = [...rows].slice(0, MOST_PLACES).flatMap(([plain, { name }]): Notice[] => {
    if (known.has(plain)) return [];
    const isOf = (location: string | undefined): boolean => location !== undefined && plainHeader(location) === plain;
    const orders = drafts.filter((draft) => isOf(locationOf(draft)));
    const shifts = entries.filter(({ row }) => isOf(row.values.location));
    const places = [...orders.map(placeOfDraft), ...shifts.map(({ row }) => `TimeEntries.csv:${row.line}`)];
    return [
      {
        message: `the location ${name} is neither the name nor the location name of the restaurant (${restaurantNames.join(', ')})`,
        orders: orders.length,
        timeEntries: shifts.length,
        first: places.slice(0, MOST_PLACES),
        amount: 0,
      },
    ];
  });
  if (rows.size <= 1) return { notices, refusal: undefined };
  const counts = [...rows.values()].map((one) => `${one.name}: ${one.rows} rows`);
  const shown = [...counts.slice(0, MOST_PLACES), ...(counts.length > MOST_PLACES ? ['…'] : [])].join(', ');
  const message = `its rows are of ${rows.size} locations (${shown}). Export each location by itself, and import it into its restaurant`;
  return { notices, refusal: { kind: 'location', message } as Refusal };
}

function locationOf({ row, checks }: Draft): string | undefined {
  const parts = [...checks.values()].flatMap(({ items, payments }) => [...items, ...payments]);
  return row?.values.location ?? parts.find(({ values }) => values.location !== undefined)?.values.location;
}
