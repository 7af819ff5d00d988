import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { changeOf, pointsOf, sayChange } from './change.ts';

describe('a change', () => {
  it('within 3 % or half a point is usual in either direction', () => {
    assert.equal(changeOf(1030, 1000)?.tone, 'usual');
    assert.equal(changeOf(970, 1000)?.tone, 'usual');
    assert.equal(changeOf(1031, 1000)?.tone, 'good');
    assert.equal(pointsOf(0.155, 0.15, 'less')?.tone, 'usual');
    assert.equal(pointsOf(0.156, 0.15, 'less')?.tone, 'bad');
  });

  it('is better or worse according to its measure', () => {
    assert.deepEqual(changeOf(924, 1000), { direction: 'down', size: '7.6\u202f%', tone: 'bad' });
    assert.equal(changeOf(924, 1000, 'less')?.tone, 'good');
    assert.deepEqual(pointsOf(0.137, 0.156, 'less'), { direction: 'down', size: '1.9\u202fpt', tone: 'good' });
  });

  it('from nothing has no size', () => {
    assert.equal(changeOf(1000, 0), undefined);
    assert.equal(changeOf(1000, undefined), undefined);
    assert.equal(pointsOf(0.1, undefined, 'less'), undefined);
  });

  it('from a negative amount is of its size: more is up', () => {
    assert.deepEqual(changeOf(50, -100), { direction: 'up', size: '150.0\u202f%', tone: 'good' });
    assert.equal(changeOf(-150, -100)?.direction, 'down');
  });

  it('is said in words', () => {
    assert.equal(sayChange({ direction: 'down', size: '7.6 %', tone: 'bad' }), '7.6 % less');
    assert.equal(sayChange({ direction: 'same', size: '0.0 %', tone: 'usual' }), 'the same');
  });
});
