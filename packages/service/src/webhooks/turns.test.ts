import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { nextTurn, type Receiver } from './turns.ts';

const clients = (group: string, count: number): Receiver[] =>
  Array.from({ length: count }, (_, at) => ({ group, clientId: `${group}-${at}` }));

/** Starts deliveries, beside those that run, until no receiver may get another. */
function fill(
  due: Receiver[],
  running: Receiver[] = [],
  isSlow: (receiver: Receiver) => boolean = () => false,
): Receiver[] {
  const all = [...running];
  for (let next = nextTurn(due, all, isSlow); next; next = nextTurn(due, all, isSlow)) all.push(next);
  return all;
}
const countOf = (all: Receiver[], group: string): number => all.filter((one) => one.group === group).length;

describe('the turn of a delivery', () => {
  it('leaves half of the places free when one group has any number of clients', () => {
    assert.equal(fill(clients('a', 500)).length, 32);
    assert.equal(fill(clients('a', 1)).length, 2);
  });

  it('is given to every further group at once, though those before answer none', () => {
    let running: Receiver[] = [];
    for (const group of ['a', 'b', 'c', 'd', 'e', 'f']) {
      running = fill([...clients('a', 500), ...clients(group, 500)], running);
      assert.ok(countOf(running, group) >= 1, group);
    }
    assert.ok(running.length < 64);
  });

  it('goes round the groups: each has the same number, however many clients are due in any order', () => {
    const all = fill([...clients('a', 500), ...clients('b', 30), ...clients('c', 30)]);
    const counts = ['a', 'b', 'c'].map((group) => countOf(all, group));
    assert.ok(Math.max(...counts) - Math.min(...counts) <= 1, counts.join());
    assert.ok(countOf(fill([...clients('a', 500), ...clients('b', 1)]), 'b') === 2);
  });

  it('comes less often to slow receivers: one delivery each, and a quarter of the places together', () => {
    const slow = ({ group }: Receiver): boolean => group !== 'good';
    assert.equal(fill(clients('a', 1), [], slow).length, 1);
    const due = Array.from({ length: 12 }, (_, at) => clients(`slow-${at}`, 40)).flat();
    const all = fill(due, [], slow);
    assert.equal(all.length, 16);
    assert.equal(countOf(fill([...due, ...clients('good', 5)], all, slow), 'good'), 10);
  });
});
