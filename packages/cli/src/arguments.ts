/** Parses the arguments of a command by its declaration. */
import { closest, distance } from 'fastest-levenshtein';
import type { Command, Flag } from './command.ts';
import { UsageError } from './exit.ts';
import { END_OF_FLAGS, findCommand, flagsOf, groupOf } from './program.ts';

export interface ParsedArguments {
  words: string[];
  /** The value of a flag, `''` for one without a value. */
  value(name: string): string | undefined;
  /** The values of a flag that may be repeated. */
  values(name: string): string[];
  has(name: string): boolean;
  /** The flags that set settings, by `Flag.setting`. */
  settings: Record<string, string>;
}

/**
 * Finds the command that the words name, and parses its arguments. Throws UsageError for arguments that the command
 * does not accept, and for a group without its second word.
 */
export function readCommand(
  commands: readonly Command[],
  words: readonly string[],
): { command: Command; args: ParsedArguments } {
  const found = findCommand(commands, words);
  if (found) return { command: found.command, args: readArguments(found.command, found.rest) };
  const [name = '', ...rest] = words;
  const group = groupOf(commands, name);
  const seconds = group.map((one) => one.name.slice(name.length + 1));
  const settings = group.find((one) => one.settings)?.settings;
  // Accepts any words, including flags before them.
  const args = rest.map(() => 'WORD');
  const flags = group.flatMap((one) => one.flags);
  const any = { name, summary: '', args, flags, examples: [], ...(settings ? { settings } : {}) };
  const [word] = readArguments(any, rest).words;
  throw new UsageError(
    word === undefined
      ? `${name} needs ${seconds.join(', ').replace(/, ([^,]*)$/, ' or $1')}`
      : `unknown ${name} ${word}${nearest(word, seconds)}`,
  );
}

/**
 * Words after `--` are no flags. Throws UsageError for a flag that the command does not accept, suggesting the nearest.
 */
export function readArguments(command: Command, args: readonly string[]): ParsedArguments {
  const flags = flagsOf(command);
  if (command.verbatim) return argumentsOf([...args], new Map(), flags);
  const flagValues = new Map<string, string[]>();
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (arg === END_OF_FLAGS) {
      words.push(...args.slice(at + 1));
      break;
    }
    if (!arg.startsWith('-') || arg === '-') {
      words.push(arg);
      continue;
    }
    const equals = arg.startsWith('--') ? arg.indexOf('=') : -1;
    const name = equals < 0 ? arg : arg.slice(0, equals);
    const { flag, number } = findFlag(flags, name);
    let value = equals < 0 ? undefined : arg.slice(equals + 1);
    if (flag.value === undefined) {
      if (value !== undefined && !flag.setting) throw new UsageError(`${name} has no value`);
      if (flag.setting && /^(on|off)$/.test(args[at + 1] ?? '')) value ??= args[++at];
      value ??= flag.setting ? 'on' : (number ?? '');
    } else if (value === undefined) {
      value = args[++at];
      if (value === undefined || value.startsWith('--'))
        throw new UsageError(`${name} needs a value: ${name} ${flag.value}`);
    }
    // For settings the later flag counts, because a script's flags precede those of its caller.
    if (flagValues.has(flag.name) && !flag.many && !flag.setting) throw new UsageError(`${name} is given twice`);
    flagValues.set(flag.name, flag.many ? [...(flagValues.get(flag.name) ?? []), value] : [value]);
  }
  for (const flag of flags) for (const value of flagValues.get(flag.name) ?? []) checkValue(flag, value, words[0]);
  const extra = words[command.args.length];
  if (extra !== undefined) throw new UsageError(`unexpected ${extra}`);
  return argumentsOf(words, flagValues, flags);
}

function argumentsOf(
  words: string[],
  flagValues: ReadonlyMap<string, string[]>,
  flags: readonly Flag[],
): ParsedArguments {
  const settings: ParsedArguments['settings'] = {};
  for (const { name, setting } of flags) {
    const value = flagValues.get(name)?.[0];
    if (setting && value !== undefined) settings[setting] = value;
  }
  return {
    words,
    value: (name) => flagValues.get(name)?.[0],
    values: (name) => flagValues.get(name) ?? [],
    has: (name) => flagValues.has(name),
    settings,
  };
}

/**
 * The flag in a word such as `--by`, and the number in `--last-30-days`. Throws UsageError, suggesting the nearest
 * flag.
 */
function findFlag(flags: readonly Flag[], word: string): { flag: Flag; number?: string } {
  for (const flag of flags) {
    if (flag.offered) {
      const number = new RegExp(`^--${flag.name.replace('N', '(\\d+)')}$`).exec(word)?.[1];
      if (number !== undefined) return { flag, number };
    } else if (word === `--${flag.name}`) return { flag };
  }
  throw new UsageError(`unknown flag ${word}${withValue(flags, word) ?? nearest(word, flags.flatMap(spellingsOf))}`);
}

/** The flag that takes the word as its value: `--xlsx` is `--format xlsx`. */
function withValue(flags: readonly Flag[], word: string): string | undefined {
  const value = word.replace(/^--/, '');
  const found = flags.find(({ values, setting }) => !setting && values?.includes(value));
  return found && `; did you mean --${found.name} ${value}?`;
}

/** The spellings of a flag for completion and messages. */
export const spellingsOf = ({ name, offered, deprecated }: Flag): string[] =>
  deprecated ? [] : offered ? offered.map((number) => `--${name.replace('N', String(number))}`) : [`--${name}`];

/**
 * `; did you mean X?` with what begins with the word, or is nearest to it; nothing if three quarters of the word would
 * have to change.
 */
export function nearest(word: string, known: readonly string[]): string {
  if (known.length === 0) return '';
  const begun = known.find((name) => name.startsWith(`${word}-`));
  const found = begun ?? closest(word, [...known]);
  const letters = word.replace(/^-+/, '').length;
  return begun || distance(word, found) * 4 < letters * 3 ? `; did you mean ${found}?` : '';
}

function checkValue({ name, value: shown, values, list, setting, instead }: Flag, value: string, word?: string): void {
  if (shown !== undefined && value === '' && !setting) throw new UsageError(`--${name} must not be empty`);
  if (!values) return;
  const parts = list ? value.split(',').map((part) => part.trim()) : [value.trim()];
  const wrong = parts.find((part) => !values.includes(part));
  if (wrong === undefined) return;
  if (!list) {
    const other = word === undefined ? undefined : instead?.(word, wrong);
    const hint = other === undefined ? nearest(wrong, values) : `; ${other}`;
    throw new UsageError(`--${name} takes ${values.join(', ')}, not ${wrong}${hint}`);
  }
  // Blanks, semicolons and empty parts are not words of their own.
  const words = value.split(/[^\w-]+/).filter(Boolean);
  const unknown = words.find((part) => !values.includes(part));
  const hint =
    unknown !== undefined ? nearest(unknown, values) : words.length > 0 ? `; did you mean ${words.join(',')}?` : '';
  throw new UsageError(
    `--${name} takes ${values.join(', ')}, several separated by commas, not ${unknown === undefined ? `"${value}"` : unknown}${hint}`,
  );
}
