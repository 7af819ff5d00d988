/** The `daypart` command. Exit code 0: done, 1: failed, 2: misused. */
import { closest } from 'fastest-levenshtein';
import { backupCommand, restoreCommand } from './commands/backup.ts';
import { clientsCommand } from './commands/clients.ts';
import { demoCommand } from './commands/demo.ts';
import { factsCommand } from './commands/facts.ts';
import { HELP } from './commands/help.ts';
import { importCommand } from './commands/import.ts';
import { keysCommand } from './commands/keys.ts';
import { serveCommand } from './commands/serve.ts';
import { UsageError } from './config.ts';
import { VERSION } from './version.ts';

const COMMANDS: Record<string, (args: string[], out: (line: string) => void) => Promise<void>> = {
  serve: serveCommand,
  demo: demoCommand,
  clients: clientsCommand,
  keys: keysCommand,
  facts: factsCommand,
  backup: backupCommand,
  restore: restoreCommand,
  import: importCommand,
};

const out = (line: string): void => void process.stdout.write(`${line}\n`);

async function run(args: string[]): Promise<void> {
  const [name, ...rest] = args;
  if (name === '--version' || name === '-v') return out(VERSION);
  if (name === 'help' || rest.includes('--help') || name === '--help' || name === '-h') return out(HELP);
  if (name === undefined) throw new UsageError('which command? see daypart --help');
  const command = COMMANDS[name];
  if (!command) throw new UsageError(`unknown command ${name}; did you mean ${closest(name, Object.keys(COMMANDS))}?`);
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
