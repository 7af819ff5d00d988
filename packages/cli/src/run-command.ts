/** Runs one command of the terminal: reads its words, ends with its exit code. */
import { type ParsedArguments, readArguments } from './arguments.ts';
import type { Command } from './command.ts';
import { EXIT, endingOf, Interrupted } from './command-error.ts';
import { type Effects, PROCESS } from './effects.ts';
import type { Program } from './program.ts';
import type { TableEntry } from './tables/table.ts';
import { openTerminal, type Terminal } from './terminal.ts';

type Run = (args: ParsedArguments, terminal: Terminal, program: Program) => Promise<void>;

/** Each brings what it needs, so that completion does not wait for the client. */
const RUNS: Record<string, () => Promise<Run>> = {
  login: async () => (await import('./login.ts')).login,
  logout: async () => (await import('./login.ts')).logout,
  profiles: async () => (await import('./login.ts')).profiles,
  report: async () => (await import('./report.ts')).report,
  get: async () => (await import('./report.ts')).get,
  restaurants: async () => (await import('./restaurants-command.ts')).restaurants,
  dayparts: async () => (await import('./dayparts.ts')).dayparts,
  totals: async () => (await import('./totals.ts')).totals,
  events: async () => (await import('./events.ts')).events,
  imports: async () => (await import('./imports.ts')).imports,
  'connect toast': async () => (await import('./connect-command.ts')).connectToast,
  'connect exports': async () => (await import('./connect-exports.ts')).connectExports,
  connections: async () => (await import('./connections.ts')).listConnections,
  'connections show': async () => (await import('./connections.ts')).showConnection,
  'connections read': async () => (await import('./connections-change.ts')).readAgain,
  'connections compare': async () => (await import('./connections-compare.ts')).compareConnection,
  'connections pause': async () => (await import('./connections-change.ts')).pauseConnection,
  'connections resume': async () => (await import('./connections-change.ts')).resumeConnection,
  'connections credentials': async () => (await import('./connections-change.ts')).replaceCredentials,
  'connections remove': async () => (await import('./connections-change.ts')).removeConnection,
  limits: async () => (await import('./access-commands.ts')).limits,
  audit: async () => (await import('./access-commands.ts')).audit,
  'restaurants add': async () => (await import('./restaurants-command.ts')).addRestaurant,
  completion: async () => {
    const { completionScript } = await import('./completion.ts');
    return async (args, terminal, program) => terminal.say(completionScript(program, args.words[0]));
  },
  'completion restaurants': async () => (await import('./names.ts')).completeRestaurants,
};

/** A second Ctrl-C within this is the same: a launcher may hand it on besides the terminal. */
const SAME_MS = 500;

/** How long a command may take to end after Ctrl-C. */
const END_MS = 2000;

/**
 * Returns the exit code. Errors are printed on standard error, never with a stack. Ctrl-C is heard until the process
 * ends: what a launcher hands on may arrive after the command has ended.
 */
export async function runTerminal(
  command: Command,
  args: string[],
  { program, tables }: { program: Program; tables: readonly TableEntry[] },
  effects: Effects = PROCESS,
): Promise<number> {
  const interrupting = new AbortController();
  const terminal = openTerminal(effects, interrupting.signal, tables);
  let interruptedAt = 0;
  effects.onSignal('SIGINT', () => {
    if (interruptedAt > 0 && performance.now() - interruptedAt > SAME_MS) effects.exit(EXIT.interrupted);
    interruptedAt ||= performance.now();
    interrupting.abort(new Interrupted('interrupted'));
    setTimeout(() => end(interrupting.signal.reason), END_MS).unref();
  });
  let ended = false;
  const end = (error: unknown): number => {
    const { guid, again, base, trouble } = terminal;
    const { code, lines } = endingOf(error, { guid, again, base, trouble, command });
    if (!ended) terminal.err.write(`${lines.join('\n')}\n`);
    ended = true;
    // A connection that nobody reads any more would keep the process.
    setTimeout(() => effects.exit(code), END_MS).unref();
    return code;
  };
  try {
    const run = await RUNS[command.name]?.();
    await run?.(readArguments(command, args), terminal, program);
    return EXIT.done;
  } catch (error) {
    return end(interrupting.signal.aborted ? interrupting.signal.reason : error);
  }
}
