/** The `daypart` command. */
import { main as runProgram } from '@daypart/cli';
import { PROGRAM } from './program.ts';

/** Runs the command that the words name, and sets the exit code of the process. */
export const main = (args: string[]): Promise<void> => runProgram(PROGRAM, args);
