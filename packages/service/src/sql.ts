/** Statements kept in `.sql` files: each follows a line `-- name: x`, up to the next such line. */
import { readFileSync } from 'node:fs';

/** The texts of one file by name, without their marks. */
export function loadStatements(url: URL): Record<string, string> {
  return Object.fromEntries(entriesOf(url).map(({ name, sql }) => [name, sql]));
}

/** A whole statement and how it is called. */
export interface MarkedStatement {
  sql: string;
  /** `one`: a row or nothing. `many`: rows. `exec`: how many rows it changed. */
  answers: 'one' | 'many' | 'exec';
  /** Whether it changes nothing. */
  reads: boolean;
}

/** Reads a file whose statements are marked `-- name: x :one|:many|:exec [:read]`. Throws for any other mark, or none. */
export function loadMarkedStatements(url: URL): Record<string, MarkedStatement> {
  return Object.fromEntries(
    entriesOf(url).map(({ name, marks, sql }) => {
      const [, answers, reads] = /^:(one|many|exec)( :read)?$/.exec(marks) ?? [];
      if (answers === undefined) throw new Error(`statement ${name} is not marked :one, :many or :exec in ${url}`);
      return [name, { sql, answers: answers as MarkedStatement['answers'], reads: reads !== undefined }];
    }),
  );
}

function entriesOf(url: URL): { name: string; marks: string; sql: string }[] {
  const parts = readFileSync(url, 'utf8').split(/^-- name: /m);
  return parts.slice(1).map((part) => {
    const end = part.indexOf('\n');
    const [name = '', ...marks] = part.slice(0, end).trim().split(/\s+/);
    return { name, marks: marks.join(' '), sql: part.slice(end + 1).trim() };
  });
}
