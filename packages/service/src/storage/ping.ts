/** Whether a store answers. */

/** A ping without an answer after this time counts as failed: probes have deadlines of their own. */
const PING_MS = 2000;

interface Pinged {
  /** Rejects if the store does not answer; a store may stop trying after `deadlineMs`. */
  ping(deadlineMs: number): Promise<void>;
}

/** Pings a store; rejects with its error, or if it has not answered within 2 s. */
export async function pingStore(store: Pinged): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('late')), PING_MS);
  });
  try {
    await Promise.race([store.ping(PING_MS), late]);
  } finally {
    clearTimeout(timer);
  }
}
