/** The `daypart` command. Exit code 0: done, 1: failed, 2: misused; `report` and its siblings tell more apart: terminal/endings.ts. */
import { closest } from 'fastest-levenshtein';
import { UsageError } from './config.ts';
import { asksHelp, TENDING, COMMANDS as TERMINAL } from './terminal/commands.ts';
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

const out = (line: string): void => void process.stdout.write(`${line}\n`);

async function help(of: string | undefined): Promise<void> {
  (await import('./terminal/streams.ts')).watchStreams();
  const command = TERMINAL.find(({ name }) => name === of);
  if (command) out((await import('./terminal/help.ts')).commandHelp(command));
  else out((await import('./commands/help.ts')).HELP);
}

async function run(args: string[]): Promise<void> {
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') return out(VERSION);
  if (name === 'help') return await help(rest[0]);
  const known = [...TERMINAL, ...TENDING].find((one) => one.name === name);
  if (name === '--help' || name === '-h' || asksHelp(known, rest)) return await help(name);
  if (name === undefined) throw new UsageError('which command? see daypart --help');
  const terminal = TERMINAL.find((one) => one.name === name);
  if (terminal) {
    process.exitCode = await (await import('./terminal/terminal.ts')).runTerminal(terminal, rest);
    return;
  }
  const command = Object.hasOwn(COMMANDS, name) ? await COMMANDS[name]?.() : undefined;
  if (!command) {
    const near = closest(name, [...Object.keys(COMMANDS), ...TERMINAL.map((one) => one.name)]);
    throw new UsageError(`unknown command ${name}; did you mean ${near}?`);
  }
  await command(rest, out);
}

/** Runs one command. A failure ends the process at once, whatever is still open. */
export async function main(args: string[]): Promise<void> {
  try {
    await run(args);
  } catch (error) {
    process.stderr.write(`daypart: ${(error as Error).message}\n`);
    process.exit(error instanceof UsageError ? 2 : 1);
  }
}
