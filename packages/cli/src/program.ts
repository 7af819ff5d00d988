/** A program: the list of commands that is parsed, shown by `--help`, completed and documented. */
import type { Command, Flag } from './command.ts';
import type { Effects } from './effects.ts';

/** Commands of one kind. */
export interface Section {
  /** The line above them in the list of commands. */
  title: string;
  /** Ordered from the most to the least common. */
  commands: readonly Command[];
  /** Whether a command is carried out to its end, with its own exit code, when nobody reads its output any more. */
  runsUnread?: boolean;
  /** Runs one of them with the words after its name; returns its exit code. */
  run(command: Command, rest: string[], program: Program, effects: Effects): Promise<number>;
}

export interface Program {
  version: string;
  sections: readonly Section[];
  /** The last lines of the list of commands. */
  notes: readonly string[];
}

/** Every command of the program, including those that no list shows. */
export const commandsOf = ({ sections }: Program): Command[] => sections.flatMap(({ commands }) => commands);

/** The commands that lists show. */
export const listed = (commands: readonly Command[]): Command[] => commands.filter(({ verbatim }) => !verbatim);

/** First words without duplicates: `clients` is the first word of several commands. */
export const firstWordsOf = (commands: readonly Command[]): string[] => [
  ...new Set(listed(commands).map(({ name }) => name.split(' ')[0] ?? name)),
];

/** The other commands with a first word: `clients create` and its siblings. */
export const groupOf = (commands: readonly Command[], first: string): Command[] =>
  listed(commands).filter(({ name }) => name.startsWith(`${first} `));

/** The flags of a command, including those that set settings. */
export const flagsOf = ({ flags, settings }: Command): readonly Flag[] =>
  settings ? [...flags, ...settings.flags] : flags;

/** After this word no word is a flag, so that a name may begin with `-`. */
export const END_OF_FLAGS = '--';
/** The words before the end of flags. */
export const beforeEnd = (words: readonly string[]): readonly string[] =>
  words.includes(END_OF_FLAGS) ? words.slice(0, words.indexOf(END_OF_FLAGS)) : words;

/**
 * The command that the words of a command line name, and the words after its name; undefined if they name none. The
 * second word of `clients create` may follow flags.
 */
export function findCommand(
  commands: readonly Command[],
  words: readonly string[],
): { command: Command; rest: string[] } | undefined {
  const [first = '', ...rest] = words;
  const seconds = commands.filter(({ name }) => name.startsWith(`${first} `));
  const single = listed(commands).find(({ name }) => name === first);
  // If the first word is a command itself, the second must follow it directly: `restaurants add`.
  const at = (single ? rest.slice(0, 1) : beforeEnd(rest)).findIndex((word) =>
    seconds.some(({ name }) => name === `${first} ${word}`),
  );
  const command = at < 0 ? single : seconds.find(({ name }) => name === `${first} ${rest[at]}`);
  return command && { command, rest: at < 0 ? rest : rest.filter((_, index) => index !== at) };
}

/**
 * Whether the words after a command ask for its help. `-h` may also be the value of a flag, such as a restaurant's
 * name.
 */
export function asksHelp(command: Command | undefined, args: readonly string[]): boolean {
  if (command?.verbatim) return false;
  const flags = command ? flagsOf(command) : [];
  const valued = new Set(flags.filter(({ value }) => value !== undefined).map(({ name }) => `--${name}`));
  return beforeEnd(args).some((arg, at) => arg === '--help' || (arg === '-h' && !valued.has(args[at - 1] ?? '')));
}
