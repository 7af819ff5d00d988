/** The help of the terminal's commands, from their table. */
import { COMMANDS, type Command, type Flag } from './commands.ts';
import { MORE_EXITS } from './exits.ts';

const COLUMN = 26;
const WIDTH = 110;

/** Exit codes as the help tells them. */
export const EXITS = `Exit codes of these: 0 done, 1 failed, 2 misused, ${MORE_EXITS}.`;

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

const flagLine = ({ name, value, help }: Flag): string =>
  `  ${`--${name}${value ? ` ${value}` : ''}`.padEnd(COLUMN - 2)}${wrap(help, COLUMN)}`;

export function commandHelp({ name, usage, summary, flags, examples }: Command): string {
  return [
    `daypart ${name}: ${summary}`,
    '',
    `Usage: daypart ${[name, usage].filter(Boolean).join(' ')}`,
    ...(flags.length > 0 ? ['', ...flags.map(flagLine)] : []),
    ...(examples.length > 0
      ? ['', 'Examples', ...examples.flatMap(([what, words]) => [`  # ${what}`, `  daypart ${words}`])]
      : []),
    '',
    wrap(EXITS, 0),
  ].join('\n');
}

/** Lines for the list of all commands. */
export const commandLines = (): string[] =>
  COMMANDS.map(({ name, usage, summary }) => {
    const short = usage.split(' ')[0] ?? '';
    const words = /^[a-zA-Z|]+$/.test(short) ? ` ${short}` : '';
    return `  daypart ${`${name}${words}`.padEnd(26)}  ${summary}`;
  });
