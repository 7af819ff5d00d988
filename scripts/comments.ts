/**
 * `node scripts/comments.ts` wraps the comments of TypeScript at 120 columns, which Biome leaves as they are: `npm run
 * format`. With `--check` it only names the files with wider ones, for `npm run check`.
 */
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import { pathToFileURL } from 'node:url';
import { parseSync } from 'rolldown/utils';

const FILES = '{bench,packages,scripts,test}/**/*.{ts,tsx,mjs}';
const NOT_OURS = ['**/node_modules/**', '**/static/**', '**/dist/**'];
export const MOST_COLUMNS = 120;

/** Lines that are not joined with those before: items, tags, tables, indented text, and nothing. */
const ON_ITS_OWN = /^(?:$|[-*|@`#]|\d+\. |\s)/;

/** Text in lines of at most so many characters; a longer word has a line of its own. */
function wrap(text: string, width: number): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ')) {
    const last = lines.at(-1);
    if (last !== undefined && last.length + 1 + word.length <= width) lines[lines.length - 1] = `${last} ${word}`;
    else lines.push(word);
  }
  return lines;
}

/** The lines of a comment without their marks, in paragraphs of that width. */
function rewrap(lines: readonly string[], width: number): string[] {
  const paragraphs: string[] = [];
  for (const line of lines) {
    const last = paragraphs.at(-1);
    if (last === undefined || last === '' || ON_ITS_OWN.test(line)) paragraphs.push(line);
    else paragraphs[paragraphs.length - 1] = `${last} ${line}`;
  }
  return paragraphs.flatMap((text) => {
    const [indent = ''] = /^(?:\s*(?:- |\d+\. )?)/.exec(text) ?? [];
    const [first = '', ...more] = wrap(text.slice(indent.length), width - indent.length);
    return [indent + first, ...more.map((line) => ' '.repeat(indent.length) + line)];
  });
}

const isWide = (line: string): boolean => line.length > MOST_COLUMNS;

/**
 * The same source with its wide comments wrapped: those that have their lines to themselves. `path` says of which
 * language it is.
 */
export function wrapComments(path: string, source: string): string {
  const starts = new Set(parseSync(path, source).comments.map(({ start }) => start));
  const lines = source.split('\n');
  const out: string[] = [];
  let offset = 0;
  for (let at = 0; at < lines.length; ) {
    const comment = commentAt(lines, at, (indent) => starts.has(offset + indent));
    const taken = lines.slice(at, at + (comment?.length ?? 1));
    out.push(...(comment?.some(isWide) ? wrapped(taken) : taken));
    offset += taken.join('\n').length + 1;
    at += taken.length;
  }
  return out.join('\n');
}

/** The lines of a comment that begins in this line, if it has all of them to itself. Lines of `//` are one comment. */
function commentAt(lines: readonly string[], at: number, begins: (indent: number) => boolean): string[] | undefined {
  const [, indent = '', mark] = /^(\s*)(\/\*\*(?=\s|$)|\/\/ )/.exec(lines[at] ?? '') ?? [];
  if (mark === undefined || !begins(indent.length)) return undefined;
  let end = at + 1;
  if (mark === '// ') while (lines[end]?.startsWith(`${indent}// `)) end++;
  else while (end < lines.length && !lines[end - 1]?.includes('*/')) end++;
  const taken = lines.slice(at, end);
  return mark === '// ' || taken.at(-1)?.trimEnd().endsWith('*/') ? taken : undefined;
}

function wrapped(lines: readonly string[]): string[] {
  const [indent = ''] = /^\s*/.exec(lines[0] ?? '') ?? [];
  const width = MOST_COLUMNS - indent.length - '// '.length;
  if (!lines[0]?.trim().startsWith('//')) return blockOf(lines, indent, width);
  return rewrap(
    lines.map((line) => line.slice(indent.length + '// '.length)),
    width,
  ).map((text) => `${indent}// ${text}`);
}

function blockOf(lines: readonly string[], indent: string, width: number): string[] {
  const texts = lines.map((line) =>
    line
      .replace(/^\s*\/\*\*? ?/, '')
      .replace(/^\s*\*(?!\/) ?/, '')
      .replace(/\s*\*\/\s*$/, ''),
  );
  if (texts[0] === '') texts.shift();
  if (texts.at(-1) === '') texts.pop();
  return [
    `${indent}/**`,
    ...rewrap(texts, width).map((text) => `${indent} *${text === '' ? '' : ` ${text}`}`),
    `${indent} */`,
  ];
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const isCheck = process.argv.includes('--check');
  const wide: string[] = [];
  for (const file of globSync(FILES, { exclude: NOT_OURS })) {
    const source = readFileSync(file, 'utf8');
    const narrow = wrapComments(file, source);
    if (narrow === source) continue;
    wide.push(file);
    if (!isCheck) writeFileSync(file, narrow);
  }
  if (isCheck && wide.length > 0) {
    console.error(`Comments are wider than ${MOST_COLUMNS} columns, run npm run format:\n${wide.join('\n')}`);
    process.exit(1);
  }
}
