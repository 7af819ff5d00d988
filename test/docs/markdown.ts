/** The Markdown of the project, and the code blocks in it with what is said of each. */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

export const ROOT = fileURLToPath(new URL('../..', import.meta.url));

const inDocs = readdirSync(join(ROOT, 'docs'))
  .filter((name) => name.endsWith('.md'))
  .map((name) => `docs/${name}`);
/** The files whose examples are run. */
export const FILES: readonly string[] = [
  'README.md',
  'CONTRIBUTING.md',
  'packages/client/README.md',
  'packages/cli/README.md',
  'packages/service/README.md',
  ...inDocs,
];

export const readText = (file: string): string => readFileSync(join(ROOT, file), 'utf8');

export interface Block {
  file: string;
  /** Line of the fence, from 1. */
  line: number;
  /** The first word after the fence: `sh`, `json`; empty without. */
  language: string;
  text: string;
  /** `<!-- not run: why -->` before it. */
  notRun: string | undefined;
  /** `<!-- run: commands -->` before it: run before the block; what they print is what the block shows. */
  hidden: string | undefined;
}

const COMMENT = /^<!--\s*(not run|run):\s*([\s\S]*?)\s*-->$/;

/** The fenced blocks of a text, in order. A comment belongs to the block that follows it, blank lines between. */
export function readBlocks(file: string, text: string): Block[] {
  const lines = text.split('\n');
  const blocks: Block[] = [];
  let said: { notRun?: string; run?: string } = {};
  for (let at = 0; at < lines.length; at++) {
    let line = lines[at] ?? '';
    if (line.startsWith('<!--')) {
      while (!line.includes('-->') && at + 1 < lines.length) line += `\n${lines[++at]}`;
      const [, kind, words] = COMMENT.exec(line.trim()) ?? [];
      if (kind === 'run') said.run = words ?? '';
      else if (kind !== undefined) said.notRun = words ?? '';
      continue;
    }
    const fence = /^( *)(`{3,})(\S*)/.exec(line);
    if (!fence) {
      if (line.trim() !== '') said = {};
      continue;
    }
    const [, indent = '', ticks = '', language = ''] = fence;
    const start = at + 1;
    while (at + 1 < lines.length && !lines[at + 1]?.trimStart().startsWith(ticks)) at++;
    const body = lines.slice(start, at + 1).map((one) => (one.startsWith(indent) ? one.slice(indent.length) : one));
    at++;
    blocks.push({ file, line: start, language, text: body.join('\n'), notRun: said.notRun, hidden: said.run });
    said = {};
  }
  return blocks;
}
