/**
 * For programs that extend the `daypart` command: its commands, and how commands are declared, found, parsed and run.
 */
import { reportCommands } from './commands.ts';
import type { Section } from './program.ts';
import { TABLES } from './tables/index.ts';
import type { TableEntry } from './tables/table.ts';

export { nearest, type ParsedArguments, readArguments, readCommand, spellingsOf } from './arguments.ts';
export { padEnd, widthOf } from './cells.ts';
export type { Command, CommandSettings, Flag } from './command.ts';
export { type Effects, type Environment, PROCESS } from './effects.ts';
export { MORE_EXITS, UsageError } from './exit.ts';
export { CONNECTION } from './flags.ts';
export { main, printLine } from './main.ts';
export { asksHelp, commandsOf, findCommand, flagsOf, listed, type Program, type Section } from './program.ts';
export { TABLES } from './tables/index.ts';
export type { Row } from './tables/row.ts';
export type { Reports, Table, TableEntry } from './tables/table.ts';

/** The commands that call a service on any machine, for reports of the families of these tables. */
export const reportsOf = (tables: readonly TableEntry[]): Section => ({
  title: 'Reports, from a service that runs anywhere',
  commands: reportCommands(tables.map(({ word }) => word)),
  run: async (command, rest, program, effects) =>
    await (await import('./run-command.ts')).runTerminal(command, rest, { program, tables }, effects),
});

/** The same for the families of this package. */
export const REPORTS: Section = reportsOf(TABLES);

/** The environment variables of these commands. */
export const VARIABLES: readonly string[] = [
  'DAYPART_CLIENT_ID',
  'DAYPART_CLIENT_SECRET',
  'DAYPART_CLIENT_SECRET_FILE',
  'DAYPART_CONNECT_SECRET',
  'DAYPART_CONNECT_SECRET_FILE',
  'DAYPART_URL',
  'DAYPART_TOKEN',
  'DAYPART_TOKEN_FILE',
  'DAYPART_AUTH',
  'DAYPART_PROFILE',
];
