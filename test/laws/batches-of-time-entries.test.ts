import { entryArrivals } from './arbitraries.ts';
import { checkLoading } from './loading.ts';

checkLoading('shifts', entryArrivals, [
  {},
  { aggregate: 'HOUR' },
  { kind: 'labor', groups: ['JOB'] },
  { kind: 'labor', groups: ['EMPLOYEE'] },
]);
