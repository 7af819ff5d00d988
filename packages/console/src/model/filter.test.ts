/** What a filter keeps, and how the address has it. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import { choosing, filterOf, keeps } from './filter.ts';

const DAYPARTS = [
  { name: 'Lunch', from: '11:00', to: '15:00' },
  { name: 'Late night', from: '22:00', to: '05:00' },
];
const of = (search: string) => filterOf(new URLSearchParams(search), DAYPARTS);

it('a daypart keeps its hours, over midnight too', () => {
  const filter = of('daypart=Late+night');
  assert.ok(filter);
  const kept = Array.from({ length: 24 }, (_, hour) => hour).filter((hour) =>
    keeps(filter, { businessHour: String(hour) }),
  );
  assert.deepEqual(kept, [0, 1, 2, 3, 4, 22, 23]);
  assert.deepEqual(filter.names, [['daypart', 'Late night']]);
});

it('a source keeps its rows, and a card that is split by sources shows all of them', () => {
  const filter = of('hour=12&orderSource=IN_STORE');
  assert.ok(filter);
  assert.deepEqual(filter.names, [
    ['hour', '12 pm'],
    ['orderSource', 'In store'],
  ]);
  const inStore = { businessHour: '12', orderSource: 'IN_STORE' };
  const online = { businessHour: '12', orderSource: 'ONLINE' };
  assert.equal(keeps(filter, inStore), true);
  assert.equal(keeps(filter, online), false);
  assert.equal(keeps(filter, online, 'orderSource'), true);
  assert.equal(keeps(filter, { businessHour: '13', orderSource: 'IN_STORE' }), false);
  assert.equal(keeps(filter, { businessHour: '13', orderSource: 'IN_STORE' }, 'businessHour'), true);
});

it('an hour replaces a daypart, and an order source a dining option', () => {
  const address = new URLSearchParams('d=2026-11-20&daypart=Lunch&diningOption=Dine+In');
  assert.equal(String(choosing(address, 'hour', '12')), 'd=2026-11-20&diningOption=Dine+In&hour=12');
  assert.equal(String(choosing(address, 'orderSource', 'API')), 'd=2026-11-20&daypart=Lunch&orderSource=API');
  assert.equal(String(choosing(address, 'daypart', undefined)), 'd=2026-11-20&diningOption=Dine+In');
});

it('an address without a filter, or with one that does not exist, has none', () => {
  assert.equal(of('d=2026-11-20'), undefined);
  assert.equal(of('daypart=Brunch&hour=24&diningOption='), undefined);
});
