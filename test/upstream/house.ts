/** One restaurant of the stand-in: its settings, and its documents as they are at an instant, by trade and by hand. */
import { businessDateOf } from '../../packages/service/src/contract/clock.ts';
import { addDays } from '../../packages/service/src/contract/dates.ts';
import { stamp } from '../../packages/service/src/demo/clock.ts';
import type { DemoRestaurant } from '../../packages/service/src/demo/restaurants.ts';
import type { EntryDocument, Life } from './documents.ts';
import type { Days } from './order-life.ts';
import {
  createTrade,
  type Day,
  type DayCache,
  type Documents,
  EARLIEST_MS,
  type Kind,
  type Known,
  LATEST_CHANGE_MS,
  type Span,
  type Trade,
  tradeDateOf,
} from './trade.ts';

/** What a restaurant can change about itself. */
export interface Settings extends Days {
  name: string;
  locationName: string;
  locationCode: string;
  currencyCode: string;
  archived: boolean;
}

interface ByHand {
  at: number;
  patch: (document: object) => object;
}

export interface HouseOptions {
  restaurant: DemoRestaurant;
  seed: string;
  /** The first business date with trade, YYYYMMDD. */
  firstBusinessDate: number;
  /** Shared by the restaurants of one stand-in. */
  cache: DayCache;
}

/** The key, among dates, of what was added by hand. */
const ADDED = 0;

const instant = (text: string): number => Date.parse(text.replace('+0000', 'Z'));
const lastBy = ({ moments }: Known, now: number): number => moments.findLast((at) => at <= now) ?? Number.NaN;

/** A restaurant. `now` of its methods is in ms since 1970 UTC; business dates are YYYYMMDD. */
export class House {
  readonly guid: string;
  readonly restaurant: DemoRestaurant;
  readonly firstBusinessDate: number;
  /** GUIDs of jobs that were deleted. */
  readonly deletedJobs = new Set<string>();
  readonly #settings: Settings;
  /** A new time zone or closeout hour leaves the trade of the past as it was. */
  readonly #eras: { from: number; days: Days }[];
  readonly #trade: Trade;
  readonly #added: Day = { orders: new Map(), entries: new Map() };
  readonly #byHand = new Map<string, ByHand[]>();
  readonly #removed = new Set<string>();

  constructor({ restaurant, seed, firstBusinessDate, cache }: HouseOptions) {
    const { guid, name, locationName, locationCode, currencyCode, timeZone, closeoutHour } = restaurant;
    this.guid = guid;
    this.restaurant = restaurant;
    this.firstBusinessDate = firstBusinessDate;
    this.#settings = { name, locationName, locationCode, currencyCode, timeZone, closeoutHour, archived: false };
    this.#eras = [{ from: 0, days: { timeZone, closeoutHour } }];
    const daysOn = (date: number): Days => this.#eras.findLast(({ from }) => from <= date)?.days ?? this.#settings;
    this.#trade = createTrade({ restaurant, seed, cache, daysOn });
  }

  get settings(): Readonly<Settings> {
    return this.#settings;
  }

  /**
   * Changes settings. A new time zone or closeout hour applies to the trade after tomorrow's, for which there are
   * orders already.
   */
  set(changes: Partial<Settings>, now: number): void {
    const from = addDays(this.#today(now), 2);
    Object.assign(this.#settings, changes);
    if (changes.timeZone === undefined && changes.closeoutHour === undefined) return;
    const { timeZone, closeoutHour } = this.#settings;
    this.#eras.push({ from, days: { timeZone, closeoutHour } });
    this.#trade.forget(from);
  }

  /** The documents whose last modification is in the span. */
  modified<K extends Kind>(kind: K, { from, until }: Span, now: number): Documents[K][] {
    const first = addDays(this.#today(from - LATEST_CHANGE_MS), -1);
    const last = addDays(this.#today(Math.min(until, now) + EARLIEST_MS), 1);
    const changed = [...this.#byHand.keys()].map(tradeDateOf).filter((date) => date >= this.firstBusinessDate);
    const traded = this.#datesBetween(first, last).filter(
      (date) => date === ADDED || this.#trade.mayChange(date, { from, until }),
    );
    const dates = new Set([...traded, ...changed]);
    const isWanted = (known: Known): boolean => {
      const at = this.#modifiedAt(known, now);
      return at >= from && at < until;
    };
    return this.#select(kind, dates, isWanted, now);
  }

  /** The documents of a business date. */
  ofDate<K extends Kind>(kind: K, date: number, now: number): Documents[K][] {
    const dates = this.#datesBetween(addDays(date, -1), addDays(date, 1));
    return this.#select(kind, dates, ({ businessDate }) => businessDate === date, now);
  }

  /** The time entries that begin in the span. */
  begunIn({ from, until }: Span, now: number): EntryDocument[] {
    const dates = this.#datesBetween(addDays(this.#today(from), -1), addDays(this.#today(Math.min(until, now)), 1));
    const isIn = ({ inDate }: EntryDocument): boolean => instant(inDate) >= from && instant(inDate) < until;
    return this.#select('entries', dates, () => true, now).filter(isIn);
  }

  /** The document of a GUID; undefined before it exists. */
  find<K extends Kind>(kind: K, guid: string, now: number): Documents[K] | undefined {
    const life = this.#lifeOf(kind, guid, now);
    return life && this.#documentOf<K>(life, now);
  }

  /**
   * Changes a document by hand. Its modification is now; what it sets takes precedence over later trade. False for an
   * unknown GUID.
   */
  change<K extends Kind>(kind: K, guid: string, patch: (document: Documents[K]) => object, now: number): boolean {
    if (!this.#lifeOf(kind, guid, now)) return false;
    const change: ByHand = { at: now, patch: (document) => patch(document as Documents[K]) };
    this.#byHand.set(guid, [...(this.#byHand.get(guid) ?? []), change]);
    return true;
  }

  /** Removes a document as if it had never been. */
  remove(guid: string): void {
    this.#removed.add(guid);
  }

  /** Adds a document of the caller's own, created now. */
  add<K extends Kind>(kind: K, document: Documents[K], now: number): void {
    const at = (): Documents[K] => ({ ...structuredClone(document), modifiedDate: stamp(now) });
    const lives: Map<string, Life<Documents[K]>> = this.#added[kind];
    const { guid, businessDate } = document;
    lives.set(guid, { guid, businessDate: Number(businessDate), moments: [now], at });
  }

  #today(now: number): number {
    return businessDateOf(now, this.#settings.timeZone, this.#settings.closeoutHour);
  }

  /** The dates with trade, and that of what was added by hand. */
  #datesBetween(first: number, last: number): number[] {
    const dates = [ADDED];
    for (let date = Math.max(first, this.firstBusinessDate); date <= last; date = addDays(date, 1)) dates.push(date);
    return dates;
  }

  /** When the document was last changed, by trade or by hand; NaN before it exists. */
  #modifiedAt(known: Known, now: number): number {
    const last = lastBy(known, now);
    return Math.max(last, this.#byHand.get(known.guid)?.findLast(({ at }) => at <= now)?.at ?? last);
  }

  #documentOf<K extends Kind>(life: Life<Documents[K]>, now: number): Documents[K] {
    const changes = this.#byHand.get(life.guid)?.filter(({ at }) => at <= now) ?? [];
    const plain = life.at(now);
    if (changes.length === 0) return plain;
    const changed = changes.reduce((document: object, { patch }) => patch(document), structuredClone(plain));
    return { ...(changed as Documents[K]), modifiedDate: stamp(this.#modifiedAt(life, now)) };
  }

  /** The documents of dates that a test finds, as they are now. */
  #select<K extends Kind>(kind: K, dates: Iterable<number>, isWanted: (known: Known) => boolean, now: number) {
    const found: Documents[K][] = [];
    for (const date of dates) {
      const all = date === ADDED ? [...this.#added[kind].values()] : this.#trade.knownOf(kind, date);
      found.push(...all.filter(isWanted).flatMap(({ guid }) => this.find(kind, guid, now) ?? []));
    }
    return found;
  }

  #lifeOf<K extends Kind>(kind: K, guid: string, now: number): Life<Documents[K]> | undefined {
    if (this.#removed.has(guid)) return undefined;
    const date = tradeDateOf(guid);
    const isTrade = date >= this.firstBusinessDate && date <= addDays(this.#today(now), 2);
    const life = this.#added[kind].get(guid) ?? (isTrade ? this.#trade.dayOf(date)[kind].get(guid) : undefined);
    return life && !Number.isNaN(lastBy(life, now)) ? life : undefined;
  }
}
