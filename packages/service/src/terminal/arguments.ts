/** Reads the words after a command by its declaration. */
import { closest } from 'fastest-levenshtein';
import { type SettingName, UsageError } from '../config.ts';
import type { Command, Flag } from './command.ts';
import { flagsOf } from './commands.ts';

export interface Given {
  words: string[];
  /** The value of a flag that is given once, `''` of one without a value. */
  value(name: string): string | undefined;
  /** The values of a flag that may be repeated. */
  values(name: string): string[];
  has(name: string): boolean;
  /** The settings of the service among the flags. */
  settings: Partial<Record<SettingName, string>>;
}

/** Throws UsageError for what the command does not take, with the nearest that it does. */
export function readGiven(command: Command, args: readonly string[]): Given {
  const flags = flagsOf(command);
  if (command.verbatim) return givenOf([...args], new Map(), flags);
  const given = new Map<string, string[]>();
  const words: string[] = [];
  for (let at = 0; at < args.length; at++) {
    const arg = args[at] as string;
    if (!arg.startsWith('-') || arg === '-') {
      words.push(arg);
      continue;
    }
    const equals = arg.startsWith('--') ? arg.indexOf('=') : -1;
    const name = equals < 0 ? arg : arg.slice(0, equals);
    const { flag, number } = findFlag(flags, name);
    let value = equals < 0 ? undefined : arg.slice(equals + 1);
    if (flag.value === undefined) {
      if (value !== undefined && !flag.setting) throw new UsageError(`${name} takes no value`);
      value ??= flag.setting ? 'on' : (number ?? '');
    } else if (value === undefined) {
      value = args[++at];
      if (value === undefined || value.startsWith('--'))
        throw new UsageError(`${name} needs a value: ${name} ${flag.value}`);
    }
    // Of a setting the later counts: a script has its own before those of whoever runs it.
    if (given.has(flag.name) && !flag.many && !flag.setting) throw new UsageError(`${name} is given twice`);
    checkValue(flag, value);
    given.set(flag.name, flag.many ? [...(given.get(flag.name) ?? []), value] : [value]);
  }
  const extra = words[command.args.length];
  if (extra !== undefined) throw new UsageError(`unexpected ${extra}`);
  return givenOf(words, given, flags);
}

function givenOf(words: string[], given: ReadonlyMap<string, string[]>, flags: readonly Flag[]): Given {
  const settings: Given['settings'] = {};
  for (const { name, setting } of flags) {
    const value = given.get(name)?.[0];
    if (setting && value !== undefined) settings[setting] = value;
  }
  return {
    words,
    value: (name) => given.get(name)?.[0],
    values: (name) => given.get(name) ?? [],
    has: (name) => given.has(name),
    settings,
  };
}

/** The flag of a word such as `--by`, and the number in `--last-30-days`. Throws UsageError with the nearest where there is none. */
function findFlag(flags: readonly Flag[], word: string): { flag: Flag; number?: string } {
  for (const flag of flags) {
    if (flag.offered) {
      const number = new RegExp(`^--${flag.name.replace('N', '(\\d+)')}$`).exec(word)?.[1];
      if (number !== undefined) return { flag, number };
    } else if (word === `--${flag.name}`) return { flag };
  }
  throw new UsageError(`unknown flag ${word}${nearest(word, flags.flatMap(spellingsOf))}`);
}

/** The ways to write a flag that completion and messages offer. */
export const spellingsOf = ({ name, offered }: Flag): string[] =>
  offered ? offered.map((number) => `--${name.replace('N', String(number))}`) : [`--${name}`];

/** `; did you mean X?`, or nothing where there is nothing to mean. */
export const nearest = (word: string, known: readonly string[]): string =>
  known.length === 0 ? '' : `; did you mean ${closest(word, [...known])}?`;

function checkValue({ name, value: shown, values, list, setting }: Flag, value: string): void {
  if (shown !== undefined && value === '' && !setting) throw new UsageError(`--${name} must not be empty`);
  if (!values) return;
  for (const part of list ? value.split(',') : [value]) {
    const word = part.trim();
    if (!values.includes(word))
      throw new UsageError(`--${name} takes ${values.join(', ')}, not ${word}${nearest(word, values)}`);
  }
}
