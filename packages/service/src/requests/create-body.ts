/** The bodies of create calls, by family: docs/contract.md#creating-report-requests. */
import { readBusinessDate } from '../contract/dates.ts';
import { fieldProblem, placeName } from '../contract/problems.ts';
import { Guid, Type, Words } from '../contract/schemas.ts';
import { readGuid, type Span } from '../contract/words.ts';
import type { ReportFamily } from '../families/family.ts';
import { type BodyField, type BodyReader, bodyReader, invalidField, nullable, readArray } from '../http/body-fields.ts';

export interface GivenReport {
  startDate: number;
  /** YYYYMMDD integer; undefined for a report of one day that names only its start. */
  endDate: number | undefined;
  /** Lower-case GUIDs without duplicates, each with the pointer of its first occurrence in the body. */
  restaurantIds: ReadonlyMap<string, string>;
  excludedRestaurantIds: ReadonlyMap<string, string>;
  /** In the order that the family defines; undefined if none are given. */
  groups: string[] | undefined;
}

const dateField: BodyField<number> = {
  schema: Type.Union([Type.String({ pattern: '^\\d{4}-?\\d{2}-?\\d{2}$' }), Type.Integer()], {
    description: 'A business date, `YYYYMMDD` as text or number; `YYYY-MM-DD` is tolerated',
    examples: ['20260310'],
    title: 'GivenDate',
  }),
  read(value, at) {
    if (value === undefined || value === null) throw fieldProblem('invalid_body', at, `${placeName(at)} is required.`);
    const date = readBusinessDate(value);
    if (date !== undefined) return date;
    throw fieldProblem('invalid_date', at, `${placeName(at)} must be an existing date written YYYYMMDD.`);
  },
};

const NONE: ReadonlyMap<string, string> = new Map();
const guidsField: BodyField<ReadonlyMap<string, string>> = {
  schema: Type.Array(Guid),
  read(value, at) {
    const ids = new Map<string, string>();
    for (const [index, item] of readArray(value, at, 'an array of restaurant GUIDs').entries()) {
      const guid = readGuid(item);
      if (!guid) throw invalidField(`${at}/${index}`, 'a GUID');
      if (!ids.has(guid)) ids.set(guid, `${at}/${index}`);
    }
    return ids;
  },
};

/**
 * Up to `mostGroups` different groups of the family, returned in its order. Throws Problem invalid_group, or
 * invalid_body.
 */
const groupsField = ({ groups, mostGroups, title, aggregates }: ReportFamily): BodyField<string[]> => ({
  schema: Type.Array(Words(groups, { title: `${title}GroupBy` }), { maxItems: mostGroups, uniqueItems: true }),
  read(value, at) {
    const requested = new Set<string>();
    for (const [index, item] of readArray(value, at).entries()) {
      const pointer = `${at}/${index}`;
      const group = groups.find((known) => known === item);
      if (!group) {
        const aggregate = aggregates.find((known) => known === item);
        const instead = aggregate ? ` For ${aggregate} there is the query parameter aggregateBy=${aggregate}.` : '';
        throw fieldProblem(
          'invalid_group',
          pointer,
          `${placeName(pointer)} must be one of ${groups.join(', ')}.${instead}`,
        );
      }
      if (requested.has(group)) throw fieldProblem('invalid_group', pointer, `${placeName(at)} names ${group} twice.`);
      requested.add(group);
    }
    if (requested.size > mostGroups)
      throw fieldProblem('invalid_group', at, `${placeName(at)} takes at most ${valuesOf(mostGroups)}.`);
    return groups.filter((group) => requested.has(group));
  },
});
const valuesOf = (most: number): string => (most === 1 ? 'one value' : 'two values');

/**
 * The date field of this family to suggest if the body has that of another, such as `startDate` for
 * `startBusinessDate`.
 */
function meantDate({ dates: { start, end } }: ReportFamily, field: string): string | undefined {
  if (field === 'startDate' || field === 'startBusinessDate') return start;
  return field === 'endDate' || field === 'endBusinessDate' ? end : undefined;
}

function openBody(family: ReportFamily, isDay: boolean): BodyReader<GivenReport> {
  const { dates, groups, mostGroups, title } = family;
  const end = isDay ? nullable(dateField, undefined, { examples: ['20260310'] }) : dateField;
  const groupBy = {
    description: `Groups of the rows: up to ${mostGroups === 1 ? 'one value' : 'two different values'}`,
    examples: [groups.slice(0, 1)],
  };
  return bodyReader(
    `${title}${isDay ? 'Day' : ''}Request`,
    {
      startDate: { ...dateField, property: dates.start },
      endDate: { ...end, property: dates.end },
      restaurantIds: nullable(guidsField, NONE, {
        title: 'RestaurantIds',
        description: 'The restaurants to include; an empty list means all active restaurants of the management group',
        examples: [[]],
      }),
      excludedRestaurantIds: nullable(guidsField, NONE, {
        title: 'ExcludedRestaurantIds',
        description: 'The restaurants to exclude; only one of the two lists may be filled',
        examples: [[]],
      }),
      groups:
        groups.length === 0 ? undefined : { ...nullable(groupsField(family), undefined, groupBy), property: 'groupBy' },
    },
    { meant: (name) => meantDate(family, name) },
  );
}

/** The readers of a family's bodies: for one day, whose end date is optional, and for any other span. */
const readers = new WeakMap<ReportFamily, Record<'day' | 'other', BodyReader<GivenReport>>>();

/** The body of POST {path}/{timeRange}, or of POST {path} (`custom`). All spans but `day` share one schema. */
export function createBody(family: ReportFamily, span: Span): BodyReader<GivenReport> {
  const known = readers.get(family) ?? { day: openBody(family, true), other: openBody(family, false) };
  readers.set(family, known);
  return span === 'day' ? known.day : known.other;
}
