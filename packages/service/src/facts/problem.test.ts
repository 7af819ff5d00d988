import assert from 'node:assert/strict';
import { it } from 'node:test';
import { EngineGone, EngineTimeout } from './bounds.ts';
import { asProblem } from './problem.ts';

it('what the engine and a full disk throw is told in our words, anything else comes back as it is', () => {
  const noSpace = Object.assign(new Error('write'), { code: 'ENOSPC' });
  const code = (error: unknown): unknown => (asProblem(error) as { code?: unknown }).code;
  assert.equal(code(new EngineTimeout('late')), 'engine_timeout');
  assert.equal(code(new EngineGone('ended')), 'unavailable');
  assert.equal(code(new EngineGone('full', true)), 'storage_full');
  assert.equal(code(noSpace), 'storage_full');
  const other = new Error('other');
  assert.equal(asProblem(other), other);
});
