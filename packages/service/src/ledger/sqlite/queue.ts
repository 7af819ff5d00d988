/** The queue of the SQLite ledger: whose report is next, which are called off, and the list of a group's. */
import type { DatabaseSync, StatementSync } from 'node:sqlite';
import type { Ledger } from '../ledger.ts';
import { transaction } from './migrate.ts';
import { type ReportRow, reportOf } from './rows.ts';

type Queue = Pick<Ledger, 'claimReport' | 'cancelReport' | 'reportsOf'>;

export function queueOf(db: DatabaseSync, statement: (name: string) => StatementSync): Queue {
  return {
    async claimReport(worker, now, leaseUntil, lane = 'long') {
      const next = () => statement('nextReport').get({ now, lane });
      // Asked every second for ever: the write lock is taken only when there is one.
      if (!next()) return undefined;
      return transaction(db, () => {
        const guid = next()?.guid;
        if (guid === undefined) return undefined;
        const [row] = statement('claimReport').all({ guid, worker, leaseUntil }) as unknown as ReportRow[];
        if (row) statement('takeTurn').run({ group: row.management_group, lane: row.lane });
        return row && reportOf(row);
      });
    },
    async cancelReport(guid) {
      return Number(statement('cancelReport').run({ guid }).changes) === 1;
    },
    async reportsOf(group, { limit, now, after, kind, states }) {
      const rows = statement('reportsOf').all({
        ...{ group, limit, now, kind: kind ?? null, states: states ? JSON.stringify(states) : null },
        createdAt: after?.createdAt ?? Number.MAX_SAFE_INTEGER,
        guid: after?.guid ?? '',
      });
      return (rows as unknown as ReportRow[]).map(reportOf);
    },
  };
}
