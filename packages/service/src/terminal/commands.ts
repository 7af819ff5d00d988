/** The one table of commands: what is parsed, shown by `--help`, completed and documented. */
import type { Command, Flag } from './command.ts';
import { REPORTING } from './reporting.ts';
import { SETTING_FLAGS } from './settings.ts';
import { TENDING } from './tending.ts';

const ALL: readonly Command[] = [...REPORTING, ...TENDING];
/** In the order in which people meet them. */
export const COMMANDS: readonly Command[] = ALL.filter(({ verbatim }) => !verbatim);

/** First words, each once: `clients` stands for its four commands. */
export const FIRST_WORDS: readonly string[] = [...new Set(COMMANDS.map(({ name }) => name.split(' ')[0] ?? name))];

/** The commands that a first word has besides itself: `clients create` and its siblings. */
export const groupOf = (first: string): Command[] => COMMANDS.filter(({ name }) => name.startsWith(`${first} `));

/** The flags of a command, those that set settings among them. */
export const flagsOf = ({ flags, settings }: Command): readonly Flag[] =>
  settings ? [...flags, ...SETTING_FLAGS] : flags;

/**
 * The command that the words of a command line name, and the words after its name; undefined where they name none. The second
 * word of `clients create` may stand behind flags.
 */
export function findCommand(words: readonly string[]): { command: Command; rest: string[] } | undefined {
  const [first = '', ...rest] = words;
  const seconds = ALL.filter(({ name }) => name.startsWith(`${first} `));
  const single = COMMANDS.find(({ name }) => name === first);
  // Where the first word is a command itself, the second is one only directly after it: `restaurants add`.
  const at = (single ? rest.slice(0, 1) : rest).findIndex((word) =>
    seconds.some(({ name }) => name === `${first} ${word}`),
  );
  const command = at < 0 ? single : seconds.find(({ name }) => name === `${first} ${rest[at]}`);
  return command && { command, rest: at < 0 ? rest : rest.toSpliced(at, 1) };
}

/** Whether the words after a command ask for its help: `-h` may be what a restaurant is called, as the value of a flag. */
export function asksHelp(command: Command | undefined, args: readonly string[]): boolean {
  if (command?.verbatim) return false;
  const flags = command ? flagsOf(command) : [];
  const valued = new Set(flags.filter(({ value }) => value !== undefined).map(({ name }) => `--${name}`));
  return args.some((arg, at) => arg === '--help' || (arg === '-h' && !valued.has(args[at - 1] ?? '')));
}
