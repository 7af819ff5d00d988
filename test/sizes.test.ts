/**
 * Functions have few statements and parameters, and files fit in four screens; longer ones are listed here with the
 * reason.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { parseAst } from 'rolldown/parseAst';
import { type SourceFile, type SyntaxNode, sourceFiles, visit } from './source-files.ts';

const MOST_STATEMENTS = 40;
const MOST_FILE_LINES = 300;
const MOST_PARAMETERS = 5;

/** Tables that are read as one. */
const LONG_FILES: Record<string, string> = {
  'packages/service/src/contract/problems.ts': 'the one table of problems',
  'packages/service/src/config/config.ts': 'the one table of settings',
  'packages/cli/src/commands.ts': 'the one table of commands',
};

const LONG_FUNCTIONS: Record<string, string> = {
  'packages/client/src/stream.ts readJsonArray': 'one scanner: all of it changes the same seven variables',
};

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** The name of a function, or of what it is assigned to. */
function nameOf(node: SyntaxNode, above?: SyntaxNode): string {
  const named = (node.id ?? above?.id ?? above?.key) as { name?: string } | null | undefined;
  return named?.name ?? 'anonymous';
}

/** How many statements and declarations a function has, without those of functions in it: blocks are none. */
function statementsIn(body: unknown): number {
  let count = 0;
  const countIn = (at: unknown): void => {
    if (Array.isArray(at)) for (const one of at) countIn(one);
    else if (typeof at === 'object' && at !== null) {
      const { type = '' } = at as Partial<SyntaxNode>;
      if (type === 'VariableDeclaration' || (/Statement$/.test(type) && type !== 'BlockStatement')) count++;
      if (!FUNCTIONS.includes(type)) for (const value of Object.values(at)) countIn(value);
    }
  };
  countIn(body);
  return count;
}

function longFunctions({ path, body }: SourceFile): string[] {
  const found: string[] = [];
  visit(body, (node, above) => {
    if (!FUNCTIONS.includes(node.type) || statementsIn(node.body) <= MOST_STATEMENTS) return;
    found.push(`${path} ${nameOf(node, above)}`);
  });
  return found;
}

/** An object literal that is spread into another, or into a component: `{ ...{ a, b }, c }` is `{ a, b, c }`. */
function spreadLiterals({ path, text, body }: SourceFile): string[] {
  const found: string[] = [];
  visit(body, (node) => {
    const { type } = (node.argument ?? {}) as Partial<SyntaxNode>;
    if (/^(?:JSX)?Spread/.test(node.type) && type === 'ObjectExpression')
      found.push(`${path}:${text.slice(0, node.start).split('\n').length}`);
  });
  return found;
}

function withManyParameters({ path, body }: SourceFile): string[] {
  const found: string[] = [];
  visit(body, (node, above) => {
    const parameters = Array.isArray(node.params) ? node.params.length : 0;
    if (FUNCTIONS.includes(node.type) && parameters > MOST_PARAMETERS) found.push(`${path} ${nameOf(node, above)}`);
  });
  return found;
}

describe('the sources', () => {
  const files = sourceFiles();

  it(`have no function of more than ${MOST_STATEMENTS} statements, those of its own functions left out`, () => {
    assert.deepEqual(files.flatMap(longFunctions), Object.keys(LONG_FUNCTIONS));
  });

  it('spread no literals', () => {
    assert.deepEqual(files.flatMap(spreadLiterals), []);
  });

  it(`have no function of more than ${MOST_PARAMETERS} parameters: others take an object`, () => {
    assert.deepEqual(files.flatMap(withManyParameters), []);
    const f = { type: 'ArrowFunctionExpression', start: 0, end: 0, params: Array.from({ length: 6 }) };
    const source = { path: 'x.ts', text: '', body: [{ type: 'VariableDeclarator', start: 0, end: 0, init: f }] };
    assert.deepEqual(withManyParameters(source), ['x.ts anonymous']);
  });

  it(`have no file of more than ${MOST_FILE_LINES} lines but the tables that are read as one`, () => {
    const long = files
      .filter(({ text }) => text.trimEnd().split('\n').length > MOST_FILE_LINES)
      .map(({ path }) => path);
    assert.deepEqual(
      long.filter((path) => !(path in LONG_FILES)),
      [],
    );
  });
});

describe('the rules of sizes', () => {
  const parsed = (text: string, lang: 'ts' | 'tsx' = 'ts'): SourceFile => ({
    path: 'x.ts',
    text,
    body: parseAst(text, { lang }).body as unknown as SyntaxNode[],
  });
  const calls = (count: number): string => `${'f();\n'.repeat(count)}`;

  it('find a function of too many statements by its own name, or that of what it is assigned to', () => {
    assert.deepEqual(longFunctions(parsed(`function f() {${calls(MOST_STATEMENTS + 1)}}`)), ['x.ts f']);
    assert.deepEqual(longFunctions(parsed(`const g = () => { if (a) {${calls(MOST_STATEMENTS)}} };`)), ['x.ts g']);
    assert.deepEqual(longFunctions(parsed(`function f() {${calls(MOST_STATEMENTS)}}`)), []);
    const within = `function f() { ${calls(MOST_STATEMENTS - 1)} const g = () => {${calls(MOST_STATEMENTS)}}; }`;
    assert.deepEqual(longFunctions(parsed(within)), []);
  });

  it('find a literal that is spread', () => {
    assert.deepEqual(spreadLiterals(parsed('const a = {\n...{ b, c }, d };')), ['x.ts:2']);
    assert.deepEqual(spreadLiterals(parsed('const a = <B {...{ c, d }} e />;', 'tsx')), ['x.ts:1']);
    assert.deepEqual(spreadLiterals(parsed('const a = { ...b, ...(c ? { d } : {}) };')), []);
    assert.deepEqual(spreadLiterals(parsed('const a = <B {...c} e />;', 'tsx')), []);
  });
});
