/** Which page of the reference an operation is on: reports by their family, everything else by its tag. */
import type { ReportFamily } from '../families/family.ts';
import { FAMILIES } from '../families/index.ts';
import type { ShownOperation } from './document.ts';

export interface ReferencePage {
  /** The page below /docs/reference. */
  name: string;
  title: string;
  about: string;
  operations: ShownOperation[];
}

interface Kind {
  name: string;
  title: string;
  about: string;
  holds(operation: ShownOperation): boolean;
}

const ofFamily = ({ path, noun }: ReportFamily): Kind => ({
  name: path.slice(1).replaceAll('/', '-'),
  title: `Reports of ${noun}`,
  about: `creating and retrieving reports of ${noun}`,
  // After the base path of the service, if there is one.
  holds: (operation) => new RegExp(`/v\\d+${path}(/|$)`).test(operation.path),
});

const ofTag = (tag: string, name: string, title: string, about: string): Kind => ({
  name,
  title,
  about,
  holds: (operation) => operation.tag === tag,
});

/** An operation is on the first page that holds it, so a family below the path of another precedes it. */
const KINDS: readonly Kind[] = [
  ...Object.values<ReportFamily>(FAMILIES)
    .toSorted((a, b) => b.path.length - a.path.length)
    .map(ofFamily),
  ofTag('Reports', 'reports', 'All reports', 'lists, status, totals, changes and events of reports'),
  ofTag('Retrieval', 'retrieval', 'Retrieval', 'the records of other reports'),
  {
    name: 'dayparts',
    title: 'Dayparts',
    about: 'the dayparts of a management group and of its restaurants',
    holds: ({ path }) => path.endsWith('/dayparts'),
  },
  {
    name: 'stored',
    title: 'Stored records',
    about: 'the dates that have data, a check with its items, and time entries',
    holds: ({ path }) => /\/restaurants\/\{restaurantGuid\}\/(days|checks|time-entries)/.test(path),
  },
  ofTag('Restaurants', 'restaurants', 'Restaurants', 'restaurants, names and menus'),
  ofTag('Loading', 'loading', 'Loading', 'orders, time entries, settlements and exports'),
  {
    name: 'connection',
    title: 'One connection',
    about: 'the state of a connection, and changing it (preview)',
    holds: ({ path }) => path.includes('/connections/{connectionId}'),
  },
  ofTag('Connections', 'connections', 'Connections', 'restaurants that are read from their point of sale (preview)'),
  ofTag('Webhooks', 'webhooks', 'Webhooks', 'calls to a server of the client, and their deliveries'),
  {
    name: 'tokens',
    title: 'Tokens',
    about: 'access tokens, keys and metadata for clients',
    holds: ({ tag, scopes }) => tag === 'Access' && scopes === undefined,
  },
  {
    name: 'clients',
    title: 'Clients',
    about: 'creating clients, their secrets and limits',
    holds: ({ path }) => /\/v\d+\/clients(\/|$)/.test(path),
  },
  ofTag('Access', 'access', 'Access', 'management groups, limits, sessions and the audit log'),
  ofTag('Sessions', 'sessions', 'Sessions', 'how a person signs in to the console'),
  ofTag('Operations', 'operations', 'Health and docs', 'health, version, and these pages'),
];

/** In the order of the navigation: reports as the families are declared, then the rest. */
const ORDER = Object.values<ReportFamily>(FAMILIES).map((family) => ofFamily(family).name);
const placeOf = ({ name }: Kind): number => {
  const index = ORDER.indexOf(name);
  return index === -1 ? ORDER.length : index;
};

export const referencePath = (name: string): string => `/docs/reference/${name}`;

/** The pages that have operations. Throws Error if an operation is on none. */
export function referencePages(operations: readonly ShownOperation[]): ReferencePage[] {
  const byKind = Map.groupBy(operations, (operation) => {
    const kind = KINDS.find(({ holds }) => holds(operation));
    if (!kind) throw new Error(`no page of the reference has ${operation.id}`);
    return kind;
  });
  return [...byKind]
    .toSorted(([one], [other]) => placeOf(one) - placeOf(other) || KINDS.indexOf(one) - KINDS.indexOf(other))
    .map(([{ name, title, about }, all]) => ({ name, title, about, operations: all }));
}
