/** The part of the ledger's suite that is about dayparts. */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { describe, it } from 'node:test';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';

const DAY = [{ name: 'Day', from: 4, to: 4 }];
const HALVES = [
  { name: 'Early', from: 4, to: 16 },
  { name: 'Late', from: 16, to: 4 },
];

/** Runs it; `withLedger` opens an empty ledger that knows the group `blue`. */
export function daypartConformance(
  name: string,
  withLedger: (work: (ledger: Ledger) => Promise<void>) => Promise<void>,
): void {
  describe(`ledger: ${name}: dayparts`, () => {
    it('keeps those of a group and of restaurants apart, until they are replaced or removed', () =>
      withLedger(async (ledger) => {
        await ledger.ensureGroup('red', 1);
        const [one, other] = [randomUUID(), randomUUID()];
        assert.deepEqual(await ledger.dayparts('blue'), { group: null, restaurants: {} });

        await ledger.putDayparts('blue', one, DAY);
        await ledger.putDayparts('blue', other, HALVES);
        assert.deepEqual(await ledger.dayparts('blue'), { group: null, restaurants: { [one]: DAY, [other]: HALVES } });
        await ledger.putDayparts('blue', null, HALVES);
        await ledger.putDayparts('blue', one, HALVES);
        await ledger.removeDayparts('blue', other);
        await ledger.removeDayparts('red', one);

        assert.deepEqual(await ledger.dayparts('blue'), { group: HALVES, restaurants: { [one]: HALVES } });
        assert.deepEqual(await ledger.dayparts('red'), { group: null, restaurants: {} });
        assert.deepEqual(await ledger.dayparts('nobody'), { group: null, restaurants: {} });
      }));
  });
}
