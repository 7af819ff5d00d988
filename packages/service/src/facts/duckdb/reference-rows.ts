/** Reference data as rows of the table of names, and back. */
import type { Reference } from '../reference.ts';
import type { Row } from './protocol.ts';

interface NameRow {
  guid: string;
  name?: string | null;
  last_name?: string | null;
  wage_frequency?: string | null;
  excluded?: boolean | null;
  chosen_name?: string | null;
  code?: string | null;
}

/** The rows of each kind. GUIDs are matched in lower case, as ingest writes those of orders. */
export function namesOf(lists: Partial<Reference>): Record<string, NameRow[]> {
  const named = (list: { guid: string; name: string }[]): NameRow[] =>
    list.map(({ guid, name }) => ({ guid: guid.toLowerCase(), name }));
  return {
    ...(lists.diningOptions ? { dining: named(lists.diningOptions) } : {}),
    ...(lists.revenueCenters ? { revenue: named(lists.revenueCenters) } : {}),
    ...(lists.employees
      ? {
          employee: lists.employees.map(({ guid, firstName, lastName, chosenName }) => ({
            guid: guid.toLowerCase(),
            name: firstName,
            last_name: lastName,
            chosen_name: chosenName,
          })),
        }
      : {}),
    ...(lists.jobs
      ? {
          job: lists.jobs.map(({ guid, title, code, wageFrequency, excludeFromReporting }) => ({
            guid: guid.toLowerCase(),
            name: title,
            code,
            wage_frequency: wageFrequency,
            excluded: excludeFromReporting,
          })),
        }
      : {}),
  };
}

const textOf = (value: unknown): string | null => (typeof value === 'string' ? value : null);

const nameRowOf = (row: Row): NameRow => ({
  guid: String(row.guid),
  name: textOf(row.name),
  last_name: textOf(row.last_name),
  chosen_name: textOf(row.chosen_name),
  code: textOf(row.code),
  wage_frequency: textOf(row.wage_frequency),
  excluded: typeof row.excluded === 'boolean' ? row.excluded : null,
});

/** What is stored, by list and GUID. */
export function referenceOf(rows: Row[]): Reference {
  const of = (kind: string): NameRow[] => rows.filter((row) => row.kind === kind).map(nameRowOf);
  const named = (kind: string) => of(kind).map(({ guid, name }) => ({ guid, name: name ?? '' }));
  return {
    diningOptions: named('dining'),
    revenueCenters: named('revenue'),
    employees: of('employee').map(({ guid, name, last_name, chosen_name }) => ({
      guid,
      firstName: name ?? '',
      lastName: last_name ?? '',
      chosenName: chosen_name ?? '',
    })),
    jobs: of('job').map(({ guid, name, code, wage_frequency, excluded }) => ({
      guid,
      title: name ?? '',
      code: code ?? '',
      wageFrequency: wage_frequency ?? null,
      excludeFromReporting: excluded ?? false,
    })),
  };
}
