/** The records of a body that could not be read: the first ones are listed, all are counted. */
import { Problem } from '../contract/problems.ts';
import type { Rejected } from './source.ts';

/** How many an answer lists. The rest are only counted: when all were listed, 59 kB of gzip got an answer of 21 MB. */
export const MOST_LISTED = 1000;
/** A body is refused once it has this many records and more than 99 % of them were rejected. */
const ENOUGH_RECORDS = 10_000;
const ONE_IN = 100;

export interface RejectedRecord extends Rejected {
  /** 0-based place in the body. */
  index: number;
}

interface Rejections {
  /** The first 1,000, in the order of the body. */
  readonly listed: RejectedRecord[];
  readonly count: number;
  add(index: number, why: Rejected): void;
  /** Throws Problem too_many_rejected if nearly all of the first `records` records were rejected. */
  check(records: number): void;
}

export function createRejections(): Rejections {
  const listed: RejectedRecord[] = [];
  let count = 0;
  return {
    listed,
    get count() {
      return count;
    },
    add(index, { guid, pointer, message }) {
      count++;
      if (listed.length < MOST_LISTED) listed.push({ index, guid, pointer, message });
    },
    check(records) {
      if (records < ENOUGH_RECORDS || (records - count) * ONE_IN >= records) return;
      const [first] = listed;
      const why = first ? ` The first is record ${first.index}: ${first.message}.` : '';
      throw new Problem('too_many_rejected', `${count} of the first ${records} records could not be read.${why}`);
    },
  };
}
