import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { MOST_COLUMNS, wrapComments } from '../scripts/comments.ts';

const words = (count: number): string => Array.from({ length: count }, (_, i) => `word${i}`).join(' ');
const wrap = (source: string): string[] => wrapComments('x.ts', source).split('\n');

describe('wide comments', () => {
  it('are wrapped, with their words in order, and are left alone the second time', () => {
    for (const source of [
      `/** ${words(40)} */\nf();`,
      `  // ${words(40)}\n  f();`,
      `/**\n * a\n * ${words(40)}\n */`,
    ]) {
      const lines = wrap(source);

      assert.ok(
        lines.every(({ length }) => length <= MOST_COLUMNS),
        lines.join('\n'),
      );
      assert.deepEqual(lines.join(' ').match(/word\d+/g), words(40).split(' '));
      assert.deepEqual(wrap(lines.join('\n')), lines);
    }
  });

  it('keep paragraphs, items and what follows them', () => {
    const lines = wrap(`/**\n * First.\n *\n * - ${words(30)}\n * - second\n */\nf();`);

    assert.deepEqual(lines.slice(0, 3), ['/**', ' * First.', ' *']);
    assert.match(lines[3] ?? '', /^ \* - word0 /);
    assert.match(lines[4] ?? '', /^ {1}\* {3}word/);
    assert.deepEqual(lines.slice(-3), [' * - second', ' */', 'f();']);
  });

  it('do not include texts and short comments', () => {
    for (const source of [
      `const a = \`\n/** ${words(40)} */\n\`;`,
      `f(); // ${words(40)}`,
      '/** a */\n// b\n// c',
      `const b = '${words(40)}';`,
    ])
      assert.equal(wrapComments('x.ts', source), source);
  });
});
