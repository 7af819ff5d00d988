/** Prompts for missing values on standard error, so that standard output has only the result. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Interrupted } from './command-error.ts';
import type { Input, Output } from './effects.ts';

/** The answer, trimmed; `fallback` if it is empty. With `hidden`, typed text is not shown. */
export function prompt(
  question: string,
  { fallback, hidden = false }: { fallback?: string | undefined; hidden?: boolean },
  input: Input,
  output: Output,
): Promise<string> {
  const label = `${question}${fallback ? ` (${fallback})` : ''}: `;
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() });
  return new Promise((resolve, reject) => {
    if (hidden) output.write(label);
    const lines = createInterface({ input, output: hidden ? nowhere : output, terminal: true });
    lines.once('SIGINT', () => {
      reject(new Interrupted('interrupted'));
      lines.close();
    });
    lines.once('close', () => {
      if (hidden) output.write('\n');
      reject(new Interrupted('interrupted'));
    });
    lines.question(hidden ? '' : label, (answer) => {
      resolve(answer.trim() || (fallback ?? ''));
      lines.close();
    });
  });
}

/** The first line of piped input. */
export async function readPiped(input: Input): Promise<string> {
  let text = '';
  for await (const chunk of input) text += chunk;
  return (text.split(/\r?\n/)[0] ?? '').trim();
}
