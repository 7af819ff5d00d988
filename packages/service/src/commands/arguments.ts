/** The arguments of the commands that run and maintain a service, and their settings. */
import {
  type Effects,
  nearest,
  type ParsedArguments,
  readCommand as readFrom,
  UsageError,
  VARIABLES,
} from '@daypart/cli';
import { type Config, readConfig } from '../config/config.ts';
import { cleanName, LONGEST_ACCESS_NAME, SCOPES } from '../contract/words.ts';
import { SERVICE_COMMANDS } from './commands.ts';

/** The arguments after `name`. Throws UsageError on misuse. */
export function readCommand(name: string, args: readonly string[]): ParsedArguments & { command: string } {
  const found = readFrom(SERVICE_COMMANDS, [name, ...args]);
  return { command: found.command.name, ...found.args };
}

/**
 * The settings of a command. Variables of the commands for reports are left alone. Throws SettingError naming a bad or
 * unknown setting.
 */
export function readSettings(
  settings: ParsedArguments['settings'],
  { env }: Pick<Effects, 'env'>,
  defaults?: Partial<Config>,
): Config {
  const own = Object.entries(env).filter(([name]) => !VARIABLES.includes(name));
  return readConfig(settings, Object.fromEntries(own), defaults);
}

/** The name for people of a group or a client, as it is stored; undefined without the flag. Throws UsageError. */
export function readName({ value }: Pick<ParsedArguments, 'value'>): string | undefined {
  const written = value('name');
  if (written === undefined) return undefined;
  const name = cleanName(written);
  if (name !== '' && [...name].length <= LONGEST_ACCESS_NAME) return name;
  throw new UsageError(`--name is a text of 1 to ${LONGEST_ACCESS_NAME} characters`);
}

/** Parses the scopes of a flag. Throws UsageError if there are none or one is unknown. */
export function readScopes(text: string): string[] {
  const scopes = text.split(/[\s,]+/).filter((scope) => scope !== '');
  if (scopes.length === 0) throw new UsageError(`--scopes takes ${SCOPES.join(', ')}, separated by commas`);
  for (const scope of scopes) {
    if (!(SCOPES as readonly string[]).includes(scope)) {
      throw new UsageError(`--scopes: unknown scope ${scope}${nearest(scope, SCOPES)}`);
    }
  }
  return [...new Set(scopes)];
}
