/**
 * Values that are not arguments: prompts for missing ones on standard error, so that standard output has only the
 * result, piped input, and secrets in the environment.
 */
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { Writable } from 'node:stream';
import { Interrupted } from './command-error.ts';
import type { Environment, Input, Output } from './effects.ts';
import { UsageError } from './exit.ts';

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

type SecretVariable = 'DAYPART_CLIENT_SECRET' | 'DAYPART_CONNECT_SECRET' | 'DAYPART_TOKEN';

/**
 * A secret from the environment: the variable itself, or the contents of the file that `…_FILE` names, without the line
 * feed at its end. Throws UsageError if both are set, or the file cannot be read or is empty.
 */
export function readSecretVariable(name: SecretVariable, from: Environment): string | undefined {
  const file = from[`${name}_FILE`];
  if (!file) return from[name] || undefined;
  if (from[name]) throw new UsageError(`${name} and ${name}_FILE are both set; set one of them`);
  let text: string;
  try {
    text = readFileSync(file, 'utf8');
  } catch (error) {
    throw new UsageError(`${name}_FILE cannot be read: ${(error as Error).message}`);
  }
  const secret = text.replace(/\r?\n$/, '');
  if (secret === '') throw new UsageError(`${name}_FILE: ${file} is empty`);
  return secret;
}
