import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { shownJson, shownLines } from '@daypart/client/text';
import { plainPieces } from './terminal.ts';

/** An escape sequence, the title of a terminal, a C1 sequence, DEL, and marks of direction. */
const EVIL = '\u001b[2J\u001b]0;mine\u0007\u009b31m\u007f\u0085\u202eab\u2066\u200f';
// biome-ignore lint/suspicious/noControlCharactersInRegex: there must be none
const OBEYED = /[\u0000-\u0008\u000b-\u001f\u007f-\u009f\u200e\u200f\u202a-\u202e\u2066-\u2069]/;

describe('text for a terminal', () => {
  it('keeps lines and tabs and shows what else a terminal would obey', () => {
    const shown = shownLines(`a\tb\n${EVIL}é日\r\n`);

    assert.doesNotMatch(shown, OBEYED);
    assert.match(shown, /^a\tb\n�\[2J/);
    assert.match(shown, /é日�\n$/);
  });

  it('is JSON of the same meaning', () => {
    const value = { [EVIL]: [EVIL, 'é日'] };
    for (const space of [undefined, 2]) {
      const json = shownJson(JSON.stringify(value, null, space));
      assert.doesNotMatch(json, OBEYED);
      assert.deepEqual(JSON.parse(json), value);
    }
  });

  it('is made of bytes that are cut anywhere, and is left alone for files and pipes', () => {
    const bytes = Buffer.from(`name\r\n${EVIL}é日\rover\r\n`);
    for (let at = 0; at <= bytes.length; at++) {
      const plain = plainPieces({ isTTY: true });
      const text = `${plain(bytes.subarray(0, at))}${plain(bytes.subarray(at))}`;
      assert.doesNotMatch(text, OBEYED);
      assert.match(text, /^name\n[^\n]*é日over\n$/);
    }
    assert.equal(plainPieces({})(bytes), bytes);
  });
});
