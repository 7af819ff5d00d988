/** The README of the bench says what each of its files is for. */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { it } from 'node:test';

const BENCH = new URL('../../bench/', import.meta.url).pathname;

it('the README of the bench names every file of it', () => {
  const [, layout = ''] = readFileSync(`${BENCH}README.md`, 'utf8').split(/^## /m);
  const files = globSync('**/*.{ts,sql}', { cwd: BENCH, exclude: ['out/**'] });

  assert.ok(layout.startsWith('How it is laid out') && files.length > 50);
  assert.deepEqual(
    files.filter((file) => !layout.includes(`\`${basename(file)}\``) && !layout.includes(`\`${file}\``)),
    [],
  );
});
