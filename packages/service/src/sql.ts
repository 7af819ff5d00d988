/** Statements kept in `.sql` files: each stands under a line `-- name: x`, up to the next such line. */
import { readFileSync } from 'node:fs';

/** Reads the statements of one file by name. */
export function loadStatements(url: URL): Record<string, string> {
  const statements: Record<string, string> = {};
  for (const part of readFileSync(url, 'utf8')
    .split(/^-- name: /m)
    .slice(1)) {
    const end = part.indexOf('\n');
    statements[part.slice(0, end).trim()] = part.slice(end + 1).trim();
  }
  return statements;
}
