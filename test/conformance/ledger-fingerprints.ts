/** The part of the ledger's suite that is about the keys of card fingerprints. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';

const NOW = 1_700_000_000_000;

/** Runs it; `withLedger` opens an empty ledger that knows the group `blue`. */
export function fingerprintConformance(
  name: string,
  withLedger: (work: (ledger: Ledger) => Promise<void>) => Promise<void>,
): void {
  describe(`ledger: ${name}: keys of card fingerprints`, () => {
    it('keeps the first key of each group', () =>
      withLedger(async (ledger) => {
        await ledger.ensureGroup('red', NOW);
        assert.equal(await ledger.fingerprintKey('blue'), undefined);
        assert.deepEqual(
          [await ledger.addFingerprintKey('blue', 'a', NOW), await ledger.addFingerprintKey('blue', 'b', NOW)],
          ['a', 'a'],
        );
        assert.equal(await ledger.addFingerprintKey('red', 'c', NOW), 'c');
        assert.deepEqual([await ledger.fingerprintKey('blue'), await ledger.fingerprintKey('red')], ['a', 'c']);
      }));

    it('replaces the key of one group, where it has one', () =>
      withLedger(async (ledger) => {
        await ledger.ensureGroup('red', NOW);
        await ledger.addFingerprintKey('blue', 'a', NOW);
        await ledger.addFingerprintKey('red', 'c', NOW);
        assert.equal(await ledger.rotateFingerprintKey('blue', 'b', NOW + 1), true);
        assert.equal(await ledger.rotateFingerprintKey('green', 'd', NOW + 1), false);
        const keys = await Promise.all(['blue', 'red', 'green'].map((group) => ledger.fingerprintKey(group)));
        assert.deepEqual(keys, ['b', 'c', undefined]);
      }));
  });
}
