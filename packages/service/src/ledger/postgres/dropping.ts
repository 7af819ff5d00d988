/** Changes after which a row is no longer read from this service's cache. */

/** Makes changes call `drop` with their first value once they have ended, also after an error: the change may have been made. */
export const dropping =
  <First>(drop: (first: First) => void) =>
  <Rest extends unknown[], Answer>(change: (first: First, ...rest: Rest) => Promise<Answer>) =>
  async (first: First, ...rest: Rest): Promise<Answer> => {
    try {
      return await change(first, ...rest);
    } finally {
      drop(first);
    }
  };
