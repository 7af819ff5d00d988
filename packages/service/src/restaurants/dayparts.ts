/** Dayparts as they are set: docs/contract.md#dayparts. */
import { type Daypart, hoursOf } from '../contract/dayparts.ts';
import { fieldProblem } from '../problems.ts';
import { knownFields, objectFields, placeName, requiredText } from './fields.ts';

const MOST_DAYPARTS = 12;
const LONGEST_NAME = 40;
const HOUR = /^([01]\d|2[0-3]):00$/;

const refused = (pointer: string, message: string) =>
  fieldProblem('invalid_body', pointer, `${placeName(pointer)} ${message}.`);

function readHour(value: unknown, at: string): number {
  const [, hour] = HOUR.exec(typeof value === 'string' ? value : '') ?? [];
  if (hour === undefined) throw refused(at, 'must be a whole hour from 00:00 to 23:00');
  return Number(hour);
}

function readDaypart(value: unknown, at: string): Daypart {
  const fields = knownFields(objectFields(value, at), at, ['name', 'from', 'to']);
  const name = requiredText(fields.name, `${at}/name`, LONGEST_NAME);
  return { name, from: readHour(fields.from, `${at}/from`), to: readHour(fields.to, `${at}/to`) };
}

/** Throws where an hour of the day belongs to two of them, or to none. */
function requireWholeDay(dayparts: readonly Daypart[]): void {
  const names = new Map<number, string>();
  for (const [place, daypart] of dayparts.entries()) {
    for (const hour of hoursOf(daypart)) {
      const other = names.get(hour);
      const clock = `${String(hour).padStart(2, '0')}:00`;
      if (other !== undefined) throw refused(`/dayparts/${place}`, `covers ${clock}, which ${other} covers too`);
      names.set(hour, daypart.name);
    }
  }
  const missing = Array.from({ length: 24 }, (_, hour) => hour).find((hour) => !names.has(hour));
  if (missing !== undefined)
    throw refused('/dayparts', `must cover the day: none covers ${String(missing).padStart(2, '0')}:00`);
}

/** Reads the body of a PUT of dayparts. Throws Problem invalid_body or unknown_field with the pointer. */
export function readDayparts(body: unknown): Daypart[] {
  const { dayparts } = knownFields(body, '', ['dayparts']);
  if (!Array.isArray(dayparts) || dayparts.length === 0 || dayparts.length > MOST_DAYPARTS)
    throw refused('/dayparts', `must be an array of 1 to ${MOST_DAYPARTS} dayparts`);
  const read = dayparts.map((one: unknown, place) => readDaypart(one, `/dayparts/${place}`));
  const names = new Set<string>();
  for (const [place, { name }] of read.entries()) {
    if (names.has(name)) throw refused(`/dayparts/${place}/name`, 'is in the list twice');
    names.add(name);
  }
  requireWholeDay(read);
  return read;
}
