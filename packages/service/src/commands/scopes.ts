/** Scopes on the command line. */
import { nearest, UsageError } from '@daypart/cli';
import { SCOPES } from '../contract/words.ts';

/** Parses the scopes of a flag. Throws UsageError if there are none or one is unknown. */
export function readScopes(text: string): string[] {
  const scopes = text.split(/[\s,]+/).filter((scope) => scope !== '');
  if (scopes.length === 0) throw new UsageError(`--scopes takes ${SCOPES.join(', ')}, separated by commas`);
  for (const scope of scopes) {
    if (!(SCOPES as readonly string[]).includes(scope)) {
      throw new UsageError(`--scopes: unknown scope ${scope}${nearest(scope, SCOPES)}`);
    }
  }
  return [...new Set(scopes)];
}
