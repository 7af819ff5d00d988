/** The one table of commands and flags: what is read, helped with and completed. */
import { SETTINGS, type SettingName } from '../config.ts';

export interface Flag {
  name: string;
  /** What stands for its value in the help; without, the flag takes none. */
  value?: string;
  /** The values that it takes. */
  values?: readonly string[];
  /** May be given more than once. */
  many?: true;
  /** Its value is the name of a file, or of a folder. */
  file?: true;
  help: string;
}

export interface Command {
  name: string;
  /** A line for the list of commands. */
  summary: string;
  /** What stands after the name. */
  usage: string;
  /** What the first word may be, where that is known. */
  words?: readonly string[];
  flags: readonly Flag[];
  /** What it does, and how that is typed. */
  examples: readonly (readonly [what: string, words: string])[];
}

const CONNECTION: Flag[] = [
  { name: 'profile', value: 'NAME', help: 'stored credentials to use' },
  { name: 'url', value: 'BASE', help: 'base URL of the service: http://127.0.0.1:8080/v1, https://host/era/v1' },
  { name: 'client-id', value: 'ID', help: 'client id' },
  {
    name: 'client-secret',
    value: 'SECRET',
    help: 'its secret; better in DAYPART_CLIENT_SECRET, which lists of processes do not show',
  },
  { name: 'auth', value: 'HOW', values: ['oauth', 'login'], help: 'how tokens are fetched (oauth)' },
];

const WHAT_COMES: Flag[] = [
  {
    name: 'format',
    value: 'FORM',
    values: ['table', 'json', 'ndjson', 'csv', 'parquet'],
    help: 'table (on a terminal), json (elsewhere), ndjson, csv or parquet',
  },
  {
    name: 'output',
    value: 'FILE',
    file: true,
    help: 'write into a file, whose ending names the form; after a cut the same command goes on; - is standard output',
  },
  { name: 'force', help: 'replace FILE' },
  { name: 'names', help: 'with the names of restaurants; the table has them' },
  { name: 'no-names', help: 'the table without them' },
  { name: 'all', help: 'every line of the table on a terminal, however many' },
  { name: 'timeout', value: 'SECONDS', help: 'longest time without an answer, a byte or a row (900)' },
];

const DATES: Flag[] = [
  { name: 'today', help: 'the business date now, which ends at 4:00' },
  { name: 'yesterday', help: 'the one before it' },
  { name: 'this-week', help: 'since Monday' },
  { name: 'last-week', help: 'Monday to Sunday' },
  { name: 'last-7-days', help: 'the seven dates up to yesterday' },
  { name: 'this-month', help: 'since the first' },
  { name: 'last-month', help: 'all of it' },
  { name: 'date', value: 'D', help: 'one date: 2026-03-10 or 20260310' },
  { name: 'from', value: 'D', help: 'from a date on' },
  { name: 'to', value: 'D', help: 'up to a date, which counts (yesterday)' },
  { name: 'time-zone', value: 'ZONE', help: 'where today is: America/New_York (this machine’s)' },
];

const WHICH: Flag[] = [
  {
    name: 'restaurant',
    value: 'NAME',
    many: true,
    help: 'only this one: a name, its beginning, or a GUID; may be repeated',
  },
  { name: 'exclude', value: 'NAME', many: true, help: 'all but this one; may be repeated' },
  { name: 'inactive', help: 'only restaurants that are inactive now' },
];

/** What `--by` takes. */
export const SPLITS = ['dining-option', 'revenue-center', 'order-source', 'hour'] as const;

/** The commands of people at a terminal, in the order in which they are met. */
export const COMMANDS: readonly Command[] = [
  {
    name: 'login',
    summary: 'try credentials and keep them; asks for what is missing',
    usage: '[--url BASE] [--client-id ID] [--auth oauth|login] [--profile NAME]',
    flags: CONNECTION,
    examples: [
      ['Asks for the base URL, the client id and the secret', 'login'],
      [
        'From a script, the secret on standard input',
        'login --url http://127.0.0.1:8080/v1 --client-id ID < secret.txt',
      ],
      ['A second place', 'login --profile live --auth login --url https://ws-api.example.com/era/v1'],
    ],
  },
  {
    name: 'report',
    summary: 'ask for a report and show it',
    usage: 'metrics|checks DATES [flags]',
    words: ['metrics', 'checks'],
    flags: [
      ...DATES,
      {
        name: 'by',
        value: 'GROUPS',
        values: SPLITS,
        help: 'split by dining-option, revenue-center, order-source (two at most), hour (one date)',
      },
      ...WHICH,
      ...WHAT_COMES,
      ...CONNECTION,
    ],
    examples: [
      ['How was yesterday?', 'report metrics --yesterday'],
      ['And hour by hour, in one place', 'report metrics --yesterday --by hour --restaurant "Harbor Light"'],
      [
        'Last month by dining option, for a spreadsheet',
        'report metrics --last-month --by dining-option --output month.csv',
      ],
      ['Every check of a week', 'report checks --last-week --format parquet --output checks.parquet'],
    ],
  },
  {
    name: 'get',
    summary: 'retrieve a report that was asked for before',
    usage: 'GUID [--kind metrics|checks] [flags]',
    flags: [
      {
        name: 'kind',
        value: 'KIND',
        values: ['metrics', 'checks'],
        help: 'what it is a report of, where that is known',
      },
      ...WHAT_COMES,
      ...CONNECTION,
    ],
    examples: [
      ['Show it', 'get 9c6b1f0e-3d52-4a7b-8f10-2b6e4d9a7c31'],
      ['Keep it', 'get 9c6b1f0e-3d52-4a7b-8f10-2b6e4d9a7c31 --output week.parquet'],
    ],
  },
  {
    name: 'restaurants',
    summary: 'the restaurants that these credentials see',
    usage: '[--format table|json|ndjson|csv]',
    flags: [
      {
        name: 'format',
        value: 'FORM',
        values: ['table', 'json', 'ndjson', 'csv'],
        help: 'table (on a terminal), json (elsewhere), ndjson or csv',
      },
      ...CONNECTION,
    ],
    examples: [['Those of another profile', 'restaurants --profile live']],
  },
  {
    name: 'profiles',
    summary: 'the stored credentials, without their secrets',
    usage: '',
    flags: [],
    examples: [],
  },
  {
    name: 'logout',
    summary: 'forget stored credentials',
    usage: '[--profile NAME]',
    flags: [{ name: 'profile', value: 'NAME', help: 'which (default)' }],
    examples: [],
  },
  {
    name: 'completion',
    summary: 'completion for a shell',
    usage: 'bash|zsh|fish',
    words: ['bash', 'zsh', 'fish'],
    flags: [],
    examples: [
      ['bash', 'completion bash > ~/.local/share/bash-completion/completions/daypart'],
      ['zsh, in a folder of $fpath', 'completion zsh > ~/.zfunc/_daypart'],
      ['fish', 'completion fish > ~/.config/fish/completions/daypart.fish'],
    ],
  },
];

export const findCommand = (name: string): Command | undefined => COMMANDS.find((command) => command.name === name);

/** Whether the words after a command ask for its help: `-h` may be what a restaurant is called, as the value of a flag. */
export function asksHelp(command: Command | undefined, args: readonly string[]): boolean {
  const valued = new Set(command?.flags.filter(({ value }) => value !== undefined).map(({ name }) => `--${name}`));
  return args.some((arg, at) => arg === '--help' || (arg === '-h' && !valued.has(args[at - 1] ?? '')));
}

const kebab = (name: string): string => name.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`);
/** The settings as flags. They are completed after the commands that run or tend a service. */
const SETTING_FLAGS: Flag[] = (Object.keys(SETTINGS) as SettingName[]).map((name) => ({
  name: kebab(name),
  help: SETTINGS[name].help,
  ...(typeof SETTINGS[name].default === 'boolean' ? {} : { value: 'VALUE' }),
  ...(name === 'data' ? { file: true as const } : {}),
}));
const bare = (...names: string[]): Flag[] => names.map((name) => ({ name, help: '' }));
const valued = (...names: string[]): Flag[] => names.map((name) => ({ name, value: 'VALUE', help: '' }));
const tending = (name: string, summary: string, words: string[], flags: Flag[] = []): Command => ({
  name,
  summary,
  usage: '',
  ...(words.length > 0 ? { words } : {}),
  flags: [...flags, ...SETTING_FLAGS],
  examples: [],
});

/** The commands that run or tend a service, for completion; each reads its own flags, and HELP tells of them. */
export const TENDING: readonly Command[] = [
  tending('serve', 'run the service', []),
  tending('demo', 'run it with sample restaurants', []),
  tending(
    'clients',
    'make, list and revoke credentials',
    ['create', 'list', 'revoke', 'webhook'],
    [
      ...valued('group', 'scopes', 'name', 'url'),
      { name: 'dialect', value: 'DIALECT', values: ['reference', 'live'], help: '' },
      ...bare('json', 'off', 'rotate-secret'),
    ],
  ),
  tending('keys', 'rotate the keys that sign tokens', ['rotate', 'list']),
  tending('facts', 'verify or rebuild what is kept besides the facts', ['verify', 'rebuild'], bare('json')),
  tending('backup', 'copy the data folder', [], bare('json')),
  tending('restore', 'make the data folder of a backup', [], bare('json')),
  tending(
    'import',
    'load export folders',
    [],
    [
      ...valued('restaurant', 'url', 'client-id', 'client-secret'),
      { name: 'columns', value: 'FILE', file: true, help: '' },
      ...bare('json'),
    ],
  ),
];
