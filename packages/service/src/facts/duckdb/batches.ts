/**
 * Small reports that wait for the engine at the same time, with the same dates and groups, are gathered by one query:
 * planning it takes longer than running it, whether for one restaurant or for sixteen.
 */
import { setImmediate } from 'node:timers/promises';
import type { Bounds } from '../bounds.ts';
import { EngineGone } from '../errors.ts';
import type { GatherWork } from './gather.ts';
import type { EngineRow } from './protocol.ts';
import { type Answers, mayJoin, type SmallGather, type SmallReport, scopesOf, smallGather } from './small-reports.ts';

interface Member {
  report: SmallReport;
  gone: boolean;
}
interface Batch {
  members: Member[];
  /** Aborted when no report is left in the batch. */
  abort: AbortController;
  done: Promise<(index: number) => Answers>;
}

const CANCELLED = 'the work was cancelled';

type RunWork = (work: () => GatherWork, bounds: Bounds) => Promise<EngineRow[][]>;

const workOf = (reports: readonly SmallReport[], first: SmallReport, { steps }: SmallGather): GatherWork => ({
  family: first.family,
  query: { ...first.query, restaurants: scopesOf(reports) },
  steps,
});

/**
 * Runs reports, which are read when the engine is free; returns a function that finds the rows of the report at a
 * place.
 */
async function gather(
  run: RunWork,
  reports: () => SmallReport[],
  first: SmallReport,
  bounds: Bounds,
): Promise<(index: number) => Answers> {
  let small: SmallGather | undefined;
  const rows = await run(() => {
    const all = reports();
    small = smallGather(first, all.slice(1));
    return workOf(all, first, small);
  }, bounds);
  return (index) => (small ?? smallGather(first)).answersOf(rows, index);
}

/** `run` reads the reports when the engine is free; until then others may join. */
export function createBatches(run: RunWork): (report: SmallReport, bounds: Bounds) => Promise<Answers> {
  const waiting = new Map<string, Batch>();
  /** The last batch of a key: the next one runs after it, so that more reports may join. */
  const last = new Map<string, Promise<unknown>>();

  function open(key: string, member: Member, { deadlineMs, lane = 'short' }: Bounds): Batch {
    const abort = new AbortController();
    const members = [member];
    const close = (): void => {
      if (waiting.get(key)?.members === members) waiting.delete(key);
    };
    const reports = (): SmallReport[] => {
      close();
      return members.map(({ report }) => report);
    };
    const before = last.get(key);
    const aborted = new Promise<void>((resolve) => {
      abort.signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const until = performance.now() + deadlineMs;
    const done = (async () => {
      // So that reports claimed together can join.
      await setImmediate();
      await Promise.race([before?.catch(() => undefined), aborted]);
      if (abort.signal.aborted) throw new EngineGone(CANCELLED);
      const left = Math.max(1, until - performance.now());
      return await gather(run, reports, member.report, { deadlineMs: left, lane, signal: abort.signal });
    })().finally(() => {
      close();
      if (last.get(key) === done) last.delete(key);
    });
    last.set(key, done);
    const batch = { members, abort, done };
    waiting.set(key, batch);
    return batch;
  }

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
      const answersOf = await done;
      // The batch continued for the others, and wrote this report's files too.
      if (member.gone) throw new EngineGone(CANCELLED);
      return answersOf(members.indexOf(member));
    } catch (error) {
      if (member.gone || members.length === 1) throw error;
      // One report may have caused the failure: run alone, it affects no other.
      return (await gather(run, () => [report], report, bounds))(0);
    } finally {
      signal?.removeEventListener('abort', onAbort);
    }
  };
}
