/** The request for a report, from the arguments of the command. */
import { type DateSpan, spanDays, type TimeRange } from '@daypart/client';
import { nearest, type ParsedArguments } from './arguments.ts';
import { UsageError } from './exit.ts';
import { readSpan } from './span.ts';
import type { Table, TableEntry } from './tables/table.ts';

export interface ReportQuery {
  table: Table;
  span: DateSpan;
  /** The smallest range that contains the span; null if none does and it is requested in parts. */
  range: TimeRange | null;
  groupBy: string[];
  hourly: boolean;
  /** Split by daypart. */
  daypart: boolean;
  /** Restaurants as typed. */
  only: string[];
  exclude: string[];
  inactive: boolean;
}

/** How many dates a report by hour may cover; longer ones are requested in parts. */
const MOST_HOURLY_DATES = 31;

const GROUPS: Record<string, string> = {
  'dining-option': 'DINING_OPTION',
  'revenue-center': 'REVENUE_CENTER',
  'order-source': 'ORDER_SOURCE',
  job: 'JOB',
  employee: 'EMPLOYEE',
  menu: 'MENU',
  'menu-group': 'MENU_GROUP',
  item: 'MENU_ITEM',
  modifier: 'MODIFIER',
};

/** The table that the word names. Throws UsageError if there is none. */
export async function findTable(tables: readonly TableEntry[], word: string | undefined): Promise<Table> {
  const words = tables.map((one) => one.word);
  if (word === undefined) throw new UsageError(`report of what? ${words.map((one) => `report ${one}`).join(', or ')}`);
  // `guest` is enough for `guest-payments`: an unambiguous beginning of a word is accepted.
  const [begun, ...more] = tables.filter((one) => one.word.startsWith(`${word}-`));
  const found = tables.find((one) => one.word === word) ?? (more.length === 0 ? begun : undefined);
  if (!found) throw new UsageError(`there are reports of ${words.join(', ')}, not of ${word}${nearest(word, words)}`);
  return await found.load();
}

/** Throws UsageError for flags that cannot be combined. */
export function readReportQuery(args: ParsedArguments, table: Table, now: number, zone: string): ReportQuery {
  const splits = [
    ...new Set(
      (args.value('by') ?? '')
        .split(',')
        .map((word) => word.trim())
        .filter(Boolean),
    ),
  ];
  const other = splits.find((word) => !table.splits.includes(word));
  if (other !== undefined)
    throw new UsageError(
      table.splits.length === 0
        ? `${table.word} cannot be split: leave out --by`
        : `--by: ${table.word} cannot be split by ${other}${nearest(other, table.splits)}`,
    );
  const groupBy = splits.flatMap((word) => GROUPS[word] ?? []);
  const { mostGroups = 2 } = table;
  if (groupBy.length > mostGroups) {
    const groups = table.splits.filter((word) => GROUPS[word]);
    const few = `${groups.slice(0, -1).join(', ')} and ${groups.at(-1)}`;
    const besides = table.splits.includes('hour') ? ', besides hour or daypart' : '';
    throw new UsageError(`--by takes at most ${mostGroups === 1 ? 'one' : 'two'} of ${few}${besides}`);
  }
  const span = readSpan(args, now, zone);
  const [hourly, daypart] = [splits.includes('hour'), splits.includes('daypart')];
  if (hourly && daypart) throw new UsageError('--by hour or daypart, not both');
  const [only, exclude] = [args.values('restaurant'), args.values('exclude')];
  if (only.length > 0 && exclude.length > 0) throw new UsageError('--restaurant or --exclude, not both');
  const range = hourly && spanDays(span) > MOST_HOURLY_DATES ? null : rangeOf(span, table);
  return {
    table: daypart ? withDaypart(table) : table,
    span,
    range,
    groupBy,
    hourly,
    daypart,
    only,
    exclude,
    inactive: args.has('inactive'),
  };
}

/** The table of a report by daypart, whose records have one more field. */
function withDaypart(table: Table): Table {
  const at = table.fields.indexOf('businessHour') + 1;
  return { ...table, fields: [...table.fields.slice(0, at), 'daypart', ...table.fields.slice(at)] };
}

/** The time ranges of a create, and how many dates each may have (docs/contract.md#spans). */
const RANGES: readonly (readonly [TimeRange, number])[] = [
  ['day', 1],
  ['week', 7],
  ['month', 31],
  ['year', 366],
];

/** The shortest range of the family that has room for the span; null if there is none. */
function rangeOf(span: DateSpan, { ranges }: Pick<Table, 'ranges'>): TimeRange | null {
  const days = spanDays(span);
  return RANGES.find(([range, most]) => days <= most && ranges.includes(range))?.[0] ?? null;
}

/** `by dining option and hour`, or nothing. */
export function shownSplits({ groupBy, hourly, daypart }: Pick<ReportQuery, 'groupBy' | 'hourly' | 'daypart'>): string {
  const words = [
    ...groupBy.map((group) => group.toLowerCase().replace('_', ' ')),
    ...(hourly ? ['hour'] : []),
    ...(daypart ? ['daypart'] : []),
  ];
  return words.length === 0 ? '' : `by ${words.join(' and ')}`;
}
