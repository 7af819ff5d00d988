/** Described answers that cannot occur in the run, each with its reason. */
import type { ReportFamily } from '../../packages/service/src/families/family.ts';
import { FAMILIES } from '../../packages/service/src/families/index.ts';
import type { Operation } from './document.ts';

interface Missing {
  statuses: number[];
  /** If omitted, of every operation. */
  operations?: string[];
  reason: string;
}

/** Statuses that no request of the run brings about. */
export const UNSEEN: Missing[] = [
  { statuses: [500, 503, 504], reason: 'they need something to break, which test/faults and test/journeys do' },
  { statuses: [408], reason: 'a body must stall for 30 s, which test/journeys/connections.long.ts waits for' },
  {
    statuses: [413],
    operations: ['importExport'],
    reason: 'it needs 32 MiB of a form, which test/journeys/imports.test.ts sends',
  },
  {
    statuses: [202],
    operations: ['removeGroup'],
    reason: 'a removal starts the engine again, which test/journeys/group-removal.long.ts waits for',
  },
  {
    statuses: [409],
    operations: ['putGroup', 'limitGroup'],
    reason: 'a group must be in removal, as in test/journeys/group-removal.long.ts',
  },
  {
    statuses: [404, 409],
    operations: Object.values<ReportFamily>(FAMILIES).map(({ title }) => `read${title}Dataset`),
    reason: 'its report must expire, fail or be lost while it is sent',
  },
  {
    statuses: [409],
    operations: ['changeConnection', 'putConnectionCredentials', 'checkConnection', 'makeConnectionKeys'],
    reason:
      'a restaurant of another connection, a service without a key and one without a package are in test/connections',
  },
  { statuses: [429], reason: 'limits are off: thousands of requests would be nothing but 429' },
];

/** What the service does not do yet; each line goes with the change that brings it. */
export const NOT_YET: (Missing & { headers?: string[] })[] = [];

/** Whether the header is one that the service does not send yet. */
export function isMissing(operation: Operation, status: number, header: string): boolean {
  return (
    status < 400 &&
    NOT_YET.some(
      ({ headers = [], operations }) => headers.includes(header) && (operations?.includes(operation.id) ?? true),
    )
  );
}

/** Documented statuses of the operation that are to be seen. */
export function statusesToSee(operation: Operation): number[] {
  const left = [...UNSEEN, ...NOT_YET].filter(({ operations }) => operations?.includes(operation.id) ?? true);
  return Object.keys(operation.responses)
    .map(Number)
    .filter((status) => !left.some(({ statuses }) => statuses.includes(status)));
}
