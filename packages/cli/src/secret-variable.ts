/** Secrets in the environment. */
import { readFileSync } from 'node:fs';
import type { Environment } from './effects.ts';
import { UsageError } from './usage-error.ts';

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
