/** Removing a group from the SQLite ledger. */
import type { GroupRemovalLedger } from '../group-removal.ts';
import { BEGINNING, ENDING, type GroupRemovalQueries, groupRemovalMethods } from '../sql/group-removal.ts';
import { transaction } from './migrate.ts';
import { type Connection, openQueries } from './queries.ts';

export function groupRemovalLedger(connection: Connection) {
  const { db } = connection;
  const sql = openQueries<GroupRemovalQueries>('group-removal', connection);
  const { reads, changes } = groupRemovalMethods(sql);
  const together = {
    async beginRemoval(group, now) {
      return transaction(db, () => {
        sql.addRemoval({ group, now });
        sql.revokeClients({ group, now });
        for (const name of BEGINNING) sql[name]({ group });
        return sql.removals().some((one) => one.group === group);
      });
    },
    async dropReports(guids) {
      transaction(db, () => {
        for (const guid of guids) sql.dropReport({ guid });
      });
    },
    async dropGroup(group, now) {
      transaction(db, () => {
        sql.noteRestaurants({ group, now });
        for (const name of ENDING) sql[name]({ group });
      });
    },
    async compact() {
      db.exec('vacuum');
      const [done] = db.prepare('pragma wal_checkpoint(truncate)').all();
      if (done?.busy !== 0)
        throw new Error('the journal of the ledger is in use and could not be emptied; it is tried again');
    },
  } satisfies Partial<GroupRemovalLedger>;
  return { reads, changes: { ...changes, ...together } };
}
