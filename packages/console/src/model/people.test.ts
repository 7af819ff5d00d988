import assert from 'node:assert/strict';
import { test } from 'node:test';
import { rowsOfWorkers, workerName } from './people.ts';

const [ONE, OTHER] = ['11111111-0000-4000-8000-000000000001', '22222222-0000-4000-8000-000000000002'];

test('jobs without a title are a row for each GUID, those with the same title one row', () => {
  const sums = [
    { jobGuid: ONE, jobTitle: null },
    { jobGuid: OTHER, jobTitle: '' },
    { jobGuid: ONE, jobTitle: null },
    { jobGuid: null, jobTitle: null },
    { jobGuid: ONE, jobTitle: 'Server' },
    { jobGuid: OTHER, jobTitle: 'Server' },
  ];
  const rows = rowsOfWorkers(sums, 'JOB').map((same) => [workerName(same[0] ?? {}, 'JOB'), same.length]);
  assert.deepEqual(rows, [
    ['Unnamed job 11111111', 2],
    ['Unnamed job 22222222', 1],
    ['Without a job', 1],
    ['Server', 2],
  ]);
});

test('employees are a row for each GUID, whatever their names', () => {
  const sums = [
    { employeeGuid: ONE, employeeFirstName: 'Ana', employeeLastName: 'Li' },
    { employeeGuid: OTHER, employeeFirstName: 'Ana', employeeLastName: 'Li', employeeChosenName: 'Nan' },
    { employeeGuid: OTHER.replace('2', '3') },
    {},
  ];
  assert.deepEqual(
    rowsOfWorkers(sums, 'EMPLOYEE').map(([worker = {}]) => workerName(worker, 'EMPLOYEE')),
    ['Ana Li', 'Nan Li', 'Unnamed employee 32222222', 'Without an employee'],
  );
});
