/** How reports wait for their turn in the SQLite ledger, and how a worker gets them. */
import { hasRoom, type LeaseLedger, type Room } from '../lease.ts';
import type { ReportLane, ReportRequest } from '../report.ts';
import { reportOf } from '../sql/report.ts';
import { loadQueries, type Row, type Sql, type Values } from '../sql/statements.ts';

interface Waiting {
  lane: ReportLane;
  reports: number;
}

const queries = loadQueries<{
  addReport(report: Values): number;
  addTurn(of: Values): number;
  countWaiting(of: { now: number; most: number }): Waiting[];
  nextReport(of: { now: number; lane: ReportLane }): { guid: string } | undefined;
  claimReport(of: { guid: string; worker: string; leaseUntil: number }): Row | undefined;
  takeTurn(of: { group: string; lane: ReportLane }): number;
}>(new URL('./claims.sql', import.meta.url));

/** Adds a report, and the turns of its group. */
export const enqueue = (sql: Sql, values: Values): Promise<void> =>
  sql.transaction(async (inner) => {
    const within = queries(inner);
    await within.addReport(values);
    await within.addTurn(values);
  });

/** How many of the reports that wait each lane may claim: 0 where it has no room. */
function claimable(waiting: readonly Waiting[], room: Record<ReportLane, Room>): Record<ReportLane, number> {
  const sumOf = (some: readonly Waiting[]): number => some.reduce((sum, { reports }) => sum + reports, 0);
  const short = sumOf(waiting.filter(({ lane }) => lane === 'short'));
  return { short: hasRoom(room.short, []) ? short : 0, long: hasRoom(room.long, []) ? sumOf(waiting) : 0 };
}

/** Makes `claimReports`. */
export function createClaims(sql: Sql): LeaseLedger['claimReports'] {
  const query = queries(sql);
  return async (worker, now, leaseUntil, room) => {
    // Asked every second for ever: the write lock is taken only when there is one. More than there is room for are not
    // counted.
    const waiting = await query.countWaiting({ now, most: room.short.reports + room.long.reports });
    const most = claimable(waiting, room);
    if (most.short + most.long === 0) return { short: [], long: [] };
    return await sql.transaction(async (inner) => {
      const within = queries(inner);
      const claimNext = async (lane: ReportLane): Promise<ReportRequest | undefined> => {
        const next = await within.nextReport({ now, lane });
        const row = next && (await within.claimReport({ guid: next.guid, worker, leaseUntil }));
        const report = row && reportOf(row);
        if (report) await within.takeTurn(report);
        return report;
      };
      const claim = async (lane: ReportLane, count: number): Promise<ReportRequest[]> => {
        const claimed: ReportRequest[] = [];
        while (claimed.length < count && hasRoom(room[lane], claimed)) {
          const report = await claimNext(lane);
          if (!report) break;
          claimed.push(report);
        }
        return claimed;
      };
      const short = await claim('short', most.short);
      return { short, long: await claim('long', most.long - short.length) };
    });
  };
}
