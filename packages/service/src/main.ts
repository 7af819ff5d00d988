/** The `daypart` command. */
import { asksHelp, type Effects, findCommand, PROCESS, type Program, REPORTS, main as runProgram } from '@daypart/cli';
import { VERSION } from './version.ts';

/**
 * Whether the arguments are for a command for reports, or for the version, which do not load the service. Its settings
 * import the report families and 370 modules of schemas: 150 of 200 ms of processor time of every such command. Help
 * and completion show all commands.
 */
function isForReports(args: string[]): boolean {
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') return true;
  const command = findCommand(REPORTS.commands, args)?.command;
  return command !== undefined && command.name !== 'completion' && !asksHelp(command, rest);
}

/** Runs the command that the arguments name, by default as that of this process, and sets its exit code. */
export async function main(args: string[], effects: Effects = PROCESS): Promise<void> {
  const program: Program = isForReports(args)
    ? { version: VERSION, sections: [REPORTS], notes: [] }
    : (await import('./program.ts')).PROGRAM;
  await runProgram(program, args, effects);
}
