import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { loadMarkedStatements, loadStatements, loadStatementsAndParts } from './sql.ts';

async function inFile(text: string, work: (url: URL) => void): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-sql-'));
  try {
    await writeFile(join(folder, 'x.sql'), text);
    work(pathToFileURL(join(folder, 'x.sql')));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const withoutTexts = (sql: string): string => sql.replaceAll(/--.*$/gm, '').replaceAll(/'[^']*'/g, "''");

/** What is wrong with a text for its marks. */
function faultOf(marks: string, sql: string): string | undefined {
  let outside = sql;
  // Innermost brackets first, until there are none.
  for (let before = ''; before !== outside; ) {
    before = outside;
    outside = outside.replaceAll(/\([^()]*\)/g, '[]');
  }
  if (/[()]/.test(outside)) return 'open brackets';
  const tables = /^\s*\w+ as( materialized)? \[\](\s*,\s*\w+ as( materialized)? \[\])*\s*$/;
  if (marks === ':with' && !tables.test(outside.replaceAll(/\{\w+\}/g, 'word'))) return 'not common tables';
  return marks === ':query' && !/^\s*select\b/.test(outside) ? 'not a query' : undefined;
}

describe('a file of statements', () => {
  it('answers each text by its name, and with its marks how it is called', () =>
    inFile('-- What it is.\n-- name: a :one :read\nselect 1;\n\n-- name: b :exec\n-- why\ndelete from t;\n', (url) => {
      assert.deepEqual(loadStatements(url), { a: 'select 1;', b: '-- why\ndelete from t;' });
      assert.deepEqual(loadMarkedStatements(url), {
        a: { sql: 'select 1;', answers: 'one', reads: true },
        b: { sql: '-- why\ndelete from t;', answers: 'exec', reads: false },
      });
    }));

  it('may have parts of statements beside them if its reader accepts parts', () =>
    inFile('-- name: a :part\nwhere x\n\n-- name: b :many :read\nselect 1 {a};\n', (url) => {
      assert.deepEqual(loadStatementsAndParts(url), {
        parts: { a: 'where x' },
        statements: { b: { sql: 'select 1 {a};', answers: 'many', reads: true } },
      });
      assert.throws(() => loadMarkedStatements(url), /statement a is not marked/);
    }));

  it('is refused when a statement has no mark, or one that is not known', async () => {
    for (const marks of ['', ':all', ':many :write', ':one :read :read', ':read'])
      await inFile(`-- name: a ${marks}\nselect 1;\n`, (url) =>
        assert.throws(() => loadMarkedStatements(url), /statement a is not marked :one, :many or :exec/, marks),
      );
  });

  it('of the ledger marks exactly those as reads that select, and no form names one that all have', async () => {
    const names = async (place: string): Promise<string[]> => {
      const folder = new URL(`../ledger/${place}/`, import.meta.url);
      const files = (await readdir(folder)).filter((name) => name.endsWith('.sql') && name !== 'schema.sql');
      return files.flatMap((file) =>
        Object.entries(loadMarkedStatements(new URL(file, folder))).map(([name, { sql, reads }]) => {
          // A lock is taken where nothing else reads, and a function of the ledger changes rows.
          const selects = /^select\b(?![\s\S]*(for update|pg_|claim_reports))/.test(sql.replace(/^(--.*\n)*/, ''));
          assert.equal(reads, selects, `${place}/${file} ${name}`);
          return `${file} ${name}`;
        }),
      );
    };
    const [shared, ...forms] = await Promise.all([names('sql'), names('sqlite'), names('postgres')]);
    const known = new Set(shared);
    assert.deepEqual(
      forms.flat().filter((name) => known.has(name)),
      [],
    );
  });

  it('of the DuckDB facts marks exactly those as reads that write no table that is kept, and ends whole ones with a semicolon', async () => {
    const folder = new URL('../facts/duckdb/', import.meta.url);
    const names = (await readdir(folder, { recursive: true })).filter((name) => /^(families\/)?\w+\.sql$/.test(name));
    const files = names
      .filter((name) => name !== 'schema.sql')
      .map((name) => loadStatementsAndParts(new URL(name, folder)));
    const statements = files.flatMap((file) => Object.entries(file.statements));
    const texts = files.flatMap((file) => Object.entries(file.parts));
    const kept = /^\s*(insert|update|delete)\b/m;
    const wrong = statements.filter(([, { sql, reads }]) => kept.test(sql) === reads || !sql.endsWith(';'));
    assert.deepEqual(
      [...wrong, ...texts.filter(([, sql]) => kept.test(sql) || sql.endsWith(';'))].map(([name]) => name),
      [],
    );
    assert.ok(statements.length > 50 && texts.length > 50);
  });

  it('of the facts opens and closes all its brackets in each text: one that is `:with` has common tables alone, a `:query` is one query', async () => {
    const folder = new URL('../facts/', import.meta.url);
    const files = (await readdir(folder, { recursive: true })).filter(
      (name) => name.endsWith('.sql') && !/migrations|schema\.sql$/.test(name),
    );
    const faults = files.flatMap((file) =>
      readFileSync(new URL(file, folder), 'utf8')
        .split(/^-- name: /m)
        .slice(1)
        .flatMap((text) => {
          const [, name = '', marks = '', sql = ''] = /^(\S+) ([^\n]+)\n([\s\S]*)$/.exec(text) ?? [];
          const fault = faultOf(marks, withoutTexts(sql));
          return fault === undefined ? [] : [`${file} ${name}: ${fault}`];
        }),
    );
    assert.deepEqual(faults, []);
    assert.deepEqual(
      [
        faultOf(':part', '(a'),
        faultOf(':part', 'a) from (b'),
        faultOf(':with', ', a as (select 1)'),
        faultOf(':with', 'a as (select 1) select 2'),
        faultOf(':query', ', a as (select 1) select 2'),
        faultOf(':with', 'a as (select (1)), b as materialized (select 2)'),
      ],
      ['open brackets', 'open brackets', 'not common tables', 'not common tables', 'not a query', undefined],
    );
  });
});
