/** Types that derive the type of records from the ask. */

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
