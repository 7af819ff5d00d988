/** Time entries, jobs and employees (doc.toasttab.com/openapi/labor): whole arrays, no pages are documented. */
import { establish } from '../../packages/service/src/demo/reference.ts';
import { type Answer, businessDateIn, type Question, spanOf } from './question.ts';
import { Refusal } from './refusal.ts';

const IDS = 100;

function idsIn(query: URLSearchParams, name: string): string[] | undefined {
  const ids = query.getAll(name).flatMap((text) => text.split(','));
  if (ids.length > IDS) throw new Refusal(400, `At most ${IDS} ${name}`);
  return ids.length > 0 ? ids : undefined;
}

/**
 * One of four questions (doc.toasttab.com/openapi/labor/operation/timeEntriesGet). By `modifiedStartDate` and
 * `modifiedEndDate` deleted entries are always included, by `startDate` and
 * `endDate` with `includeArchived=true`, by `businessDate` never.
 */
export function timeEntries({ query, house, now }: Question): Answer {
  const isAsked = (...names: string[]): boolean => names.every((name) => query.has(name));
  const ids = idsIn(query, 'timeEntryIds');
  const requested = [
    ids !== undefined,
    isAsked('modifiedStartDate', 'modifiedEndDate'),
    isAsked('startDate', 'endDate'),
    isAsked('businessDate'),
  ];
  if (requested.filter(Boolean).length !== 1)
    throw new Refusal(
      400,
      'Use timeEntryIds, modifiedStartDate and modifiedEndDate, startDate and endDate, or businessDate',
    );
  if (ids) return { body: ids.flatMap((guid) => house.find('entries', guid, now) ?? []) };
  if (requested[1])
    return { body: house.modified('entries', spanOf(query, ['modifiedStartDate', 'modifiedEndDate']), now) };
  if (requested[3])
    return { body: house.ofDate('entries', businessDateIn(query), now).filter(({ deleted }) => !deleted) };
  const { from, until } = spanOf(query, ['startDate', 'endDate']);
  const archived = query.get('includeArchived') === 'true';
  const entries = house.begunIn({ from, until }, now);
  return { body: entries.filter(({ deleted }) => archived || !deleted) };
}

/** Jobs; deleted ones only where they are asked for by GUID. */
export function jobs({ query, house }: Question): Answer {
  const ids = idsIn(query, 'jobIds');
  const all = establish(house.restaurant).jobs.map(({ guid, job }) => ({
    guid,
    entityType: 'RestaurantJob',
    externalId: null,
    title: job.title,
    code: job.code,
    defaultWage: job.wageCents === null ? null : job.wageCents / 100,
    wageFrequency: job.wageFrequency,
    tipped: job.title === 'Server' || job.title === 'Bartender',
    excludeFromReporting: job.excludeFromReporting,
    deleted: house.deletedJobs.has(guid),
  }));
  return { body: all.filter(({ guid, deleted }) => (ids ? ids.includes(guid) : !deleted)) };
}

/** Employees. */
export function employees({ house }: Question): Answer {
  const body = establish(house.restaurant).staff.map((one) => ({
    guid: one.guid,
    entityType: 'RestaurantUser',
    externalId: null,
    firstName: one.firstName,
    lastName: one.lastName,
    chosenName: one.chosenName,
    email: `${one.guid.slice(0, 8)}@staff.example`,
    phoneNumber: null,
    jobReferences: [one.jobGuid, ...(one.second ? [one.second.jobGuid] : [])].map((guid) => ({
      guid,
      entityType: 'RestaurantJob',
    })),
    deleted: false,
  }));
  return { body };
}
