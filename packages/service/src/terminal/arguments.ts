/** Reads the words after a command by the table of commands. */
import { closest } from 'fastest-levenshtein';
import { UsageError } from '../config.ts';
import type { Command, Flag } from './commands.ts';

export interface Given {
  words: string[];
  /** The value of a flag that is given once, `''` of one without a value. */
  value(name: string): string | undefined;
  /** The values of a flag that may be repeated. */
  values(name: string): string[];
  has(name: string): boolean;
}

/** Throws UsageError for what the command does not take, with the nearest that it does. */
export function readGiven(command: Command, args: readonly string[]): Given {
  const flags = new Map(command.flags.map((flag) => [`--${flag.name}`, flag]));
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
    const flag = flags.get(name);
    if (!flag) throw new UsageError(`unknown flag ${name}${nearest(name, [...flags.keys()])}`);
    let value = equals < 0 ? undefined : arg.slice(equals + 1);
    if (flag.value === undefined) {
      if (value !== undefined) throw new UsageError(`${name} takes no value`);
      value = '';
    } else if (value === undefined) {
      value = args[++at];
      if (value === undefined || value.startsWith('--'))
        throw new UsageError(`${name} needs a value: ${name} ${flag.value}`);
    }
    if (given.has(flag.name) && !flag.many) throw new UsageError(`${name} is given twice`);
    checkValue(flag, value);
    given.set(flag.name, [...(given.get(flag.name) ?? []), value]);
  }
  return {
    words,
    value: (name) => given.get(name)?.[0],
    values: (name) => given.get(name) ?? [],
    has: (name) => given.has(name),
  };
}

/** `; did you mean X?`, or nothing where there is nothing to mean. */
export const nearest = (word: string, known: readonly string[]): string =>
  known.length === 0 ? '' : `; did you mean ${closest(word, [...known])}?`;

function checkValue({ name, value: shown, values }: Flag, value: string): void {
  if (shown !== undefined && value === '') throw new UsageError(`--${name} must not be empty`);
  if (!values) return;
  // `--by a,b` takes several of its values at once.
  for (const part of name === 'by' ? value.split(',') : [value]) {
    const word = part.trim();
    if (!values.includes(word))
      throw new UsageError(`--${name} takes ${values.join(', ')}, not ${word}${nearest(word, values)}`);
  }
}
