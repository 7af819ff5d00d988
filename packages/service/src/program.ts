/** The `daypart` command: the commands for reports, and those that run and maintain a service on this machine. */
import { type Command, type Effects, MORE_EXITS, type Program, printLine, REPORTS, UsageError } from '@daypart/cli';
import { SERVICE_COMMANDS } from './commands/commands.ts';
import { VERSION } from './version.ts';

type Run = (args: string[], out: (line: string) => void, effects: Effects) => Promise<void>;

/**
 * By first word. Each module is imported when it runs: a report at a terminal needs no DuckDB, and a service no tables.
 */
const RUNS: Record<string, () => Promise<Run>> = {
  serve: async () => (await import('./commands/serve.ts')).serveCommand,
  demo: async () => (await import('./commands/demo.ts')).demoCommand,
  groups: async () => (await import('./commands/groups.ts')).groupsCommand,
  'export-group': async () => (await import('./commands/export-group.ts')).exportGroupCommand,
  clients: async () => (await import('./commands/clients.ts')).clientsCommand,
  migrate: async () => (await import('./commands/move.ts')).migrateCommand,
  move: async () => (await import('./commands/move.ts')).moveCommand,
  'console-link': async () => (await import('./commands/console-link.ts')).consoleLinkCommand,
  keys: async () => (await import('./commands/keys.ts')).keysCommand,
  facts: async () => (await import('./commands/facts.ts')).factsCommand,
  backup: async () => (await import('./commands/backup.ts')).backupCommand,
  restore: async () => (await import('./commands/backup.ts')).restoreCommand,
  import: async () => (await import('./commands/import.ts')).importCommand,
  connect: async () => (await import('./commands/connect-test.ts')).connectTestCommand,
};

const DISK_FULL = 'the disk is full: make space on it, then run the command again';

async function runService({ name }: Command, rest: string[], _program: Program, effects: Effects): Promise<number> {
  const [first = '', ...second] = name.split(' ');
  const run = await RUNS[first]?.();
  try {
    await run?.([...second, ...rest], (line) => printLine(line, effects), effects);
  } catch (error) {
    const { SettingError } = await import('./config/config.ts');
    if (error instanceof SettingError) throw new UsageError(error.message);
    const { isDiskFull } = await import('./storage/disk-fault.ts');
    // What the engines say of it ("database or disk is full") sounds like a fault of the data.
    throw isDiskFull(error) ? new Error(DISK_FULL, { cause: error }) : error;
  }
  return 0;
}

export const PROGRAM: Program = {
  version: VERSION,
  sections: [
    REPORTS,
    // A backup or an import is not cut short because `head` has read enough of what it prints.
    { title: 'A service on this machine', commands: SERVICE_COMMANDS, runsUnread: true, run: runService },
  ],
  notes: [
    'daypart COMMAND --help shows its flags, with examples; the settings of the service: daypart serve --help',
    'daypart --version',
    '',
    'Exit codes: 0 done, 1 failed (import: or not everything was read), 2 misused;',
    `of the commands for reports also ${MORE_EXITS}.`,
  ],
};
