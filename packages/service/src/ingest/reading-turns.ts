/**
 * In which order bodies that arrive together are read. Management groups take turns, so that none waits for all the
 * bodies of another. Within a group the body that began first is read first: when three bodies of 5,000 orders took
 * turns, all of them were read after 0.4 s, and until then the engine, which merges one at a time, had nothing to do.
 */

/** A longer body takes turns with the others of its group, which would wait for all of it. */
const LONG_BYTES = 16 * 1024 * 1024;

/**
 * Resolves when it is the body's turn to be read further, in the next turn of the event loop at the earliest. `bytes`
 * of it were read so far.
 */
export type UntilTurn = (bytes: number) => Promise<void>;

interface Waiting {
  owner: string;
  /** The place of the body in the order in which bodies began. */
  place: number;
  resume(): void;
}

/** Returns a function to call with the management group of each body when it begins. */
export function createReadingTurns(longBytes = LONG_BYTES): (group: string) => UntilTurn {
  const waiting: Waiting[] = [];
  /** The numbers of the last turns of owners, which are counted while any body waits. */
  const lastTurns = new Map<string, number>();
  let begun = 0;
  let turns = 0;
  let isScheduled = false;

  const lastTurn = ({ owner }: Waiting): number => lastTurns.get(owner) ?? 0;
  const order = (one: Waiting, other: Waiting): number => lastTurn(one) - lastTurn(other) || one.place - other.place;

  /**
   * Resumes one body. It is read before the next turn of the event loop, unless it waits for the disk or for its next
   * piece.
   */
  function resumeFirst(): void {
    const [first] = waiting.sort(order).splice(0, 1);
    isScheduled = waiting.length > 0;
    if (isScheduled) setImmediate(resumeFirst);
    else lastTurns.clear();
    if (!first) return;
    lastTurns.set(first.owner, ++turns);
    first.resume();
  }

  return (group) => {
    const place = ++begun;
    return (bytes) =>
      new Promise((resume) => {
        waiting.push({ owner: bytes > longBytes ? `${group} ${place}` : group, place, resume });
        if (isScheduled) return;
        isScheduled = true;
        setImmediate(resumeFirst);
      });
  };
}
