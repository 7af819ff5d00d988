/** Reads the arguments of the commands that run and maintain a service, by their declarations, and their settings. */
import { type Effects, type ParsedArguments, readCommand as readFrom, VARIABLES } from '@daypart/cli';
import { type Config, readConfig } from '../config/config.ts';
import { SERVICE_COMMANDS } from './commands.ts';

/** The arguments after `name`. Throws UsageError on misuse. */
export function readCommand(name: string, args: readonly string[]): ParsedArguments & { command: string } {
  const { command, given } = readFrom(SERVICE_COMMANDS, [name, ...args]);
  return { command: command.name, ...given };
}

/** The settings of a command, without the variables of the commands for reports. Throws SettingError naming a bad or unknown setting. */
export function readSettings(
  settings: ParsedArguments['settings'],
  { env }: Pick<Effects, 'env'>,
  defaults?: Partial<Config>,
): Config {
  const own = Object.entries(env).filter(([name]) => !VARIABLES.includes(name));
  return readConfig(settings, Object.fromEntries(own), defaults);
}
