/** The rooms of the packages: the folders of their sources, and what each says of itself. */
import { existsSync, globSync, readdirSync, readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));

export interface Room {
  name: string;
  /** The file named as the room, or its `index.ts`, from the root of the repository; undefined if it has neither. */
  file: string | undefined;
  /** The first comment of the file, without its marks; empty if it has none. */
  docstring: string;
  /** The lines of the comment in the file. */
  lines: number;
}

/** The rooms of a folder of sources such as `packages/service/src`, by name: its folders with code other than tests. */
export function roomsOf(sources: string): Room[] {
  return readdirSync(`${ROOT}${sources}`, { withFileTypes: true })
    .filter((entry) => entry.isDirectory() && codeIn(`${sources}/${entry.name}`))
    .map(({ name }) => {
      const file = [`${name}.ts`, `${name}.tsx`, 'index.ts']
        .map((own) => `${sources}/${name}/${own}`)
        .find((path) => existsSync(`${ROOT}${path}`));
      const [comment = ''] = /^\/\*\*.*?\*\//s.exec(file ? readFileSync(`${ROOT}${file}`, 'utf8') : '') ?? [];
      const docstring = comment
        .replaceAll(/^\/\*\*|\*\/$|^ \*/gm, '')
        .replaceAll(/\s+/g, ' ')
        .trim();
      return { name, file, docstring, lines: docstring === '' ? 0 : contentLines(comment) };
    })
    .sort((a, b) => (a.name < b.name ? -1 : 1));
}

const codeIn = (folder: string): boolean =>
  globSync(`${folder}/**/*.{ts,tsx}`, { cwd: ROOT }).some((file) => !/\.test\.tsx?$/.test(file));

/** The lines of a comment that have text. */
const contentLines = (comment: string): number => comment.split('\n').filter((line) => /\w/.test(line)).length;

/** The first sentence of a room. */
export const sentenceOf = ({ docstring }: Room): string => /^.*?\.(?=\s|$)/.exec(docstring)?.[0] ?? docstring;

/** The rooms of a folder as rows of a table in Markdown. */
export const roomsTable = (sources: string): string =>
  [
    '| Room | What it is |',
    '|---|---|',
    ...roomsOf(sources).map((room) => `| \`${room.name}/\` | ${sentenceOf(room)} |`),
  ].join('\n');
