/** Reads all tables of the embedded ledger, by the columns in its catalog. */
import { DatabaseSync } from 'node:sqlite';
import { loadStatements } from '../../storage/sql.ts';
import type { LedgerRow, LedgerTable, LedgerTables, ReadableReport } from '../tables.ts';
import { ledgerFile } from './place.ts';

const SQL = loadStatements(new URL('./tables.sql', import.meta.url));
const BUSY_MS = 5000;

/**
 * Not moved: servers have their own schema, id and clock, and rows of forms are added when their files are uploaded.
 */
const LEFT_OUT = new Set(['schema_version', 'identity', 'ledger_clock', 'report_form']);

const quoted = (name: string): string => `"${name}"`;

/** Orders tables so that each follows those it refers to. Throws if some refer to each other. */
function inOrder(tables: readonly (LedgerTable & { refersTo: readonly string[] })[]): LedgerTable[] {
  const ordered: LedgerTable[] = [];
  const left = new Map(tables.map((table) => [table.name, table]));
  while (left.size > 0) {
    const next = [...left.values()].find(({ name, refersTo }) =>
      refersTo.every((other) => other === name || !left.has(other)),
    );
    if (!next) throw new Error(`the tables ${[...left.keys()].join(', ')} refer to each other`);
    left.delete(next.name);
    ordered.push({ name: next.name, columns: next.columns });
  }
  return ordered;
}

/** Opens the ledger of a data folder, which must be at the newest schema. */
export function openSqliteTables(data: string): LedgerTables {
  const db = new DatabaseSync(ledgerFile(data), { readOnly: true, timeout: BUSY_MS });
  const all = (name: string, values: Record<string, string | number> = {}): LedgerRow[] =>
    db.prepare(SQL[name] ?? '').all(values) as LedgerRow[];
  const namesOf = (name: string, table: string): string[] => all(name, { table }).map((row) => String(row.name));
  const textOf = (name: string, { name: table, columns }: LedgerTable): string =>
    (SQL[`${name}.${table}`] ?? SQL[name] ?? '')
      .replace('{columns}', columns.map(quoted).join(', '))
      .replace('{table}', table);

  // All reads see the state as of the first one, whatever commands change meanwhile.
  db.exec('begin');
  const tables = all('tables')
    .map(({ name }) => String(name))
    .filter((name) => !LEFT_OUT.has(name))
    .map((name) => ({ name, columns: namesOf('columns', name), refersTo: namesOf('references', name) }));

  return {
    tables: inOrder(tables),
    count: (table) => Number(db.prepare(textOf('count', table)).get()?.rows),
    rows: (table) => db.prepare(textOf('rows', table)).iterate() as Iterable<LedgerRow>,
    *reports(): Generator<ReadableReport> {
      for (const row of all('reports')) {
        const of = { guid: String(row.guid), attempt: Number(row.attempt) };
        const forms = all('forms', of).map((form) => ({
          ...of,
          name: String(form.name),
          key: String(form.key),
          bytes: Number(form.byte_count),
          sha256: form.sha256 === null ? null : String(form.sha256),
        }));
        yield { ...of, forms, digests: row.digests === null ? null : JSON.parse(String(row.digests)) };
      }
    },
    close: () => db.close(),
  };
}
