import { entryArrivals } from './arbitraries.ts';
import { checkLoading } from './loading.ts';

checkLoading('shifts', entryArrivals, [{}, { aggregate: 'HOUR' }]);
