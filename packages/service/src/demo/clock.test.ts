import assert from 'node:assert/strict';
import { test } from 'node:test';
import { instantAt, stamp } from './clock.ts';

const HOUR = 3600;
const at = (zone: string, date: number, seconds: number): string => stamp(instantAt(zone, date, seconds));

test('a wall clock time becomes the instant at which the zone shows it', () => {
  assert.equal(at('America/New_York', 20260115, 12 * HOUR), '2026-01-15T17:00:00.000+0000');
  assert.equal(at('America/New_York', 20260715, 12 * HOUR), '2026-07-15T16:00:00.000+0000');
  assert.equal(at('Europe/Dublin', 20260715, 25 * HOUR), '2026-07-16T00:00:00.000+0000');
  assert.equal(at('Asia/Kolkata', 20260715, 0), '2026-07-14T18:30:00.000+0000');
});

test('a time that the clocks skip is taken an hour earlier', () => {
  assert.equal(at('America/Chicago', 20260307, 26.5 * HOUR), '2026-03-08T07:30:00.000+0000');
  assert.equal(at('America/Chicago', 20260307, 27 * HOUR), '2026-03-08T08:00:00.000+0000');
});

test('a time that comes twice is one of the two', () => {
  assert.match(at('America/Chicago', 20261031, 25.5 * HOUR), /^2026-11-01T0[67]:30:00/);
});
