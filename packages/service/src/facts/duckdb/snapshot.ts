/**
 * Snapshots of these facts: loads are committed in the order of their numbers, so a snapshot is the number of the last
 * load that it includes.
 */

/**
 * How much higher than the last the number of a large load is. Loads that are merged meanwhile are committed before it,
 * with numbers below its own. A double can count some 8 × 10⁹ such steps.
 */
export const NUMBERS_BESIDE = 2 ** 20;

/** The snapshot of a row that has the number of the last load. */
export const snapshotOf = (row: { load_id: string }): string => row.load_id;

/** The number of the last load that the snapshot includes. */
export const loadOf = (snapshot: string): number => Number(snapshot);
