/** The questions that are measured at every size. */
import type { GatherQuery, RestaurantScope } from '../../packages/service/src/facts/report.ts';
import { FIRST_DATE, LAST_DATE } from './shape.ts';

export interface Question {
  /** As in the tables. */
  name: string;
  section: 'by day' | 'by hour' | 'checks' | 'labor';
  /** Business dates, both in it. */
  start: number;
  end: number;
  /** The restaurants with the ids from 1 to this. */
  restaurants: number;
  groups: string[];
}

/** A Friday, its week, its month, and the year. */
const PERIODS = [
  ['day', 20240614, 20240614],
  ['week', 20240610, 20240616],
  ['month', 20240601, 20240630],
  ['year', FIRST_DATE, LAST_DATE],
] as const;
const COUNTS = [1, 100, 1000] as const;
const GROUPINGS: readonly string[][] = [[], ['DINING_OPTION', 'REVENUE_CENTER']];

function ask(section: Question['section'], period: (typeof PERIODS)[number], restaurants: number, groups: string[]) {
  const [what, start, end] = period;
  const by = section === 'labor' ? `, by ${groups[0]?.toLowerCase()}` : ', two groups';
  const grouped = section === 'checks' ? '' : groups.length === 0 ? ', no group' : by;
  return { name: `${what} × ${restaurants}${grouped}`, section, start, end, restaurants, groups };
}

/** A report by day of each period, one by hour of a day, the checks of a day, and the labor of a year. */
export const QUESTIONS: readonly Question[] = [
  ...PERIODS.flatMap((period) =>
    COUNTS.flatMap((count) => GROUPINGS.map((groups) => ask('by day', period, count, groups))),
  ),
  ...COUNTS.flatMap((count) => GROUPINGS.map((groups) => ask('by hour', PERIODS[0], count, groups))),
  ...[1, 1000].map((count) => ask('checks', PERIODS[0], count, [])),
  ...[[], ['JOB'], ['EMPLOYEE']].map((groups) => ask('labor', PERIODS[3], 1000, groups)),
];

/** The kind of report of each section. */
export const KINDS = {
  'by day': 'metrics',
  'by hour': 'metrics',
  checks: 'check',
  labor: 'labor',
} as const satisfies Record<Question['section'], string>;

/** The questions whose times have a goal. */
export const YEAR_OF_ALL = 'year × 1000, no group';
export const LABOR_OF_ALL = 'year × 1000, by employee';

export function queryOf(question: Question, all: readonly RestaurantScope[]): GatherQuery {
  return {
    kind: KINDS[question.section],
    restaurants: all.filter(({ id }) => id <= question.restaurants),
    startDate: question.start,
    endDate: question.end,
    aggregate: question.section === 'by hour' ? 'HOUR' : 'DAY',
    groups: question.groups,
  };
}
