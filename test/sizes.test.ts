/** Functions fit a screen, take few parameters, and files fit in four screens; longer ones are listed here with the reason. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { linesBetween, type SourceFile, type SyntaxNode, sourceFiles, visit } from './source-files.ts';

const MOST_FUNCTION_LINES = 80;
const MOST_FILE_LINES = 300;
const MOST_PARAMETERS = 5;

/** Tables that are read as one. */
const LONG_FILES: Record<string, string> = {
  'packages/service/src/http/problems.ts': 'the one table of problems',
  'packages/service/src/config/config.ts': 'the one table of settings',
  'packages/cli/src/commands.ts': 'the one table of commands',
};

const FUNCTIONS = ['FunctionDeclaration', 'FunctionExpression', 'ArrowFunctionExpression'];

/** The name of a function, or of what it is assigned to. */
function nameOf(node: SyntaxNode, above?: SyntaxNode): string {
  const named = (node.id ?? above?.id ?? above?.key) as { name?: string } | null | undefined;
  return named?.name ?? 'anonymous';
}

function longFunctions({ path, text, body }: SourceFile): string[] {
  const found: string[] = [];
  visit(body, (node, above) => {
    if (!FUNCTIONS.includes(node.type) || linesBetween(text, node.start, node.end) <= MOST_FUNCTION_LINES) return;
    found.push(`${path} ${nameOf(node, above)}`);
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

  it(`have no function of more than ${MOST_FUNCTION_LINES} lines`, () => {
    const long = files.flatMap(longFunctions);
    assert.deepEqual(long, []);
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

describe('the counter of lines', () => {
  it('finds a function by its own name and by that of what it is assigned to', () => {
    const lines = `${'  f();\n'.repeat(MOST_FUNCTION_LINES - 1)}`;
    const source = (text: string, body: SyntaxNode[]): SourceFile => ({ path: 'x.ts', text, body });
    const whole = `function f() {\n${lines}}`;
    const node = (type: string, more: object = {}): SyntaxNode => ({ type, start: 0, end: whole.length, ...more });

    assert.deepEqual(longFunctions(source(whole, [node('FunctionDeclaration', { id: { name: 'f' } })])), ['x.ts f']);
    const init = node('ArrowFunctionExpression');
    assert.deepEqual(longFunctions(source(whole, [node('VariableDeclarator', { id: { name: 'g' }, init })])), [
      'x.ts g',
    ]);
    assert.deepEqual(longFunctions(source(whole.replace('  f();\n', ''), [{ ...init, end: whole.length - 7 }])), []);
  });
});
