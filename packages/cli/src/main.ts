/** Runs one command of a program. Exit code 0: done, 1: failed, 2: misused; for more see exit.ts. */

import { shownLines } from '@daypart/client/text';
import { closest } from 'fastest-levenshtein';
import { readCommand } from './arguments.ts';
import { type Effects, PROCESS } from './effects.ts';
import { EXIT, UsageError, watchStreams } from './exit.ts';
import { asksHelp, commandsOf, findCommand, firstWordsOf, groupOf, type Program } from './program.ts';

/** The output of a command may contain names from the data, so characters that control a terminal are replaced. */
export const printLine = (text: string, { stdout }: Pick<Effects, 'stdout'> = PROCESS): void =>
  void stdout.write(`${shownLines(text)}\n`);

/** The help for the words: of a command, a group of commands, or everything. */
async function help(program: Program, words: readonly string[], effects: Effects): Promise<void> {
  const { commandHelp, overviewOf } = await import('./help.ts');
  const all = commandsOf(program);
  const [first = ''] = words;
  const found = findCommand(all, words)?.command;
  const commands = found ? [found] : groupOf(all, first);
  // `restaurants --help` also shows `restaurants add`.
  if (found?.name === first) commands.push(...groupOf(all, first));
  printLine(commands.length > 0 ? commands.map(commandHelp).join('\n\n') : overviewOf(program), effects);
}

async function run(program: Program, args: string[], effects: Effects): Promise<void> {
  const [name, ...rest] = args;
  const commands = commandsOf(program);
  const found = findCommand(commands, args);
  const section = program.sections.find((one) => found && one.commands.includes(found.command));
  watchStreams(effects, section?.runsUnread ? () => undefined : undefined);
  if (name === '--version' || name === '-v') return printLine(program.version, effects);
  if (name === undefined || name === '--help' || name === '-h') return await help(program, [], effects);
  if (name === 'help') return await help(program, rest, effects);
  if (asksHelp(found?.command, rest)) return await help(program, args, effects);
  if (found) {
    effects.end((await section?.run(found.command, found.rest, program, effects)) ?? EXIT.done);
    return;
  }
  // The message about a group without its second word.
  if (groupOf(commands, name).length > 0) readCommand(commands, args);
  throw new UsageError(`unknown command ${name}; did you mean ${closest(name, firstWordsOf(commands))}?`);
}

/**
 * Runs the command that the words name, by default with the streams and the environment of this process, and sets its
 * exit code. A failure ends it immediately, whatever is still open.
 */
export async function main(program: Program, args: string[], effects: Effects = PROCESS): Promise<void> {
  try {
    await run(program, args, effects);
  } catch (error) {
    const { message, next } = error as Error & { next?: unknown };
    effects.stderr.write(shownLines(`daypart: ${message}\n${typeof next === 'string' ? `  ${next}\n` : ''}`));
    effects.exit(error instanceof UsageError ? EXIT.misused : EXIT.failed);
  }
}
