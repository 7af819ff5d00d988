import assert from 'node:assert/strict';
import { test } from 'node:test';
import { spell } from './locale.ts';

test('labor is spelled as the English of the viewer has it', () => {
  const spelled = ['en-US', 'en', 'en-GB', 'en-AU'].map((locale) =>
    spell('Labor, per labor hour, collaborate', locale),
  );
  const [american, british] = ['Labor, per labor hour, collaborate', 'Labour, per labour hour, collaborate'];
  assert.deepEqual(spelled, [american, american, british, british]);
});
