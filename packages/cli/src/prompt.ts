/** Asks people for what is missing, on standard error, so that standard output stays what was asked for. */
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Interrupted } from './command-error.ts';

type Input = NodeJS.ReadStream;
type Output = NodeJS.WriteStream;

/** The answer without blanks around it; `fallback` where it is empty. `hidden` shows nothing of what is typed. */
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

/** The first line of what is piped in. */
export async function readPiped(input: Input): Promise<string> {
  let text = '';
  for await (const chunk of input) text += chunk;
  return (text.split(/\r?\n/)[0] ?? '').trim();
}
