/**
 * Snapshots of these facts: loads are merged one after the other, so a snapshot is the number of the last load that it
 * includes.
 */
/** The snapshot of a row that has the number of the last load. */
export const snapshotOf = (row: { load_id: string }): string => row.load_id;

/** The number of the last load that the snapshot includes. */
export const loadOf = (snapshot: string): number => Number(snapshot);
