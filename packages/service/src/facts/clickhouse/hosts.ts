/** Several hosts of ClickHouse: a call goes to the first that can be reached. */
import { performance } from 'node:perf_hooks';

/** How long a host that could not be reached is tried last. */
const AVOID_MS = 10_000;
/** There was no connection, so nothing was sent. */
const NOT_SENT = /^(ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ENETUNREACH|EHOSTDOWN|ENETDOWN)$/;

/** Nothing was sent to a host; `cause` says why. */
export class Unsent extends Error {
  override readonly name = 'Unsent';
}

interface Hosts<Client> {
  /**
   * Calls a host. If `isAway` says that the host is at fault for an error, the next one is called, provided that the
   * call may be repeated or was not sent. Throws the error of the last.
   */
  call<T>(work: (client: Client) => Promise<T>, options: { mayRepeat: boolean; signal: AbortSignal }): Promise<T>;
}

export function createHosts<Client>(clients: readonly Client[], isAway: (error: unknown) => boolean): Hosts<Client> {
  const failedAt = new Map<Client, number>();

  function inOrder(): Client[] {
    const since = performance.now() - AVOID_MS;
    const failed = (client: Client): boolean => (failedAt.get(client) ?? Number.NEGATIVE_INFINITY) > since;
    return [...clients.filter((client) => !failed(client)), ...clients.filter(failed)];
  }

  return {
    async call(work, { mayRepeat, signal }) {
      let last: unknown;
      for (const client of inOrder()) {
        try {
          const answer = await work(client);
          failedAt.delete(client);
          return answer;
        } catch (error) {
          const isUnsent = error instanceof Unsent;
          last = isUnsent ? error.cause : error;
          if (!signal.aborted && !isAway(last)) break;
          failedAt.set(client, performance.now());
          const isNext = mayRepeat || isUnsent || NOT_SENT.test(String((error as { code?: unknown }).code));
          if (signal.aborted || !isNext) break;
        }
      }
      throw last;
    },
  };
}
