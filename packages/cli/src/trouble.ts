/** What the last call to a service came to, for the message if time runs out while it is repeated. */

export interface Trouble {
  /** `127.0.0.1:8080 refused the connection (ECONNREFUSED)`. */
  text: string;
  /** Whether there was no answer at all. */
  isAway: boolean;
}

/** What went wrong at a host with its port, by the platform's code. */
const REASONS: Record<string, (host: string) => string> = {
  ECONNREFUSED: (host) => `${host} refused the connection`,
  ENOTFOUND: (host) => `there is no host ${host.replace(/:\d+$/, '')}`,
  ECONNRESET: (host) => `${host} closed the connection`,
};

/** A call that failed without an answer. */
export function unreached(url: string, error: unknown): Trouble {
  const { hostname, port, protocol } = new URL(url);
  const host = `${hostname}:${port || (protocol === 'https:' ? 443 : 80)}`;
  const { code } = Object(Object(error).cause ?? error) as { code?: unknown };
  const text = REASONS[String(code)]?.(host) ?? `${host} could not be reached`;
  return { text: typeof code === 'string' ? `${text} (${code})` : text, isAway: true };
}

/** An answer that says only that there is none now; undefined for others. */
export function refusedFor(url: string, status: number): Trouble | undefined {
  const text = `${new URL(url).host} answered ${status}`;
  if (status === 429) return { text: `${text}, its rate limit is reached`, isAway: false };
  return status >= 500 ? { text, isAway: false } : undefined;
}
