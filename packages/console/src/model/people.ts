/** Jobs and employees as rows: one for each GUID, or for each title that several restaurants share. */
import type { LaborGroup } from '@daypart/client';

/** What a sum of labor says of its job and its employee. */
export interface Worker {
  jobGuid?: string | null;
  jobTitle?: string | null;
  employeeGuid?: string | null;
  employeeFirstName?: string | null;
  employeeLastName?: string | null;
  employeeChosenName?: string | null;
}

/** The name of a job, or the name by which an employee is called; if it is not loaded, the beginning of the GUID. */
export function workerName(worker: Worker, group: LaborGroup): string {
  const { jobGuid, jobTitle, employeeGuid, employeeFirstName, employeeLastName, employeeChosenName } = worker;
  const [what, guid, name] =
    group === 'JOB'
      ? ['job', jobGuid, jobTitle]
      : [
          'employee',
          employeeGuid,
          [employeeChosenName || employeeFirstName, employeeLastName].filter(Boolean).join(' '),
        ];
  if (name) return name;
  return guid ? `Unnamed ${what} ${guid.slice(0, 8)}` : `Without ${what === 'job' ? 'a' : 'an'} ${what}`;
}

/** Sums by row: jobs with the same title in several restaurants are one; without a title, each job is its own. */
export const rowsOfWorkers = <T extends Worker>(sums: readonly T[], group: LaborGroup): T[][] => [
  ...Map.groupBy(sums, ({ jobGuid, jobTitle, employeeGuid }) =>
    group === 'JOB' ? jobTitle || `guid ${jobGuid}` : `guid ${employeeGuid}`,
  ).values(),
];
