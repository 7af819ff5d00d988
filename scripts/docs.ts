/**
 * Writes the blocks of the docs that are generated from code: between `<!-- NAME -->` and `<!-- /NAME -->`, and
 * docs/openapi.json, and the declarations of the report families for the client. With `--check` it writes nothing and
 * fails when one is stale, or when the linter finds anything.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { helpOf, overviewOf } from '../packages/cli/src/help.ts';
import { settingsTable } from '../packages/service/src/commands/setting-flags.ts';
import { flagOf, variableOf } from '../packages/service/src/config/config.ts';
import { FORMER, FORMER_NAMES } from '../packages/service/src/config/former-settings.ts';
import { PROBLEMS } from '../packages/service/src/contract/problems.ts';
import { FILE_NAMES, FILES, type FileColumn } from '../packages/service/src/import/file-columns.ts';
import { PROGRAM } from '../packages/service/src/program.ts';
import { describeService, lintDescription } from './description.ts';
import { clientFamilies } from './families.ts';
import { roomsTable } from './rooms.ts';

const NEEDED = { cell: 'yes, in every row', column: 'yes, cells may be empty', no: '' };

function columnRow(file: string, { header, aliases, needed, gives }: FileColumn<unknown>): string {
  const others = aliases.map((alias) => `\`${alias}\``).join(', ');
  return `| ${file} | \`${header}\` | ${others} | ${NEEDED[needed]} | ${gives} |`;
}

const BLOCKS: Record<string, { file: string; text: () => string }> = {
  rooms: { file: 'ARCHITECTURE.md', text: () => roomsTable('packages/service/src') },
  'former-settings': {
    file: 'docs/config.md',
    text: () =>
      [
        '| Deprecated | Current |',
        '|---|---|',
        ...FORMER.map((former) => {
          const name = FORMER_NAMES[former];
          return `| \`${flagOf(former)}\`, \`${variableOf(former)}\` | \`${flagOf(name)}\`, \`${variableOf(name)}\` |`;
        }),
      ].join('\n'),
  },
  settings: {
    file: 'docs/config.md',
    text: () =>
      [
        '| Flag | Variable | Default | What it sets |',
        '|---|---|---|---|',
        ...settingsTable().map(
          (row) =>
            `| \`${row.flag}\` | \`${row.variable}\`${row.fileVariable ? `, \`${row.fileVariable}\`` : ''} | ${row.default} | ${row.help} |`,
        ),
      ].join('\n'),
  },
  problems: {
    file: 'docs/errors.md',
    text: () =>
      [
        '| Code | Status | Retry unchanged | Meaning and what to do |',
        '|---|---|---|---|',
        ...Object.entries(PROBLEMS).map(
          ([code, { status, retryable, title, help }]) =>
            `| \`${code}\` | ${status} | ${retryable ? 'yes' : 'no'} | **${title}.** ${help} |`,
        ),
      ].join('\n'),
  },
  columns: {
    file: 'docs/import.md',
    text: () =>
      [
        '| File | Column | Aliases | Required | Not available without it |',
        '|---|---|---|---|---|',
        ...FILE_NAMES.flatMap((file) => Object.values(FILES[file]).map((column) => columnRow(file, column))),
      ].join('\n'),
  },
  help: { file: 'docs/cli.md', text: () => `\`\`\`text\n${overviewOf(PROGRAM)}\n\`\`\`` },
  'service-help': {
    file: 'docs/cli.md',
    text: () => `\`\`\`text\n${helpOf(PROGRAM.sections[1]?.commands ?? [])}\n\`\`\``,
  },
  'terminal-help': {
    file: 'docs/terminal.md',
    text: () => `\`\`\`text\n${helpOf(PROGRAM.sections[0]?.commands ?? [])}\n\`\`\``,
  },
};

const check = process.argv.includes('--check');
const stale: string[] = [];
for (const [name, { file, text }] of Object.entries(BLOCKS)) {
  const path = new URL(`../${file}`, import.meta.url);
  const before = readFileSync(path, 'utf8');
  const block = new RegExp(`(<!-- ${name} -->\\n)[\\s\\S]*?(<!-- /${name} -->)`);
  if (!block.test(before)) throw new Error(`${file} has no block ${name}`);
  const after = before.replace(block, (_all, open: string, close: string) => `${open}${text()}\n${close}`);
  if (after === before) continue;
  stale.push(`${file} (${name})`);
  if (!check) writeFileSync(path, after);
}

const description = await describeService();
const WHOLE_FILES = {
  'docs/openapi.json': description,
  'packages/client/src/families.ts': clientFamilies(),
};
for (const [file, text] of Object.entries(WHOLE_FILES)) {
  const path = new URL(`../${file}`, import.meta.url);
  if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
  stale.push(file);
  if (!check) writeFileSync(path, text);
}
const faults = await lintDescription(description);
if (faults.length > 0) {
  console.error(faults.join('\n'));
  process.exit(1);
}

if (stale.length > 0) {
  console.error(check ? `Stale docs: ${stale.join(', ')}. Run: npm run docs` : `Wrote ${stale.join(', ')}`);
  if (check) process.exit(1);
}
