/** The parsed source files of the packages, which the tests of the project's shape read. */
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseAst } from 'rolldown/parseAst';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

/** A node of ESTree with TypeScript, as far as it is read here. */
export interface SyntaxNode {
  type: string;
  start: number;
  end: number;
  [property: string]: unknown;
}

export interface SourceFile {
  /** From the root of the repository. */
  path: string;
  text: string;
  body: SyntaxNode[];
}

/** All files of the packages' sources but tests. */
export function sourceFiles(): SourceFile[] {
  return globSync('packages/*/src/**/*.{ts,tsx}', { cwd: ROOT })
    .filter((path) => !/\.(test|d)\.tsx?$/.test(path))
    .sort()
    .map((path) => {
      const text = readFileSync(join(ROOT, path), 'utf8');
      const { body } = parseAst(text, { lang: path.endsWith('x') ? 'tsx' : 'ts' }, path);
      return { path, text, body: body as unknown as SyntaxNode[] };
    });
}

/** Visits all nodes below a node or list, each with the one above it. */
export function visit(at: unknown, see: (node: SyntaxNode, above?: SyntaxNode) => void, above?: SyntaxNode): void {
  if (Array.isArray(at)) for (const one of at) visit(one, see, above);
  else if (typeof at === 'object' && at !== null) {
    const node = at as SyntaxNode;
    const isNode = typeof node.type === 'string';
    if (isNode) see(node, above);
    for (const value of Object.values(node)) visit(value, see, isNode ? node : above);
  }
}
