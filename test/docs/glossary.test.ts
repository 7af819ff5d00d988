/** The glossary is short, and the docs site explains its words where it uses them. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, it } from 'node:test';
import { asHtml } from '../../packages/service/src/docs-site/html.ts';
import { linkWords } from '../../packages/service/src/docs-site/words.ts';

const TEXT = readFileSync(new URL('../../docs/glossary.md', import.meta.url), 'utf8');
const WORDS = [...TEXT.matchAll(/^## (.+)\n\n(.+)\n/gm)].map(([, word = '', meaning = '']) => ({ word, meaning }));
const linked = (text: string): string => linkWords(asHtml(text)).html;

describe('the glossary', () => {
  it('has at most 30 words, in their order, each with one or two sentences', () => {
    const names = WORDS.map(({ word }) => word);
    assert.equal(names.length, TEXT.match(/^## /gm)?.length);
    assert.ok(names.length > 20 && names.length <= 30, `${names.length} words`);
    assert.deepEqual(names, names.toSorted());
    const long = WORDS.filter(({ meaning }) => !/^[^.]+(\. [^.]+)?\.$/.test(meaning));
    assert.deepEqual(long, []);
  });

  it('is linked from the first place of a word on a page, with its meaning', () => {
    const { meaning = '' } = WORDS.find(({ word }) => word === 'Time entry') ?? {};
    assert.equal(
      linked('<p>Time entries of a job; a time entry.</p>'),
      `<p><a class="word" href="/docs/glossary#time-entry" title="${meaning}">Time entries</a> of a job; a time entry.</p>`,
    );
  });

  it('is not linked from links, code, headings, the name of the service and everyday words', () => {
    for (const page of [
      '<h2>Net sales</h2><a href="/">net sales</a><code>net sales</code><pre tabindex="0"><code>net sales</code> net sales</pre>',
      '<p>Daypart loads an order in order to check it with @daypart/client.</p>',
    ])
      assert.equal(linked(page), page);
  });
});
