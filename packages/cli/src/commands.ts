/** The commands that call a service on any machine. */
import type { Command, Flag } from './command.ts';
import { EXIT_NOTE } from './exit.ts';
import { COMPARISONS, CONNECTION, DATES, FORMS, LIST_FORMAT, SPLITS, TOTALS_BY, TOTALS_OF_REPORT } from './flags.ts';
import { GROUP_COMMANDS } from './group-commands.ts';

const WHAT_COMES: readonly Flag[] = [
  {
    name: 'format',
    value: 'FORM',
    values: ['table', ...FORMS],
    help: 'table (on a terminal), json (elsewhere), ndjson, csv, parquet or xlsx',
  },
  {
    name: 'output',
    value: 'FILE',
    kind: 'file',
    help: 'write into a file, whose ending names the form; after an interruption the same command resumes; - is standard output',
  },
  { name: 'force', help: 'replace FILE if it exists' },
  { name: 'names', help: 'with the names of restaurants; tables and files of CSV and Parquet have them' },
  { name: 'no-names', help: 'without them' },
  { name: 'iso-dates', help: 'dates as 2026-03-10; files of CSV have them' },
  {
    name: 'raw',
    help: 'the record as programs read it: names only with --names, and last; no currency; dates as 20260310',
  },
  { name: 'all', help: 'every line of the table on a terminal, however many' },
  { name: 'timeout', value: 'SECONDS', help: 'longest time without an answer, a byte or a row (900)' },
];

const WHICH: readonly Flag[] = [
  {
    name: 'restaurant',
    value: 'NAME',
    many: true,
    kind: 'restaurant',
    help: 'only this one: a name, its beginning, or a GUID; may be repeated',
  },
  { name: 'exclude', value: 'NAME', many: true, kind: 'restaurant', help: 'all but this one; may be repeated' },
  { name: 'inactive', help: 'only restaurants that are inactive' },
];

/** What serves instead of `--total-by` and `--compare`, which only metrics have; `by` as it was typed. */
export const addsUp = (by = ''): string =>
  `daypart totals GUID${TOTALS_OF_REPORT.some((word) => word === by) ? ` --by ${by}` : ''} adds up any report`;
const insteadOf = (word: string, by?: string): string | undefined => (word === 'metrics' ? undefined : addsUp(by));

const LOGIN: Command = {
  name: 'login',
  summary: 'verify and save credentials, prompting for missing values',
  args: [],
  flags: CONNECTION,
  notes: [EXIT_NOTE],
  examples: [
    ['Asks for the base URL, the client id and the secret', 'login'],
    ['From a script, the secret on standard input', 'login --url http://127.0.0.1:8080/v1 --client-id ID < secret.txt'],
    ['A second place', 'login --profile live --auth login --url https://ws-api.example.com/era/v1'],
  ],
};

const reportOf = (words: readonly string[]): Command => ({
  name: 'report',
  summary: 'request a report and show it',
  args: [words.join('|')],
  words,
  flags: [
    ...DATES,
    {
      name: 'by',
      value: 'GROUPS',
      values: SPLITS,
      list: true,
      help: 'split metrics by dining-option, revenue-center, order-source (two at most), and hour or daypart; labor by job or employee; menu by menu, menu-group, item or modifier',
    },
    {
      name: 'total-by',
      value: 'WHAT',
      values: TOTALS_BY,
      instead: insteadOf,
      help: 'metrics only: add up to a line for each restaurant, or for each date (and group of --by), currencies apart',
    },
    {
      name: 'compare',
      value: 'WITH',
      values: COMPARISONS,
      instead: (word) => insteadOf(word),
      help: 'metrics only: compare with the dates or whole months right before (previous), the same weekdays before them (weekday), the same dates a year before (year), or the same weekdays then (52-weeks)',
    },
    {
      name: 'sort',
      value: 'FIELD',
      help: 'order by a column, such as net-sales or net-sales:desc; with --compare also net-sales-change',
    },
    ...WHICH,
    ...WHAT_COMES,
    ...CONNECTION,
  ],
  notes: [EXIT_NOTE],
  examples: [
    ['How was yesterday?', 'report metrics --yesterday'],
    ['And hour by hour, in one place', 'report metrics --yesterday --by hour --restaurant "Harbor Light"'],
    [
      'Last month by dining option, for a spreadsheet',
      'report metrics --last-month --by dining-option --output month.csv',
    ],
    ['How do the dayparts of a year compare?', 'report metrics --from 2026-01-01 --by daypart --total-by restaurant'],
    ['How was last week, beside the one before?', 'report metrics --last-week --compare previous'],
    ['The best dates of a quarter', 'report metrics --last-90-days --total-by date --sort net-sales:desc'],
    ['Hours and cost of a week by job', 'report labor --last-week --by job'],
    ['What sold best yesterday', 'report menu --yesterday --by item --sort net-sales:desc'],
    ['Every check of a week', 'report checks --last-week --format parquet --output checks.parquet'],
  ],
});

const getOf = (words: readonly string[]): Command => ({
  name: 'get',
  summary: 'retrieve an existing report',
  args: ['GUID'],
  flags: [
    {
      name: 'kind',
      value: 'KIND',
      values: words,
      help: 'kind of report, if known',
    },
    ...WHAT_COMES,
    ...CONNECTION,
  ],
  notes: [EXIT_NOTE],
  examples: [
    ['Show it', 'get 9c6b1f0e-3d52-4a7b-8f10-2b6e4d9a7c31'],
    ['Keep it', 'get 9c6b1f0e-3d52-4a7b-8f10-2b6e4d9a7c31 --output week.parquet'],
  ],
});

const TOTALS: Command = {
  name: 'totals',
  summary: 'add up the rows of an existing report, in the service',
  args: ['GUID'],
  flags: [
    {
      name: 'by',
      value: 'WHAT',
      values: TOTALS_OF_REPORT,
      list: true,
      help: 'one to three of restaurant, date, weekday and what the report is split by; the whole report without it',
    },
    LIST_FORMAT,
    ...CONNECTION,
  ],
  notes: [EXIT_NOTE],
  examples: [
    ['All of it, currencies apart', 'totals 9c6b1f0e-3d52-4a7b-8f10-2b6e4d9a7c31'],
    ['Which weekdays are best, and where?', 'totals 9c6b1f0e-3d52-4a7b-8f10-2b6e4d9a7c31 --by restaurant,weekday'],
  ],
};

/** Ordered from the most to the least common; `words` are the report names of the tables. */
export const reportCommands = (words: readonly string[]): readonly Command[] => [
  LOGIN,
  reportOf(words),
  getOf(words),
  TOTALS,
  ...GROUP_COMMANDS,
  {
    name: 'profiles',
    summary: 'list stored credentials, without their secrets',
    args: [],
    flags: [],
    notes: [EXIT_NOTE],
    examples: [['List them', 'profiles']],
  },
  {
    name: 'logout',
    summary: 'delete stored credentials',
    args: [],
    flags: [{ name: 'profile', value: 'NAME', help: 'which (default)' }],
    notes: [EXIT_NOTE],
    examples: [['Those of a profile', 'logout --profile live']],
  },
  {
    name: 'completion',
    summary: 'print a completion script for a shell',
    args: ['bash|zsh|fish'],
    words: ['bash', 'zsh', 'fish'],
    flags: [],
    notes: [EXIT_NOTE],
    examples: [
      ['bash', 'completion bash > ~/.local/share/bash-completion/completions/daypart'],
      ['zsh, in a folder of $fpath', 'completion zsh > ~/.zfunc/_daypart'],
      ['fish', 'completion fish > ~/.config/fish/completions/daypart.fish'],
    ],
  },
  {
    name: 'completion restaurants',
    summary: 'print names of restaurants for completion, one per line',
    args: ['TYPED', 'LINE'],
    verbatim: true,
    flags: [],
    examples: [],
  },
];
