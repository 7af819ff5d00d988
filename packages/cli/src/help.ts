/** The help, generated from the table of commands. */
import type { Command, Flag } from './command.ts';
import { listed, type Program, type Section } from './program.ts';

const COLUMN = 26;
const WIDTH = 110;

/** Breaks words into lines that fit the width. */
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
  if (!settings) return [];
  const { heading, shown, note } = settings;
  return ['', ...(heading ? [heading] : []), ...shown.map(flagLine), ...(note ? ['', wrap(note, 0)] : [])];
}

/** The help of one command. */
export function commandHelp(command: Command): string {
  const { name, args, summary, notes = [], examples } = command;
  const flags = command.flags.filter(({ deprecated }) => !deprecated);
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

const sectionLines = ({ title, commands }: Section): string[] => [
  title,
  ...listed(commands).map(({ name, args, summary }) => {
    const shown = `  daypart ${[name, ...args].join(' ')}`;
    return `${shown.padEnd(36)}  ${summary}`;
  }),
  '',
];

/** The text of `daypart` and `daypart --help`. */
export const overviewOf = ({ sections, notes }: Program): string =>
  ['daypart: a reporting service for restaurants', '', ...sections.flatMap(sectionLines), ...notes].join('\n');

/** The help of several commands, one after the other, for the docs. */
export const helpOf = (commands: readonly Command[]): string => listed(commands).map(commandHelp).join('\n\n');
