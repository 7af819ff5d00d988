/** Closes stores in the reverse of the order in which they were opened. */

export type Closing = () => Promise<void>;

/**
 * Returns a function that closes what is in `opened` when it is called, the last first. A second call closes nothing
 * again.
 */
export const closerOf =
  (opened: Closing[]): Closing =>
  async () => {
    for (const step of opened.splice(0).reverse()) await step();
  };
