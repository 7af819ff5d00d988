/** Docs, messages, help, comments and names of tests have none of the words of docs/style.md#words. */
import assert from 'node:assert/strict';
import { globSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { parseAst } from 'rolldown/parseAst';
import { PROBLEMS } from '../../packages/service/src/contract/problems.ts';
import { FILES, ROOT, readText } from './markdown.ts';
import { WORDS } from './word-list.ts';

/** What developers read besides. */
const FURTHER = [
  'ARCHITECTURE.md',
  'CHANGELOG.md',
  ...globSync('{bench,docs/decisions,test/golden/*}/*.md', { cwd: ROOT }),
];
const PAGES = [...FILES, ...FURTHER.sort()].filter((file) => file !== 'docs/style.md');

interface Text {
  place: string;
  text: string;
}

/** Blanks that keep the lines where they are. */
const blank = (text: string): string => text.replace(/[^\n]/g, ' ');

/**
 * What a reader of a page sees, by paragraph: without comments, code and the addresses of links. Output in `text`
 * blocks stays.
 */
function proseOf(markdown: string): string {
  return markdown
    .replace(/<!--[\s\S]*?-->/g, blank)
    .replace(/^ *```(?!text)\w*\n[\s\S]*?^ *```$/gm, blank)
    .replace(/`[^`\n]+`/g, (code) => `\`${'…'.padEnd(code.length - 2, ' ')}\``)
    .replace(/\]\([^)\s]+\)/g, blank);
}

/** Texts in the code: strings and templates that have a blank in them, `…` for what a template fills in. */
function textsOf(source: string): { text: string; start: number }[] {
  const found: { text: string; start: number }[] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const { type, value, quasis, start } = node as Record<string, unknown>;
    if (type === 'Literal' && typeof value === 'string') found.push({ text: value, start: Number(start) });
    if (type === 'TemplateLiteral' && Array.isArray(quasis))
      found.push({ text: quasis.map((quasi) => quasi.value.raw).join('…'), start: Number(start) });
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(source, { lang: 'ts' }));
  return found.filter(({ text }) => text.trim().includes(' '));
}

/** Ranges of the source that are no code: strings, templates and the texts of JSX, where `//` begins no comment. */
function textRanges(source: string, lang: 'ts' | 'tsx'): [start: number, end: number][] {
  const found: [number, number][] = [];
  const visit = (node: unknown): void => {
    if (Array.isArray(node)) for (const one of node) visit(one);
    if (typeof node !== 'object' || node === null || Array.isArray(node)) return;
    const { type, start, end } = node as Record<string, unknown>;
    if (type === 'Literal' || type === 'TemplateElement' || type === 'JSXText')
      found.push([Number(start), Number(end)]);
    for (const child of Object.values(node)) visit(child);
  };
  visit(parseAst(source, { lang }));
  return found.sort(([one], [other]) => one - other);
}

/** The comments of a source, where they are, without their marks, the code in backticks and the paths of docs. */
function commentsOf(source: string, file: string): string {
  if (file.endsWith('.sql')) return source.replace(/^(?!\s*-- (?!name:)).*$/gm, blank).replaceAll('--', '  ');
  let code = '';
  for (const [start, end] of textRanges(source, file.endsWith('x') ? 'tsx' : 'ts'))
    if (start >= code.length) code += source.slice(code.length, start) + blank(source.slice(start, end));
  code += source.slice(code.length);
  let comments = '';
  for (const { 0: comment, index } of code.matchAll(/\/\*[\s\S]*?\*\/|\/\/[^\n]*/g)) {
    const text = comment
      .replace(/^\/\*+|\*\/$|^\/\//g, blank)
      .replace(/^( *)\*/gm, '$1 ')
      .replace(/`[^`\n]+`|docs\/[\w./#-]+/g, blank);
    comments += blank(code.slice(comments.length, index)) + text;
  }
  return comments;
}

/** The names of the tests and of their groups, `…` for what a template fills in. */
const namesOf = (source: string): string[] =>
  [...source.matchAll(/\b(?:it|test|describe)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g)].map(([, , name = '']) =>
    name.replaceAll(/\$\{[^}]*\}/g, '…'),
  );

const filesIn = (folder: string, names: RegExp): string[] =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
    .filter((name) => names.test(name))
    .map((name) => `${folder}/${name}`);
const sourcesIn = (folder: string): string[] =>
  filesIn(folder, /\.ts$/).filter((name) => !/\.test\.ts$|\.d\.ts$/.test(name));

const lineOf = (text: string, at: number): number => text.slice(0, at).split('\n').length;

/** A phrase is found across the end of a line. */
const compiled = WORDS.map(({ not, pattern }) => ({
  not,
  found: new RegExp(pattern.source.replaceAll(' ', '\\s+'), 'gi'),
}));

/** `file:line: "the words around it" (the entry)` for each word of the list. */
function forbidden({ place, text }: Text, firstLine = 1): string[] {
  return compiled.flatMap(({ not, found }) =>
    [...text.matchAll(found)].map(({ 0: hit, index }) => {
      const around = text.slice(Math.max(0, index - 30), index + hit.length + 30).replace(/\s+/g, ' ');
      return `${place}:${firstLine - 1 + lineOf(text, index)}: "${around.trim()}" (${not})`;
    }),
  );
}

describe('plain English', () => {
  it('is what the docs are written in', () => {
    const found = PAGES.flatMap((place) => forbidden({ place, text: proseOf(readText(place)) }));

    assert.deepEqual(found, []);
  });

  it('is what messages, help, descriptions and log lines are written in', () => {
    const found = ['packages/service/src', 'packages/cli/src', 'packages/client/src']
      .flatMap(sourcesIn)
      .flatMap((place) => {
        const source = readFileSync(join(ROOT, place), 'utf8');
        return textsOf(source).flatMap(({ text, start }) => forbidden({ place, text }, lineOf(source, start)));
      });

    assert.deepEqual(found, []);
  });

  it('is what comments are written in', () => {
    const found = ['service', 'cli', 'client', 'console']
      .flatMap((name) => filesIn(`packages/${name}/src`, /\.(tsx?|sql)$/))
      // A migration that has run is not edited any more.
      .filter((place) => !place.includes('/migrations/'))
      .flatMap((place) => forbidden({ place, text: commentsOf(readFileSync(join(ROOT, place), 'utf8'), place) }));

    assert.deepEqual(found, []);
  });

  it('is what tests are named in', () => {
    const found = ['packages', 'test']
      .flatMap((folder) => filesIn(folder, /\.(test|long|browser|scale)\.tsx?$|^conformance\/.*\.ts$/))
      .filter((place) => !place.includes('node_modules') && place !== 'test/docs/words.test.ts')
      .flatMap((place) =>
        namesOf(readFileSync(join(ROOT, place), 'utf8')).flatMap((text) => forbidden({ place, text })),
      );

    assert.deepEqual(found, []);
  });

  it('is what problems are written in', () => {
    const found = Object.entries(PROBLEMS).flatMap(([code, { title, help }]) =>
      forbidden({ place: code, text: `${title}. ${help}` }),
    );

    assert.deepEqual(found, []);
  });
});

describe('the list of words', () => {
  for (const { not, pattern, caught, fine } of WORDS) {
    it(`finds "${not}"`, () => {
      assert.match(caught, new RegExp(pattern, 'i'));
      if (fine) assert.doesNotMatch(fine, new RegExp(pattern, 'i'));
    });
  }

  it('is the table of docs/style.md', () => {
    const rows = [...readText('docs/style.md').matchAll(/^\| (?!Not \|)([^|-][^|]*) \| ([^|]+) \|$/gm)];

    assert.deepEqual(
      rows.map(([, not, write]) => [not, write]),
      WORDS.map(({ not, write }) => [not, write]),
    );
  });

  it('finds a phrase that a line end splits, in a message, in a template and in prose, and not in code', () => {
    const hits = (text: string): number => forbidden({ place: 'x', text: proseOf(text) }).length;
    const source = `const a = 'it is called off'; const b = \`it \${a} is given up\`; // calls it off\nconst told = 1;`;

    assert.equal(hits('Every file is held\nagainst the list.'), 1);
    assert.equal(hits('`told` and\n<!-- run: told -->\n```sh\ntold\n```\n'), 0);
    assert.equal(hits('```text\nCtrl-C calls it off.\n```\n'), 1);
    assert.equal(textsOf(source).flatMap(({ text }) => forbidden({ place: 'x', text })).length, 2);
  });

  it('finds a phrase in the name of a test', () => {
    const source = `describe('a load', () => {
      it(\`is \${word} told\`, told);
      test(
        'told it\\'s so', told);
    });`;
    const names = namesOf(source);

    assert.deepEqual(names, ['a load', 'is … told', "told it\\'s so"]);
    assert.equal(names.flatMap((text) => forbidden({ place: 'x', text })).length, 2);
  });

  it('finds a phrase in the comments of TypeScript and SQL, and neither in code nor in names', () => {
    const hits = (text: string, file: string): number => forbidden({ place: 'x', text: commentsOf(text, file) }).length;

    assert.equal(hits('/** Every file is held\n * against the list. */\nconst told = 1; // told\n', 'x.ts'), 2);
    assert.equal(hits("const url = 'http://told'; // `told`, docs/decisions/0006-forms-and-codings.md\n", 'x.ts'), 0);
    assert.equal(hits('const a = <p>told // told</p>; /* told */', 'x.tsx'), 1);
    assert.equal(hits('-- name: tell :exec\n-- It is told.\nselect told;\n', 'x.sql'), 1);
  });
});
