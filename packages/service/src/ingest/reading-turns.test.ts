import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import { createReadingTurns, type UntilTurn } from './reading-turns.ts';

const LONG = 5;

/** A body that is read as often as it has pieces, each of one byte; notes each time. */
async function readAll(name: string, pieces: number, untilTurn: UntilTurn, noted: string[]): Promise<void> {
  for (let bytes = 1; bytes <= pieces; bytes++) {
    await untilTurn(bytes);
    noted.push(name);
  }
}

describe('the turns of bodies', () => {
  it('are those of the first body of a group until it was read', async () => {
    const [begin, noted]: [ReturnType<typeof createReadingTurns>, string[]] = [createReadingTurns(), []];

    await Promise.all(['a', 'b', 'c'].map((name) => readAll(name, 3, begin('group'), noted)));

    assert.equal(noted.join(''), 'aaabbbccc');
  });

  it('pass to the next body while one has nothing to be read', async () => {
    const [begin, noted]: [ReturnType<typeof createReadingTurns>, string[]] = [createReadingTurns(), []];
    const first = begin('group');
    const second = readAll('b', 4, begin('group'), noted);

    await second;
    await readAll('a', 1, first, noted);

    assert.equal(noted.join(''), 'bbbba');
  });

  it('are shared by groups, and by the bodies of a group that are long', async () => {
    const bodies = fc.array(
      fc.record({ group: fc.constantFrom('x', 'y', 'z'), pieces: fc.integer({ min: 1, max: 12 }) }),
      {
        minLength: 1,
        maxLength: 6,
      },
    );

    await fc.assert(
      fc.asyncProperty(bodies, async (all) => {
        const [begin, noted]: [ReturnType<typeof createReadingTurns>, string[]] = [createReadingTurns(LONG), []];
        await Promise.all(all.map(({ group, pieces }, index) => readAll(`${index}`, pieces, begin(group), noted)));

        const left = all.map(({ pieces }) => pieces);
        const readSince = new Map<string, number>();
        for (const [turn, name] of noted.entries()) {
          const index = Number(name);
          const ownerOf = (one: number): string =>
            (all[one]?.pieces ?? 0) - (left[one] ?? 0) >= LONG ? `${one}` : `${all[one]?.group}`;
          const owner = ownerOf(index);
          const others = left.flatMap((pieces, one) => (pieces > 0 && one !== index ? [one] : []));
          // No body that began earlier is passed over for one of the same owner, and no owner is passed over for one
          // that had its turn later.
          assert.ok(
            others.every((one) => ownerOf(one) !== owner || one > index),
            `turn ${turn} of ${noted}`,
          );
          const last = readSince.get(owner) ?? -1;
          assert.ok(
            others.every((one) => (readSince.get(ownerOf(one)) ?? -1) >= last),
            `turn ${turn} of ${noted}`,
          );
          readSince.set(owner, turn);
          left[index] = (left[index] ?? 0) - 1;
        }
        assert.deepEqual(
          left,
          left.map(() => 0),
        );
      }),
    );
  });
});
