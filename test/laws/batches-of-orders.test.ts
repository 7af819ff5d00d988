import { orderArrivals } from './arbitraries.ts';
import { checkLoading } from './loading.ts';

checkLoading('orders', orderArrivals, [
  {},
  { aggregate: 'HOUR', groups: ['DINING_OPTION', 'ORDER_SOURCE'] },
  { kind: 'check' },
  { kind: 'menu', groups: ['MENU_ITEM'] },
  { kind: 'menu', groups: ['MODIFIER'] },
]);
