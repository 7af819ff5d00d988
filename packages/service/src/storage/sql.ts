/** Statements in `.sql` files: each begins after a line `-- name: x` and ends at the next such line. */
import { readFileSync } from 'node:fs';

/** The texts of one file by name, without the marking lines. */
export function loadStatements(url: URL): Record<string, string> {
  return Object.fromEntries(entriesOf(url).map(({ name, sql }) => [name, sql]));
}

/** A complete statement and what it returns. */
export interface MarkedStatement {
  sql: string;
  /** `one`: a row or nothing. `many`: rows. `exec`: how many rows it changed. */
  answers: 'one' | 'many' | 'exec';
  /** Whether it changes no stored data; temporary tables and files do not count. */
  reads: boolean;
}

/**
 * Reads a file whose statements are marked `-- name: x :one|:many|:exec [:read]`. Throws for any other mark, or none.
 */
export function loadMarkedStatements(url: URL): Record<string, MarkedStatement> {
  return Object.fromEntries(entriesOf(url).map((entry) => [entry.name, markedOf(entry, url)]));
}

/**
 * Reads a file that also has texts that only run within a statement: `:with`, common tables (`name as (…)`), `:query`,
 * a query that may use such tables, and `:part`, anything else between brackets that it opens and closes itself.
 */
export function loadStatementsAndParts(url: URL): {
  statements: Record<string, MarkedStatement>;
  parts: Record<string, string>;
} {
  const { part: parts = [], statement = [] } = Object.groupBy(entriesOf(url), ({ marks }) =>
    [':with', ':query', ':part'].includes(marks) ? 'part' : 'statement',
  );
  return {
    statements: Object.fromEntries(statement.map((entry) => [entry.name, markedOf(entry, url)])),
    parts: Object.fromEntries(parts.map(({ name, sql }) => [name, sql])),
  };
}

function markedOf({ name, marks, sql }: MarkedEntry, url: URL): MarkedStatement {
  const [, answers, reads] = /^:(one|many|exec)( :read)?$/.exec(marks) ?? [];
  if (answers === undefined) throw new Error(`statement ${name} is not marked :one, :many or :exec in ${url}`);
  return { sql, answers: answers as MarkedStatement['answers'], reads: reads !== undefined };
}

interface MarkedEntry {
  name: string;
  marks: string;
  sql: string;
}

function entriesOf(url: URL): MarkedEntry[] {
  const parts = readFileSync(url, 'utf8').split(/^-- name: /m);
  return parts.slice(1).map((part) => {
    const end = part.indexOf('\n');
    const [name = '', ...marks] = part.slice(0, end).trim().split(/\s+/);
    return { name, marks: marks.join(' '), sql: part.slice(end + 1).trim() };
  });
}
