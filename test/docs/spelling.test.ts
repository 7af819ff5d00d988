/** Labor has one spelling in the docs, that of the API. The console spells it as the viewer does. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { FILES, readText } from './markdown.ts';

test('the docs spell labor as the API does, outside code and addresses', () => {
  const found = [...FILES, 'CHANGELOG.md'].flatMap((file) =>
    readText(file)
      .replace(/`[^`\n]+`|\]\([^)\s]+\)/g, '')
      .split('\n')
      .flatMap((line, at) => (/\blabour\b/i.test(line) ? [`${file}:${at + 1}`] : [])),
  );
  assert.deepEqual(found, []);
});
