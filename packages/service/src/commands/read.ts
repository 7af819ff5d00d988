/** Reads the words of the commands that run and maintain a service, by the table of commands. */
import { UsageError } from '../config.ts';
import { type Given, nearest, readGiven } from '../terminal/arguments.ts';
import type { Command } from '../terminal/command.ts';
import { findCommand, groupOf } from '../terminal/commands.ts';

/** The arguments after `name`. Throws UsageError on misuse. */
export function readCommand(name: string, args: readonly string[]): Given & { command: string } {
  const found = findCommand([name, ...args]);
  if (found) return { command: found.command.name, ...readGiven(found.command, found.rest) };
  const group = groupOf(name);
  const seconds = group.map((one) => one.name.slice(name.length + 1));
  // Any words, and the settings that may stand before them.
  const [word] = readGiven({ ...ANY, name, flags: group.flatMap(({ flags }) => flags) }, args).words;
  throw new UsageError(
    word === undefined
      ? `${name} needs ${seconds.join(', ').replace(/, ([^,]*)$/, ' or $1')}`
      : `unknown ${name} ${word}${nearest(word, seconds)}`,
  );
}

const ANY: Omit<Command, 'name' | 'flags'> = {
  ...{ section: 'service', summary: '', settings: 'taken', examples: [] },
  args: Array.from({ length: 10 }, () => 'WORD'),
};
