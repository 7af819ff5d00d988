/** Converts reference data to rows of the table of names, and back. */
import type { Reference } from '../reference.ts';
import type { EngineRow } from './protocol.ts';
import { rowsOf, type StatementRow } from './row-types.ts';

interface NameRow {
  guid: string;
  name?: string | null;
  last_name?: string | null;
  wage_frequency?: string | null;
  excluded?: boolean | null;
  chosen_name?: string | null;
  code?: string | null;
}

/** The rows of each kind. GUIDs are matched in lower case, as in orders. */
function namesOf(lists: Partial<Reference>): Record<string, NameRow[]> {
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

/** The rows of each kind of which others are stored: a list that is put again changes nothing. */
export function changedNames(lists: Partial<Reference>, answered: readonly EngineRow[]): Record<string, NameRow[]> {
  const stored = rowsOf('names', answered);
  const textOf = (rows: readonly NameRow[]): string =>
    rows
      .map((row) =>
        JSON.stringify(
          [row.guid, row.name, row.last_name, row.wage_frequency, row.excluded, row.chosen_name, row.code].map(
            (value) => value ?? null,
          ),
        ),
      )
      .sort()
      .join('\n');
  const isChanged = ([kind, rows]: [string, NameRow[]]): boolean =>
    textOf(rows) !== textOf(stored.filter((row) => row.kind === kind));
  return Object.fromEntries(Object.entries(namesOf(lists)).filter(isChanged));
}

/** The stored reference data, by list and GUID. */
export function referenceOf(answered: readonly EngineRow[]): Reference {
  const rows = rowsOf('names', answered);
  const of = (kind: StatementRow<'names'>['kind']) => rows.filter((row) => row.kind === kind);
  const named = (kind: StatementRow<'names'>['kind']) => of(kind).map(({ guid, name }) => ({ guid, name: name ?? '' }));
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
      wageFrequency: wage_frequency,
      excludeFromReporting: excluded ?? false,
    })),
  };
}
