/**
 * Requests of reports. The same request for the same data is the same report: its reportRequestGuid is kept for this
 * tab, and the idempotency key lets the service return the existing report instead of creating another.
 */
import {
  type Ask,
  type CreateOptions,
  NotFoundError,
  ReportFailedError,
  type ReportSteps,
  type TotalsQuery,
} from '@daypart/client';
import { currentWatermark, daypart } from './client.ts';
import { ROOT } from './root.ts';

export interface WaitingReport {
  guid: string;
  /** From 0 to 1; null if the service does not say. */
  progress: number | null;
}

export interface ReportReading {
  signal: AbortSignal;
  /** Called while the report is not ready, beginning after two seconds. */
  onWaiting: (waiting: WaitingReport) => void;
}

/** The rows of a report, and the GUID with which it can be read again. */
export interface Answer<T> {
  guid: string;
  /** UTC, ISO 8601; null if the service does not say. */
  asOf: string | null;
  rows: T[];
}

/**
 * Two rounds of a 53-bit hash (cyrb53): `crypto.subtle` does not exist on plain http. A collision is a 422, not a wrong
 * answer.
 */
export function digest(text: string): string {
  const one = (seed: number): string => {
    let [high, low] = [0xdeadbeef ^ seed, 0x41c6ce57 ^ seed];
    for (let at = 0; at < text.length; at++) {
      const code = text.charCodeAt(at);
      high = Math.imul(high ^ code, 2654435761);
      low = Math.imul(low ^ code, 1597334677);
    }
    high = Math.imul(high ^ (high >>> 16), 2246822507) ^ Math.imul(low ^ (low >>> 13), 3266489909);
    low = Math.imul(low ^ (low >>> 16), 2246822507) ^ Math.imul(high ^ (high >>> 13), 3266489909);
    return (4294967296 * (2097151 & low) + (high >>> 0)).toString(36);
  };
  return `${one(0)}${one(1)}`;
}

const NAME = `daypart-report ${ROOT}`;
const remembered = (question: string): string | null => sessionStorage.getItem(NAME + question);

function remember(question: string, guid: string | null): void {
  if (guid) sessionStorage.setItem(NAME + question, guid);
  else sessionStorage.removeItem(NAME + question);
}

/** Reports that are being created: cards that send the same request at the same time share one. */
const creating = new Map<string, Promise<string>>();

async function createOnce<A extends Ask>(
  steps: ReportSteps<A>,
  ask: A,
  options: CreateOptions & { idempotencyKey: string },
): Promise<string> {
  const key = options.idempotencyKey;
  const made = creating.get(key) ?? steps.create(ask, options);
  creating.set(key, made);
  try {
    return await made;
  } finally {
    creating.delete(key);
  }
}

/** Reports that a person has cancelled: only a person creates them again. */
const cancelled = new Set<string>();

/** Cancels a report; it is created again only when a card is asked to try again, or is opened again. */
export async function cancelReport(guid: string): Promise<void> {
  cancelled.add(guid);
  await daypart.reports.delete(guid);
}

/** How many times a report is requested if it failed or expired. */
const ATTEMPTS = 2;

/**
 * Creates the report, or finds the existing one with the same request, and reads it. If that one has expired or failed,
 * `read` is called again with another GUID. For reports of which only sums are read, `forms: 'later'` saves the service
 * from writing the rows as JSON.
 */
export async function askReport<A extends Ask, R>(
  steps: ReportSteps<A>,
  path: string,
  ask: A,
  read: (guid: string) => Promise<R>,
  options: Pick<CreateOptions, 'forms'> = {},
): Promise<R> {
  const question = digest(`${path} ${JSON.stringify(ask)} ${currentWatermark()}`);
  for (let attempt = 0; ; attempt++) {
    const known = attempt === 0 ? remembered(question) : null;
    const create = (again: string): Promise<string> =>
      createOnce(steps, ask, { ...options, idempotencyKey: `console-${question}${again}` });
    const again = `-${Date.now().toString(36)}`;
    let guid = known ?? (await create(attempt === 0 ? '' : again));
    // The key leads to the report that was cancelled earlier.
    if (cancelled.has(guid)) guid = await create(again);
    remember(question, guid);
    try {
      return await read(guid);
    } catch (error) {
      if (!(error instanceof ReportFailedError || error instanceof NotFoundError)) throw error;
      remember(question, null);
      if (cancelled.has(guid)) throw new Error('Cancelled.');
      if (attempt >= ATTEMPTS) throw error;
    }
  }
}

/** How long a card waits before it shows progress. */
const PATIENCE_MS = 2000;

/** Reports the progress of the report after two seconds, until the answer arrives. */
function watchProgress(guid: string, { signal, onWaiting }: ReportReading): () => void {
  const over = new AbortController();
  const timer = setTimeout(async () => {
    onWaiting({ guid, progress: null });
    try {
      for await (const { progress = null } of daypart.reports.events(guid, {
        signal: AbortSignal.any([signal, over.signal]),
      }))
        onWaiting({ guid, progress });
    } catch {
      // The answer itself has the error.
    }
  }, PATIENCE_MS);
  return () => {
    clearTimeout(timer);
    over.abort();
  };
}

/** All rows of a report, as soon as it is ready. */
export async function readRows<R>(
  steps: ReportSteps,
  guid: string,
  read: (raw: unknown) => R,
  reading: ReportReading,
): Promise<Answer<R>> {
  const stop = watchProgress(guid, reading);
  try {
    const response = await steps.open(guid, {}, { signal: reading.signal });
    const raw = (await response.json()) as unknown[];
    return { guid, asOf: response.headers.get('x-report-as-of'), rows: raw.map(read) };
  } finally {
    stop();
  }
}

export type Query = TotalsQuery;

/** Sums of a report by some of its fields: one row for each combination and currency. */
export async function readTotals<R>(guid: string, query: Query, reading: ReportReading): Promise<Answer<R>> {
  const stop = watchProgress(guid, reading);
  try {
    const { asOf, rows } = await daypart.reports.totals<R>(guid, query, { signal: reading.signal });
    return { guid, asOf, rows };
  } finally {
    stop();
  }
}
