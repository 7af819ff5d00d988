/** Reads and writes dayparts: docs/contract.md#dayparts. */

import { type Daypart, hoursOf } from '../contract/dayparts.ts';
import { fieldProblem, placeName } from '../contract/problems.ts';
import { Type } from '../contract/schemas.ts';
import { bodyReader, field, listField, objectField, storedName } from '../http/body-fields.ts';

const MOST_DAYPARTS = 12;
const LONGEST_NAME = 40;
const HOUR = '^([01]\\d|2[0-3]):00$';
const WHOLE_DAY = [
  { name: 'Breakfast', from: '05:00', to: '11:00' },
  { name: 'Lunch', from: '11:00', to: '17:00' },
  { name: 'Dinner', from: '17:00', to: '05:00' },
];

const hourField = (example: string) =>
  field(Type.String({ pattern: HOUR, examples: [example] }), 'a whole hour from 00:00 to 23:00', (value) =>
    typeof value === 'string' && new RegExp(HOUR).test(value) ? Number(value.slice(0, 2)) : undefined,
  );
const daypartField = objectField(
  {
    name: storedName(
      Type.String({ minLength: 1, maxLength: LONGEST_NAME, pattern: '\\S', examples: ['Breakfast'] }),
      LONGEST_NAME,
    ),
    from: hourField('05:00'),
    to: hourField('11:00'),
  },
  {
    schema: {
      title: 'Daypart',
      description:
        'Whole hours of the clock; `to` is not included, and is before `from` if the daypart passes midnight',
    },
  },
);
const listOfDayparts = listField(daypartField, { bounds: [1, MOST_DAYPARTS], noun: 'dayparts', unique: 'name' });
const daypartsBody = bodyReader(
  'Dayparts',
  { dayparts: listOfDayparts },
  { schema: { examples: [{ dayparts: WHOLE_DAY }] } },
);

/** The dayparts of a restaurant or a group, in bodies and answers. */
export const DaypartList = listOfDayparts.schema;
/** The body of a PUT, and the answer for a group. */
export const Dayparts = daypartsBody.schema;

/** Reads the body of a PUT of dayparts. Throws Problem invalid_body or unknown_field with the pointer. */
export function readDayparts(body: unknown): Daypart[] {
  const { dayparts } = daypartsBody.read(body);
  requireWholeDay(dayparts);
  return dayparts;
}

const refused = (pointer: string, message: string) =>
  fieldProblem('invalid_body', pointer, `${placeName(pointer)} ${message}.`);

/** Throws if an hour of the day belongs to two of them, or to none. */
function requireWholeDay(dayparts: readonly Daypart[]): void {
  const names = new Map<number, string>();
  for (const [index, daypart] of dayparts.entries()) {
    for (const hour of hoursOf(daypart)) {
      const other = names.get(hour);
      const clock = `${String(hour).padStart(2, '0')}:00`;
      if (other !== undefined) throw refused(`/dayparts/${index}`, `covers ${clock}, which ${other} covers too`);
      names.set(hour, daypart.name);
    }
  }
  const missing = Array.from({ length: 24 }, (_, hour) => hour).find((hour) => !names.has(hour));
  if (missing !== undefined)
    throw refused('/dayparts', `must cover the day: none covers ${String(missing).padStart(2, '0')}:00`);
}
