/** Reference data: the names for GUIDs in orders and time entries. See docs/loading.md#reference-data. */
import { Text, Type, Words } from '../contract/schemas.ts';
import { asListed, cleanName, isStorable } from '../contract/words.ts';
import type { Reference } from '../facts/reference.ts';
import {
  type BodyField,
  bodyReader,
  field,
  flagField,
  listField,
  maybeName,
  nullable,
  objectField,
  storedName,
  unblankText,
} from '../http/body-fields.ts';

export const LONGEST_GUID = 200;
const LONGEST_NAME = 500;

// In bodies and answers.
export const GuidText = Type.String({ minLength: 1, maxLength: LONGEST_GUID, pattern: '\\S', examples: ['d1'] });
export const LongName = Type.String({ minLength: 1, maxLength: LONGEST_NAME, pattern: '\\S', examples: ['Dine In'] });
export const PersonName = (example: string) => Type.String({ maxLength: LONGEST_NAME, examples: [example] });
const FREQUENCIES = ['HOURLY', 'SALARY'] as const;
export const Frequency = Words(FREQUENCIES, { examples: ['HOURLY'] });

const anyText = unblankText(GuidText, LONGEST_GUID);
/** In lower case, as orders refer to it. */
const guid: BodyField<string> = { ...anyText, read: (value, at) => anyText.read(value, at).toLowerCase() };
const name = storedName(LongName, LONGEST_NAME);
const maybeText = (example: string) => nullable(maybeName(PersonName(example), LONGEST_NAME), '');
/**
 * Optional text that earlier versions ignored, so it is never refused: if too long it is cut, if not storable it counts
 * as missing.
 */
const cutText = (example: string) =>
  nullable(
    field(Text(example), 'a text', (value) => {
      if (typeof value !== 'string') return undefined;
      return isStorable(value) ? cleanName([...value].slice(0, LONGEST_NAME).join('')) : '';
    }),
    '',
  );

/** A word of the POS that is unknown counts as missing, since its enumerations grow. */
const frequency = field(
  Text('HOURLY', { description: '`HOURLY` or `SALARY`; another word counts as missing' }),
  'a text',
  (value) => (typeof value === 'string' ? (FREQUENCIES.find((word) => word === asListed(value)) ?? null) : undefined),
);

/** Entries may have more properties, as those of a POS do; they are ignored. */
const list = <F extends Record<string, BodyField<unknown>>>(title: string, fields: F) =>
  nullable(
    listField(objectField({ guid, ...fields }, { schema: { title }, open: true }), { unique: 'guid' }),
    undefined,
  );

/** The body of PUT /restaurants/{guid}/reference. A missing list leaves the stored one unchanged. */
export const referenceBody = bodyReader('ReferenceBody', {
  diningOptions: list('NamedBody', { name }),
  revenueCenters: list('NamedBody', { name }),
  employees: list('EmployeeBody', {
    firstName: maybeText('Ada'),
    lastName: maybeText('Byron'),
    chosenName: cutText('Addie'),
  }),
  jobs: list('JobBody', {
    title: maybeText('Cook'),
    code: cutText('C1'),
    wageFrequency: nullable(frequency, null),
    excludeFromReporting: nullable(flagField(false), false),
  }),
});

/** Returns the lists that are present. Throws Problem invalid_body or unknown_field with the pointer. */
export function readReference(body: unknown): Partial<Reference> {
  const { diningOptions, revenueCenters, employees, jobs } = referenceBody.read(body);
  return {
    ...(diningOptions && { diningOptions }),
    ...(revenueCenters && { revenueCenters }),
    ...(employees && { employees }),
    ...(jobs && { jobs }),
  };
}
