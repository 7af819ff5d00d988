import assert from 'node:assert/strict';
import { it } from 'node:test';
import { Problem } from '../contract/problems.ts';
import { EngineGone, EngineTimeout, FactsBusy, FactsGone } from '../facts/errors.ts';
import { asProblem, storeProblem } from './store-problem.ts';

it('errors of the engine and of a full disk become problems, and any other error stays as it is', () => {
  const noSpace = Object.assign(new Error('write'), { code: 'ENOSPC' });
  const code = (error: unknown): unknown => (asProblem(error) as { code?: unknown }).code;
  assert.equal(code(new EngineTimeout('late')), 'engine_timeout');
  assert.equal(code(new EngineGone('ended')), 'unavailable');
  assert.equal(code(new EngineGone('full', true)), 'storage_full');
  assert.equal(code(noSpace), 'storage_full');
  const other = new Error('other');
  assert.equal(asProblem(other), other);
});

it('a load that may have been kept is never answered as if nothing was', () => {
  const answer = (error: unknown) => {
    const problem = storeProblem(error) ?? asProblem(error);
    assert.ok(problem instanceof Problem);
    assert.ok(Number(problem.extras.headers?.['retry-after']) > 0);
    return [problem.status, problem.code, problem.message] as const;
  };
  const [, unknownCode, unknown] = answer(new FactsGone('cut', undefined, true));
  const [, awayCode, away] = answer(new FactsGone('refused'));
  const [busyStatus, busyCode, busy] = answer(new FactsBusy('held'));

  assert.deepEqual(
    [unknownCode, awayCode, busyCode, busyStatus],
    ['store_unavailable', 'store_unavailable', 'busy', 503],
  );
  assert.match(unknown, /it is unknown whether this load was stored. Load it again; that is safe/);
  for (const detail of [unknown, away]) assert.doesNotMatch(detail, /[Nn]othing/);
  assert.match(busy, /Nothing in this call was stored/);
});
