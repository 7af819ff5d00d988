/** The entries of the worked example of docs/metrics.md, and what else its restaurant has. */
import assert from 'node:assert/strict';
import { BISTRO as ANY, newGuid, plainOrder, postOrders, putRestaurant, type Running } from './service.ts';

export const BISTRO = ANY.replace('b15', 'c4d');
export const DATE = '20260310';
export const DAY = { startBusinessDate: DATE };
export const COOK = '5b0d7c1e-3f5a-4d5a-9d1c-7a7f1f6f0b01';
export const SERVER = '5b0d7c1e-3f5a-4d5a-9d1c-7a7f1f6f0b02';
const MANAGER = '5b0d7c1e-3f5a-4d5a-9d1c-7a7f1f6f0b03';
const staff = (n: number) => `e3c1a5d0-9a54-4b3e-8a3c-1f0e6f0a7b0${n}`;
export const [ADA, BO, CY, DI, ED] = [1, 2, 3, 4, 5].map(staff);

function entry(employee: string, job: string, regularHours: number, wage: number | null, changes: object = {}) {
  return {
    guid: newGuid(),
    employeeReference: { guid: employee },
    jobReference: { guid: job },
    inDate: '2026-03-10T14:00:00.000+0000',
    outDate: '2026-03-10T23:00:00.000+0000',
    businessDate: DATE,
    regularHours,
    overtimeHours: 0,
    hourlyWage: wage,
    modifiedDate: '2026-03-10T23:05:00.000+0000',
    ...changes,
  };
}

export const ENTRIES = [
  entry(ADA ?? '', COOK, 8, 20, { overtimeHours: 1.5 }),
  entry(BO ?? '', SERVER, 5.333333, 7.25),
  entry(CY ?? '', SERVER, 4.6666, 7.25),
  entry(DI ?? '', MANAGER, 9, null),
  entry(ED ?? '', SERVER, 0, 7.25, { outDate: null }),
];

const REFERENCE = {
  employees: [
    { guid: ADA, firstName: 'Ada', lastName: 'Ames', chosenName: 'Addie' },
    { guid: BO?.toUpperCase(), firstName: 'Bo', lastName: 'Burns' },
    { guid: CY, firstName: 'Cy', lastName: 'Cole' },
  ],
  jobs: [
    { guid: COOK, title: 'Cook', code: 'K1', wageFrequency: 'HOURLY' },
    { guid: SERVER, title: 'Server', wageFrequency: 'HOURLY' },
    { guid: MANAGER, title: 'Manager', wageFrequency: 'SALARY' },
  ],
};

/** Makes the restaurant and loads the example. */
export async function fill(running: Running, token: string, guid = BISTRO): Promise<void> {
  await putRestaurant(running, token, guid, { name: 'Corner Bistro' });
  await running.call('PUT', `/restaurants/${guid}/reference`, { token, json: REFERENCE });
  const selections = [{ guid: newGuid(), preDiscountPrice: 1500, price: 1340 }];
  const check = { selections, appliedDiscounts: [{ discountAmount: 160 }], payments: [] };
  await postOrders(running, token, guid, [plainOrder({}, check)]);
  const loaded = await running.call('POST', `/restaurants/${guid}/time-entries`, { token, json: ENTRIES });
  assert.equal(loaded.body.accepted, ENTRIES.length, loaded.text);
}
