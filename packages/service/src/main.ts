/** The `daypart` command. Exit code 0: done, 1: failed, 2: misused; `report` and its siblings tell more apart: terminal/endings.ts. */
import { closest } from 'fastest-levenshtein';
import { UsageError } from './config.ts';
import { asksHelp, FIRST_WORDS, findCommand, groupOf } from './terminal/commands.ts';
import { shownLines } from './terminal/plain.ts';
import { VERSION } from './version.ts';

type Run = (args: string[], out: (line: string) => void) => Promise<void>;

/** Each is imported when it runs: a report at a terminal needs no DuckDB, and a service no tables. */
const COMMANDS: Record<string, () => Promise<Run>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
  clients: async () => (await import('./commands/clients.ts')).clientsCommand,
  keys: async () => (await import('./commands/keys.ts')).keysCommand,
  facts: async () => (await import('./commands/facts.ts')).factsCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/backup.ts')).restoreCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
};

/** What a command says may hold names: a terminal shows them and obeys nothing in them. */
const out = (text: string): void => void process.stdout.write(`${shownLines(text)}\n`);

/** The help of what the words name: a command, a group of them, or everything. */
async function help(words: readonly string[]): Promise<void> {
  (await import('./terminal/streams.ts')).watchStreams();
  const { commandHelp, OVERVIEW } = await import('./terminal/help.ts');
  const [first = ''] = words;
  const found = findCommand(words)?.command;
  const commands = found ? [found] : groupOf(first);
  // `restaurants --help` tells of `restaurants add` as well.
  if (found?.name === first) commands.push(...groupOf(first));
  out(commands.length > 0 ? commands.map(commandHelp).join('\n\n') : OVERVIEW);
}

async function run(args: string[]): Promise<void> {
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') return out(VERSION);
  if (name === undefined || name === '--help' || name === '-h') return await help([]);
  if (name === 'help') return await help(rest);
  const found = findCommand(args);
  if (asksHelp(found?.command, rest)) return await help(args);
  if (found?.command.section === 'reports') {
    process.exitCode = await (await import('./terminal/terminal.ts')).runTerminal(found.command, found.rest);
    return;
  }
  const command = Object.hasOwn(COMMANDS, name) ? await COMMANDS[name]?.() : undefined;
  if (!command) {
    throw new UsageError(`unknown command ${name}; did you mean ${closest(name, [...FIRST_WORDS])}?`);
  }
  await command(rest, out);
}

/** Runs one command. A failure ends the process at once, whatever is still open. */
export async function main(args: string[]): Promise<void> {
  try {
    await run(args);
  } catch (error) {
    const { message, next } = error as Error & { next?: unknown };
    process.stderr.write(shownLines(`daypart: ${message}\n${typeof next === 'string' ? `  ${next}\n` : ''}`));
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}
