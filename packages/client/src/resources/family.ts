/**
 * The definition of a report family: how it is requested, how its records are read, and their types, which follow from
 * the ask.
 */
import type { BusinessDate } from '../dates.ts';
import type { FamilyDeclaration } from '../declaration.ts';
import type { Restaurants, TimeRange } from '../types.ts';

/** The common properties of an ask. */
export interface Ask extends Restaurants {
  range: TimeRange | 'custom';
  /** First business date. */
  start: BusinessDate;
  /** Last business date; optional for a day. */
  end?: BusinessDate | undefined;
  groupBy?: readonly string[] | undefined;
  aggregateBy?: string | undefined;
  fetchRestaurantNames?: boolean | undefined;
}

/** The same for a span of any length. */
export type HistoryAsk<A extends Ask> = Omit<A, 'range' | 'start' | 'end'> & {
  from: BusinessDate;
  to: BusinessDate;
  range?: A['range'] | undefined;
};

/**
 * The types of a family. `row` may depend on what was asked: `interface SalesTypes extends FamilyTypes { ask: SalesAsk;
 * row: SalesRecord<this['asked']> }`.
 */
export interface FamilyTypes {
  ask: Ask;
  asked: unknown;
  row: unknown;
}

/** The record of a family for an ask. */
export type RowOf<T extends FamilyTypes, A = T['ask']> = (T & { asked: A })['row'];

/** How reports of a family are requested. */
export interface FamilyForm {
  /** Below the base. */
  path: `/${string}`;
  /** Names of the dates in the body. */
  dates: { start: string; end: string };
  /** Whether the body always has `groupBy`; otherwise only if an ask has groups, which the service refuses. */
  groups: boolean;
}

export interface Family<T extends FamilyTypes> extends FamilyForm {
  /** Reads a record of either dialect. Throws UnexpectedAnswerError for anything else. */
  read(raw: unknown): RowOf<T>;
  /** The default range of the parts of a history. */
  historyRange: T['ask']['range'];
  /** The limit that counts a create of the range: creates with the same limit share its windows. */
  limitOf(range: string): string;
  /**
   * The windows of each limit on the live system, [calls, ms], for services whose answers do not report the remaining
   * quota.
   */
  knownLimits: Record<string, readonly (readonly [calls: number, ms: number])[]>;
}

/** How a declared family is requested, and its limits on the live system. */
export function requestsOf({
  path,
  dates,
  groups,
  limits,
}: FamilyDeclaration): Omit<Family<FamilyTypes>, 'read' | 'historyRange'> {
  const limitOf = (range: string): string => {
    const at = limits.findIndex(({ ranges }) => ranges.includes(range));
    return `${path} ${limits[at]?.each ? range : at}`;
  };
  const windows = limits.flatMap((limit) => limit.ranges.map((range) => [limitOf(range), limit.windows] as const));
  return { path, dates, groups: groups.length > 0, limitOf, knownLimits: Object.fromEntries(windows) };
}

/** Whether a list of groups has G: `boolean` if it is known only at run time. */
export type Has<T, G> = T extends readonly [infer Head, ...infer Rest]
  ? [Head] extends [G]
    ? true
    : [G] extends [Head]
      ? boolean
      : Has<Rest, G>
  : T extends readonly []
    ? false
    : T extends readonly unknown[]
      ? boolean
      : T extends undefined
        ? false
        : boolean;
/** The type of `groupBy` in an ask. An optional property may be undefined. */
export type GroupsOf<A> = A extends { groupBy: infer T }
  ? T
  : 'groupBy' extends keyof A
    ? A extends { groupBy?: infer T }
      ? T | undefined
      : undefined
    : undefined;
