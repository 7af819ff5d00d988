/** The client of the service that a command of the service names. */
import type { Effects, ParsedArguments } from '@daypart/cli';
import { openClient, readConnection } from '@daypart/cli/connect';
import type { Daypart } from '@daypart/client';

/**
 * Opens it by flags, environment or profile; warnings go to standard error. Throws UsageError if no service is named.
 */
export async function openClientOf(args: ParsedArguments, { env, stderr }: Effects): Promise<Daypart> {
  const warn = (line: string): void => void stderr.write(`Warning: ${line}\n`);
  return openClient(await readConnection(args, { env, warn }), { limited: undefined });
}
