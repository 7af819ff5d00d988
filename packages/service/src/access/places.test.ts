import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createPlaces } from './places.ts';

describe('places', () => {
  it('are counted for each key, and given back once', () => {
    const places = createPlaces(2);
    const [first, second] = [places.take('a'), places.take('a')];

    assert.equal(places.take('a'), undefined);
    assert.ok(places.take('b'));
    first?.();
    first?.();
    assert.ok(places.take('a'));
    assert.equal(places.take('a'), undefined);
    second?.();
    assert.ok(places.take('a'));
  });

  it('leave nothing behind', () => {
    const places = createPlaces(3);
    const all = Array.from({ length: 100 }, (_, i) => places.take(`client ${i % 50}`));

    for (const give of all) give?.();

    assert.equal(places.size(), 0);
  });
});
