/** The life of a time entry: clocked in, clocked out, corrected by a manager, deleted. */
import { businessDateOf } from '../../packages/service/src/contract/clock.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../packages/service/src/contract/time.ts';
import { stamp } from '../../packages/service/src/demo/clock.ts';
import { createRandom } from '../../packages/service/src/demo/random.ts';
import type { SourceEntry } from '../../packages/service/src/demo/shapes.ts';
import type { EntryDocument, Life } from './documents.ts';
import type { Days } from './order-life.ts';

const instant = (text: string): number => Date.parse(text.replace('+0000', 'Z'));
const hoursBetween = (from: number, until: number): number => Math.round(((until - from) / HOUR_MS) * 10000) / 10000;
const REGULAR_HOURS = 8;

interface Step {
  at: number;
  change: Partial<EntryDocument>;
}

function worked(inAt: number, outAt: number): Partial<EntryDocument> {
  const hours = hoursBetween(inAt, outAt);
  return {
    outDate: stamp(outAt),
    regularHours: Math.min(hours, REGULAR_HOURS),
    overtimeHours: Math.max(0, Math.round((hours - REGULAR_HOURS) * 10000) / 10000),
  };
}

export interface EntryPlan {
  entry: SourceEntry;
  days: Days;
  /** When its business date ends; ms since 1970 UTC. */
  closeout: number;
  /** After how many days entries of the date are corrected, and then deleted. */
  correctionDays: number;
  deletionDays: number;
}

/** The life of a finished time entry of the sample. */
export function entryLife({ entry, days, closeout, correctionDays, deletionDays }: EntryPlan): Life<EntryDocument> {
  const random = createRandom(`life ${entry.guid}`);
  const [forgotten, corrected] = [random.chance(0.03), random.chance(0.05)];
  const correctedAfter = correctionDays * DAY_MS + random.whole(0, 12 * 60) * MINUTE_MS;
  const deletedAfter = deletionDays * DAY_MS;
  const inAt = instant(entry.inDate);
  const outAt = Math.max(inAt + MINUTE_MS, instant(entry.outDate ?? entry.inDate));
  const { regularPay: _regular, overtimePay: _overtime, ...facts } = entry;
  const begun: EntryDocument = {
    ...facts,
    entityType: 'TimeEntry',
    businessDate: String(businessDateOf(inAt, days.timeZone, days.closeoutHour)),
    createdDate: entry.inDate,
    deletedDate: null,
    autoClockedOut: false,
    shiftReference: null,
    breaks: [],
    declaredCashTips: null,
    outDate: null,
    regularHours: 0,
    overtimeHours: 0,
    deleted: false,
    modifiedDate: entry.inDate,
  };
  const { outDate, regularHours, overtimeHours } = entry;
  const truth = { outDate, regularHours, overtimeHours, autoClockedOut: false, declaredCashTips: 0 };
  const steps: Step[] = [{ at: inAt, change: {} }];
  // A shift that nobody ended is ended by the system when the business date is (doc.toasttab.com/doc/devguide/
  // apiRestaurantBusinessDateCloseoutAPI.html), and corrected by a manager later.
  const out = forgotten && closeout > inAt ? closeout : outAt;
  if (out === closeout && out !== outAt)
    steps.push({ at: out, change: { ...worked(inAt, out), autoClockedOut: true } });
  else if (corrected) steps.push({ at: out, change: worked(inAt, Math.max(inAt + MINUTE_MS, out - 15 * MINUTE_MS)) });
  else steps.push({ at: out + MINUTE_MS, change: truth });
  if (forgotten || corrected) steps.push({ at: Math.max(out, closeout) + correctedAfter, change: truth });
  const end = steps.at(-1)?.at ?? out;
  if (entry.deleted)
    steps.push({ at: end + deletedAfter, change: { deleted: true, deletedDate: stamp(end + deletedAfter) } });
  return {
    guid: entry.guid,
    businessDate: Number(begun.businessDate),
    moments: steps.map(({ at }) => at),
    at(now) {
      const done = steps.filter(({ at }) => at <= now);
      const modifiedDate = stamp(done.at(-1)?.at ?? inAt);
      return Object.assign({}, begun, ...done.map(({ change }) => change), { modifiedDate }) as EntryDocument;
    },
  };
}
