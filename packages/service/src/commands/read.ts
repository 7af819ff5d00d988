/** Parses the arguments of the commands that run and maintain a service, by their declarations. */
import { type ParsedArguments, readCommand as readFrom } from '@daypart/cli';
import { SERVICE_COMMANDS } from './commands.ts';

/** The arguments after `name`. Throws UsageError on misuse. */
export function readCommand(name: string, args: readonly string[]): ParsedArguments & { command: string } {
  const { command, given } = readFrom(SERVICE_COMMANDS, [name, ...args]);
  return { command: command.name, ...given };
}
