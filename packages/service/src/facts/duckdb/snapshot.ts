/** Snapshots of these facts: loads are merged one after the other, so the number of the last one says which are in. */
/** Of a row that has the number of the last load. */
export const snapshotOf = (row: { load_id: string }): string => row.load_id;

/** The number of the last load that is in. */
export const loadOf = (snapshot: string): number => Number(snapshot);
