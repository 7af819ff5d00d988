/**
 * Writes the blocks of the docs that are generated from code: between `<!-- NAME -->` and `<!-- /NAME -->`.
 * With `--check` it writes nothing and fails when a block is stale.
 */
import { readFileSync, writeFileSync } from 'node:fs';
import { HELP, settingsTable } from '../packages/service/src/commands/help.ts';
import { PROBLEMS } from '../packages/service/src/problems.ts';

const BLOCKS: Record<string, { file: string; text: () => string }> = {
  settings: {
    file: 'docs/config.md',
    text: () =>
      [
        '| Flag | Variable | Default | What it sets |',
        '|---|---|---|---|',
        ...settingsTable().map((row) => `| \`${row.flag}\` | \`${row.variable}\` | ${row.default} | ${row.help} |`),
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
  help: { file: 'docs/cli.md', text: () => `\`\`\`text\n${HELP}\n\`\`\`` },
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
if (stale.length > 0) {
  console.error(check ? `Stale docs: ${stale.join(', ')}. Run: npm run docs` : `Wrote ${stale.join(', ')}`);
  if (check) process.exit(1);
}
