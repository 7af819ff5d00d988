/** Reference data, which gives names to the GUIDs of orders and time entries: docs/loading.md#reference-data. */
import type { NamedRef, Reference } from '../facts/reference.ts';
import { isStorable } from '../ingest/source.ts';
import { fieldProblem } from '../problems.ts';
import {
  type Fields,
  knownFields,
  objectFields,
  optionalFlag,
  optionalText,
  optionalWord,
  placeName,
  requiredList,
  requiredText,
} from './fields.ts';

const LISTS = ['diningOptions', 'revenueCenters', 'employees', 'jobs'] as const;
const LONGEST_GUID = 200;
const LONGEST_NAME = 500;

/**
 * Reads the body of PUT /restaurants/{guid}/reference: the lists that are present. Throws Problem invalid_body or
 * unknown_field with the pointer; a guid given twice in one list is invalid. Entries may have more properties, as those
 * of a POS have: they are ignored.
 */
export function readReference(body: unknown): Partial<Reference> {
  const fields = knownFields(body, '', LISTS);
  const lists: Partial<Reference> = {};
  if (isGiven(fields.diningOptions)) lists.diningOptions = readList(fields.diningOptions, '/diningOptions', readNamed);
  if (isGiven(fields.revenueCenters)) {
    lists.revenueCenters = readList(fields.revenueCenters, '/revenueCenters', readNamed);
  }
  if (isGiven(fields.employees)) lists.employees = readList(fields.employees, '/employees', readEmployee);
  if (isGiven(fields.jobs)) lists.jobs = readList(fields.jobs, '/jobs', readJob);
  return lists;
}

/** Whether nothing has been stored yet. */
export const isEmpty = (reference: Reference): boolean => LISTS.every((list) => reference[list].length === 0);

const isGiven = (value: unknown): boolean => value !== undefined && value !== null;

function readList<T extends { guid: string }>(
  value: unknown,
  pointer: string,
  read: (entry: unknown, pointer: string) => T,
): T[] {
  const guids = new Set<string>();
  return requiredList(value, pointer).map((entry, i) => {
    const place = `${pointer}/${i}`;
    const item = read(entry, place);
    if (guids.has(item.guid)) {
      throw fieldProblem('invalid_body', `${place}/guid`, `${placeName(place)}.guid is in the list twice.`);
    }
    guids.add(item.guid);
    return item;
  });
}

/** In lower case, as orders refer to it. */
const guidOf = (fields: Fields, at: string): string =>
  requiredText(fields.guid, `${at}/guid`, LONGEST_GUID).toLowerCase();

function readNamed(entry: unknown, at: string): NamedRef {
  const fields = objectFields(entry, at);
  return { guid: guidOf(fields, at), name: requiredText(fields.name, `${at}/name`, LONGEST_NAME) };
}

/** A text that was ignored once: what is too long is cut, and what cannot be stored is as if missing, instead of refused. */
function cut(value: unknown): unknown {
  if (typeof value !== 'string') return value;
  return isStorable(value) ? [...value].slice(0, LONGEST_NAME).join('') : null;
}

function readEmployee(entry: unknown, at: string): Reference['employees'][number] {
  const fields = objectFields(entry, at);
  return {
    guid: guidOf(fields, at),
    firstName: optionalText(fields.firstName, `${at}/firstName`, LONGEST_NAME) ?? '',
    lastName: optionalText(fields.lastName, `${at}/lastName`, LONGEST_NAME) ?? '',
    chosenName: optionalText(cut(fields.chosenName), `${at}/chosenName`, LONGEST_NAME) ?? '',
  };
}

function readJob(entry: unknown, at: string): Reference['jobs'][number] {
  const fields = objectFields(entry, at);
  return {
    guid: guidOf(fields, at),
    title: optionalText(fields.title, `${at}/title`, LONGEST_NAME) ?? '',
    code: optionalText(cut(fields.code), `${at}/code`, LONGEST_NAME) ?? '',
    wageFrequency: optionalWord(fields.wageFrequency, `${at}/wageFrequency`, 'HOURLY or SALARY', (frequency) =>
      ['HOURLY', 'SALARY'].includes(frequency),
    ),
    excludeFromReporting: optionalFlag(fields.excludeFromReporting, `${at}/excludeFromReporting`, false),
  };
}
