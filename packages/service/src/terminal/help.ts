/** The help, from the table of commands. */
import { spellingsOf } from './arguments.ts';
import type { Command, Flag } from './command.ts';
import { COMMANDS } from './commands.ts';
import { MORE_EXITS } from './exits.ts';
import { SETTING_FLAGS } from './settings.ts';

const COLUMN = 26;
const WIDTH = 110;

/** Words under each other, none past the width. */
function wrap(text: string, indent: number): string {
  const lines = [''];
  for (const word of text.split(' ')) {
    const last = lines.at(-1) ?? '';
    if (last !== '' && indent + last.length + 1 + word.length > WIDTH) lines.push(word);
    else lines[lines.length - 1] = last === '' ? word : `${last} ${word}`;
  }
  return lines.join(`\n${' '.repeat(indent)}`);
}

const flagLine = ({ name, value, help }: Flag): string => {
  const shown = `  --${name}${value ? ` ${value}` : ''}`;
  const gap = shown.length < COLUMN - 1 ? ' '.repeat(COLUMN - shown.length) : `\n${' '.repeat(COLUMN)}`;
  return `${shown}${gap}${wrap(help, COLUMN)}`;
};

function settingsLines({ settings }: Command): string[] {
  const variables = 'or as environment variables (--token-seconds is DAYPART_TOKEN_SECONDS)';
  if (settings === 'listed')
    return ['', `Settings, as flags ${variables}, with defaults`, ...SETTING_FLAGS.map(flagLine)];
  if (!settings) return [];
  const data = SETTING_FLAGS.filter(({ setting }) => setting === 'data');
  return ['', ...data.map(flagLine), '', wrap(`Every setting of daypart serve is taken, as a flag ${variables}.`, 0)];
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const { name, args, summary, flags, notes = [], examples } = command;
  const usage = ['daypart', name, ...args, ...(flags.length > 0 || command.settings ? ['[flags]'] : [])];
  return [
    `daypart ${name}: ${summary}`,
    '',
    `Usage: ${usage.join(' ')}`,
    ...(flags.length > 0 ? ['', ...flags.map(flagLine)] : []),
    ...settingsLines(command),
    '',
    'Examples',
    ...examples.flatMap(([what, words]) => [`  # ${what}`, `  daypart ${words}`]),
    ...notes.flatMap((note) => ['', wrap(note, 0)]),
  ].join('\n');
}

const SECTIONS = {
  reports: 'Reports, from a service that runs anywhere',
  service: 'A service on this machine',
} as const;

const sectionLines = (section: Command['section']): string[] => [
  SECTIONS[section],
  ...COMMANDS.filter((command) => command.section === section).map(({ name, args, summary }) => {
    const shown = `  daypart ${[name, ...args].join(' ')}`;
    return `${shown.padEnd(36)}  ${summary}`;
  }),
  '',
];

/** What `daypart` alone and `daypart --help` show. */
export const OVERVIEW = [
  'daypart: a reporting service for restaurants',
  '',
  ...sectionLines('reports'),
  ...sectionLines('service'),
  'daypart COMMAND --help shows its flags, with examples; the settings of the service: daypart serve --help',
  'daypart --version',
  '',
  'Exit codes: 0 done, 1 failed (import: or not everything was read), 2 misused;',
  `of the commands for reports also ${MORE_EXITS}.`,
].join('\n');

/** The help of commands of one section, one after the other: for the docs. */
export const helpOf = (section: Command['section']): string =>
  COMMANDS.filter((command) => command.section === section)
    .map(commandHelp)
    .join('\n\n');

/** The flags of a command as people type them, for completion. */
export const typedFlags = (flags: readonly Flag[]): string[] => [...flags.flatMap(spellingsOf), '--help'];
