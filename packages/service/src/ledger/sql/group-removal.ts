/** Removing a group: statements, and methods that are the same in every form of the ledger. */
import type { GroupRemovalLedger } from '../group-removal.ts';
import type { Statements } from './statements.ts';

type OfGroup = (of: { group: string }) => number;
type OfGroupAt = (of: { group: string; now: number }) => number;

export interface GroupRemovalQueries {
  addRemoval: OfGroupAt;
  removals(): { group: string }[];
  endRemoval: OfGroup;
  revokeClients: OfGroupAt;
  endSessions: OfGroup;
  dropLinks: OfGroup;
  removeWebhooks: OfGroup;
  dropKeyUses: OfGroup;
  cancelReports: OfGroup;
  reportsToRemove(of: { group: string; limit: number }): { guid: string }[];
  dropReport(of: { guid: string }): number;
  noteRestaurants: OfGroupAt;
  removedRestaurants(of: { since: number }): { id: number }[];
  dropForms: OfGroup;
  dropReports: OfGroup;
  dropTurns: OfGroup;
  dropImports: OfGroup;
  dropDayparts: OfGroup;
  dropFingerprintKey: OfGroup;
  dropRestaurants: OfGroup;
  dropAudit: OfGroup;
  dropClientLimits: OfGroup;
  dropClients: OfGroup;
  dropSettings: OfGroup;
  dropGroup: OfGroup;
  dropStrayKeyUses(): number;
}

const GRANTED = ['endSessions', 'dropLinks', 'removeWebhooks', 'dropKeyUses'] as const;
/** What the removal begins with, after the clients are revoked. */
export const BEGINNING = [...GRANTED, 'cancelReports'] as const;
/** What it ends with, after its restaurants are noted: rows after those that refer to them. */
export const ENDING = [
  ...GRANTED,
  ...(['dropForms', 'dropReports', 'dropTurns', 'dropImports', 'dropDayparts', 'dropFingerprintKey'] as const),
  ...(['dropRestaurants', 'dropAudit', 'dropClientLimits', 'dropClients', 'dropSettings', 'dropGroup'] as const),
] as const;

/** The methods that are one statement in every form of the ledger, by whether they change anything. */
export function groupRemovalMethods(sql: Statements<GroupRemovalQueries>) {
  const reads = {
    async removals() {
      return (await sql.removals()).map(({ group }) => group);
    },
    async reportsToRemove(group, limit) {
      return (await sql.reportsToRemove({ group, limit })).map(({ guid }) => guid);
    },
    async removedRestaurants(since) {
      return (await sql.removedRestaurants({ since })).map(({ id }) => Number(id));
    },
  } satisfies Partial<GroupRemovalLedger>;
  const changes = {
    async endRemoval(group) {
      await sql.endRemoval({ group });
    },
    async dropStrays() {
      return await sql.dropStrayKeyUses();
    },
  } satisfies Partial<GroupRemovalLedger>;
  return { reads, changes };
}
