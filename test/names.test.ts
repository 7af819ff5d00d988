/** One name means one thing: within a package, a name is exported by one file. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type SourceFile, type SyntaxNode, sourceFiles } from './source-files.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** Names that several files of a package export, and what they mean in each. */
const SAME_THING: Record<string, string> = {
  labourShare: 'the share of labour in net sales, of totals and of the sums of one screen',
};

/**
 * The folder of an engine is a scope of its own: nothing but the one place that opens it imports from it
 * (test/rooms.test.ts).
 */
const ENGINE = /^packages\/service\/src\/(ledger|facts|results)\/(sqlite|postgres|sql|duckdb|clickhouse|folder|s3)\//;
const scopeOf = (path: string): string => ENGINE.exec(path)?.[0] ?? path.split('/').slice(0, 2).join('/');

/** The names that a statement of a file declares. */
function namesOf(statement: SyntaxNode | null): string[] {
  if (!statement) return [];
  const nodes = (statement.declarations as SyntaxNode[] | undefined) ?? [statement];
  return nodes.flatMap(({ id }) => (id as { name?: string } | null)?.name ?? []);
}

const exportedOf = ({ type, declaration }: SyntaxNode): SyntaxNode | null =>
  type === 'ExportNamedDeclaration' ? (declaration as SyntaxNode | null) : null;

/** Each once, however many overloads or meanings it has. */
const exportedNames = ({ body }: SourceFile): string[] => [
  ...new Set(body.flatMap((statement) => namesOf(exportedOf(statement)))),
];

const declaredNames = ({ body }: SourceFile): string[] => [
  ...new Set(body.flatMap((statement) => namesOf(exportedOf(statement) ?? statement))),
];

describe('the names that files export', () => {
  it('are declared in one file of a package, or mean the same in each', () => {
    const declared = sourceFiles().flatMap((file) => exportedNames(file).map((name) => ({ name, path: file.path })));
    const twice = [...Map.groupBy(declared, ({ name, path }) => `${name} in ${scopeOf(path)}`)]
      .filter(([, places]) => places.length > 1 && !(places[0] && places[0].name in SAME_THING))
      .map(([name, places]) => `${name}: ${places.map(({ path }) => path).join(', ')}`);
    assert.deepEqual(twice, []);
  });
});

const MOST_FILES = 4;

/** Names that more files declare by convention, where, and why. */
const IN_EACH: Record<string, { files: RegExp; why: string }> = {
  queries: { files: /^packages\/service\/src\/ledger\//, why: 'the statements of the SQL file beside it' },
  show: { files: /^packages\/cli\/src\/tables\//, why: 'how a family is shown at a terminal' },
  DECLARED: { files: /^packages\/client\/src\/resources\//, why: 'the declaration of the family of a resource' },
};

describe('the names at the top of files', () => {
  it(`are declared in ${MOST_FILES} files at most, so that a search for one has few answers`, () => {
    const declared = sourceFiles()
      .flatMap((file) => declaredNames(file).map((name) => ({ name, path: file.path })))
      .filter(({ name, path }) => !IN_EACH[name]?.files.test(path));
    const common = [...Map.groupBy(declared, ({ name }) => name)]
      .filter(([, places]) => places.length > MOST_FILES)
      .map(([name, places]) => `${name}: ${places.map(({ path }) => path).join(', ')}`);
    assert.deepEqual(common, []);
  });
});

const ENTRY_POINTS = ['packages/cli/src/index.ts', 'packages/cli/src/connect.ts'];

/** What may import a file: every file of the repository with code. */
const READERS = '{packages/*/src,packages/*/bin,test,bench,scripts}/**/*.{ts,tsx,mjs}';

describe('what files export', () => {
  it('is named by another file, but for what the packages export to their users', () => {
    const readers = globSync(READERS, { cwd: ROOT, exclude: ['**/node_modules'] });
    const filesWith = new Map<string, number>();
    for (const path of readers)
      for (const word of new Set(readFileSync(join(ROOT, path), 'utf8').match(/[\w$]+/g)))
        filesWith.set(word, (filesWith.get(word) ?? 0) + 1);
    const ownAlone = sourceFiles()
      .filter(({ path }) => !path.startsWith('packages/client/') && !ENTRY_POINTS.includes(path))
      .flatMap((file) =>
        exportedNames(file).flatMap((name) => (filesWith.get(name) === 1 ? `${file.path} ${name}` : [])),
      );
    assert.deepEqual(ownAlone, []);
  });
});

/**
 * The names of exported functions without a comment. The comment of a file is that of its only function; components are
 * described by their props.
 */
function undocumented({ path, text, body }: SourceFile): string[] {
  const exported = body.flatMap((statement) => {
    const declared = statement.declaration as (SyntaxNode & { id?: { name: string } }) | null | undefined;
    if (statement.type !== 'ExportNamedDeclaration' || !declared?.type.includes('Function')) return [];
    return [{ name: declared?.id?.name ?? '', isDocumented: text.slice(0, statement.start).trimEnd().endsWith('*/') }];
  });
  const byName = [...Map.groupBy(exported, ({ name }) => name)];
  if (path.endsWith('x') || (byName.length === 1 && text.startsWith('/**'))) return [];
  return byName.flatMap(([name, of]) => (of.some(({ isDocumented }) => isDocumented) ? [] : `${path} ${name}`));
}

describe('the functions that files export', () => {
  it('are described by a comment', () => {
    assert.deepEqual(sourceFiles().flatMap(undocumented), []);
  });
});
