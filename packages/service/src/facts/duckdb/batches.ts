/**
 * Small reports that wait for the engine at the same time and ask for the same dates and groups are gathered by one query:
 * planning it takes longer than running it, whether for one restaurant or for sixteen.
 */
import type { Incomplete } from '../../contract/incomplete.ts';
import { type Bounds, EngineGone } from '../bounds.ts';
import {
  batchSteps,
  currenciesOf,
  type GatherWork,
  incompleteOf,
  mayJoin,
  type SmallReport,
  scopesOf,
} from './gather.ts';
import type { Row } from './protocol.ts';
import { rowOf, rowsOf, type StatementRow } from './row-types.ts';

/** What the engine answered to one report. */
export interface Answers {
  now: StatementRow<'now'>;
  /** One a currency. */
  totals: (StatementRow<'totals'> | undefined)[];
  incomplete: Incomplete | null;
}

interface Member {
  report: SmallReport;
  gone: boolean;
}
interface Batch {
  members: Member[];
  /** Aborted when nobody is left in it. */
  abort: AbortController;
  done: Promise<Row[][]>;
}

type Run = (work: () => GatherWork, bounds: Bounds) => Promise<Row[][]>;

const workOf = (first: SmallReport, others: readonly SmallReport[] = []): GatherWork => ({
  family: first.family,
  query: { ...first.query, restaurants: scopesOf([first, ...others]) },
  steps: batchSteps(first, others),
});

/** `run` asks for the work when the engine is free for it: until then others may join. */
export function createBatches(run: Run): (report: SmallReport, bounds: Bounds) => Promise<Answers> {
  const waiting = new Map<string, Batch>();

  function open(key: string, member: Member, { deadlineMs, lane = 'short' }: Bounds): Batch {
    const abort = new AbortController();
    const members = [member];
    const close = (): void => {
      if (waiting.get(key)?.members === members) waiting.delete(key);
    };
    const work = (): GatherWork => {
      close();
      return workOf(
        member.report,
        members.slice(1).map(({ report }) => report),
      );
    };
    const done = run(work, { deadlineMs, lane, signal: abort.signal }).finally(close);
    const batch = { members, abort, done };
    waiting.set(key, batch);
    return batch;
  }

  /** The answers of the report at a place of `batchSteps`. Reports that have joined have one currency each. */
  const pick = (rows: Row[][], place: number, { family: [{ needs }], query }: SmallReport): Answers => {
    const count = Math.max(currenciesOf(query.restaurants).length, 1);
    return {
      now: rowOf('now', rows[0]),
      totals: rows.slice(2 + place, 2 + place + count).map((one) => rowsOf('totals', one)[0]),
      incomplete: needs ? incompleteOf(rows.at(-1) ?? [], query) : null,
    };
  };

  return async (report, bounds) => {
    const { signal } = bounds;
    signal?.throwIfAborted();
    const { kind, startDate, endDate, aggregate, groups } = report.query;
    const key = [bounds.lane, kind, startDate, endDate, aggregate, ...groups].join(' ');
    const member: Member = { report, gone: false };
    let batch = waiting.get(key);
    if (
      batch &&
      mayJoin(
        batch.members.map((one) => one.report),
        report,
      )
    )
      batch.members.push(member);
    else batch = open(key, member, bounds);
    const { members, abort, done } = batch;
    const onAbort = (): void => {
      member.gone = true;
      if (members.every(({ gone }) => gone)) abort.abort();
    };
    signal?.addEventListener('abort', onAbort, { once: true });
    try {
      const rows = await done;
      // It continued for the others, and wrote this one's files as well.
      if (member.gone) throw new EngineGone('the work was cancelled');
      return pick(rows, members.indexOf(member), report);
    } catch (error) {
      if (member.gone || members.length === 1) throw error;
      // Whosever fault it was: alone it touches no other.
      return pick(await run(() => workOf(report), bounds), 0, report);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  };
}
