/** Report requests as resources: their state as it changes, their requests in words, and what is incomplete. */
import type { ReportStatus } from '@daypart/client';
import { useEffect, useState } from 'preact/hooks';
import { formatSpan, readDate } from '../model/dates.ts';
import { constantWords } from '../model/locale.ts';
import { daypart } from './client.ts';
import { familyOf } from './families.ts';
import { type Load, useLoad } from './load.ts';
import { session } from './session.ts';
import { useStore } from './store.ts';

/** "a", "a and b", "a, b and c". */
const joined = (words: readonly string[]): string =>
  [words.slice(0, -1).join(', '), words.at(-1)].filter(Boolean).join(' and ');

/** A report in words: "20 Nov, by hour, 3 restaurants". */
export function describeReport(report: ReportStatus): string {
  const { path, body } = report.request;
  const { dates } = familyOf(report.kind);
  const start = readDate(String(body[dates.start] ?? ''));
  const end = readDate(String(body[dates.end] ?? '')) ?? start;
  const count = Array.isArray(body.restaurantIds) ? body.restaurantIds.length : 0;
  const groups = Array.isArray(body.groupBy)
    ? body.groupBy.map((group) => constantWords(String(group)).toLowerCase())
    : [];
  const by = [...groups, ...(/aggregateBy=(HOUR|DAYPART)/.exec(path)?.[1]?.toLowerCase().split(' ') ?? [])];
  return [
    start && end ? formatSpan(start, end, 'full') : '',
    by.length > 0 ? `by ${joined(by)}` : '',
    count > 0 ? `${count} ${count === 1 ? 'restaurant' : 'restaurants'}` : '',
  ]
    .filter((part) => part !== '')
    .join(', ');
}

/** The path of its report family, for example `/metrics`. */
export const pathOf = ({ kind }: ReportStatus): string => familyOf(kind).path;

interface LiveReport {
  report: ReportStatus | undefined;
  /** From 0 to 1; null if it is not known. */
  progress: number | null;
  error: unknown;
}

/** A report request, updated by its events until it ends. */
export function useReport(guid: string): LiveReport & { reload: () => void } {
  const [state, setState] = useState<LiveReport>({ report: undefined, progress: null, error: undefined });
  const [turn, setTurn] = useState(0);
  const signedIn = useStore(session).state === 'signed-in';
  useEffect(() => {
    // Resumes once the person has signed in again.
    if (!signedIn) return;
    const stop = new AbortController();
    const { signal } = stop;
    const follow = async (): Promise<void> => {
      let report = await daypart.reports.status(guid, { signal });
      setState({ report, progress: null, error: undefined });
      while (report.status === 'IN_PROGRESS') {
        for await (const { progress = null } of daypart.reports.events(guid, { signal }))
          setState((before) => ({ ...before, progress }));
        report = await daypart.reports.status(guid, { signal });
        setState({ report, progress: null, error: undefined });
      }
    };
    follow().catch((error) => {
      if (!signal.aborted) setState((before) => ({ ...before, error }));
    });
    return () => stop.abort();
  }, [guid, turn, signedIn]);
  return { ...state, reload: () => setTurn(turn + 1) };
}

/**
 * A business date of a restaurant without the details that a report needs: its orders were loaded by a version that did
 * not store items or payments, or it is still to be read from the point of sale.
 */
export interface IncompleteDay {
  restaurantGuid: string;
  businessDate: string;
  missing: 'items' | 'payments' | 'still_reading';
}

/** The first 1,000 incomplete dates of a report; sends no request without a GUID. */
export const useIncomplete = (guid: string | undefined): Load<IncompleteDay[]> =>
  useLoad(guid && `incomplete ${guid}`, async ({ signal }) => {
    const report = await daypart.reports.status(guid ?? '', { signal });
    return (report.incomplete ?? []) as IncompleteDay[];
  });
