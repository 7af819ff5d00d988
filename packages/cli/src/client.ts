/** The client of a service, and how its waits are shown. */
import { Daypart, type Progress, retryAfterOf, type WaitOptions } from '@daypart/client';
import type { Bounds } from './bounds.ts';
import type { Connection } from './profiles.ts';
import type { Spinner } from './progress.ts';
import type { Terminal } from './terminal.ts';
import { refusedFor, unreached } from './trouble.ts';

/** Callbacks for the answers of the service, and what is kept of them. */
type Watched = Pick<Terminal, 'limited'> & Partial<Pick<Terminal, 'incomplete' | 'base' | 'trouble'>>;

/** `patient`: failing calls are retried for some 15 s. */
export function openClient(connection: Connection, terminal: Watched, patient = true): Daypart {
  const { url: baseUrl, token, clientId = '', clientSecret = '', auth } = connection;
  terminal.base = baseUrl;
  const common = { baseUrl, maxRetries: patient ? undefined : 1, fetch: watchedFetch(terminal) };
  return new Daypart(token === undefined ? { ...common, clientId, clientSecret, auth } : { ...common, token });
}

/** The platform's fetch. The client waits for rate limits and retries silently; this informs people. */
const watchedFetch =
  (terminal: Watched): typeof fetch =>
  async (...call) => {
    const [to, init] = call;
    const url = String(to instanceof Request ? to.url : to);
    const response = await fetch(...call).catch((error) => {
      // A call that ends with the deadline says nothing about the service.
      if (!init?.signal?.aborted) terminal.trouble = unreached(url, error);
      throw error;
    });
    terminal.trouble = refusedFor(url, response.status);
    if (response.status === 429) terminal.limited?.(retryAfterOf(response.headers) ?? undefined);
    const incomplete = Number(response.headers.get('x-report-incomplete') ?? 0);
    const guid = /[0-9a-f-]{36}(?=$|\?)/.exec(url);
    if (incomplete > 0 && guid) terminal.incomplete?.set(guid[0], incomplete);
    return response;
  };

/** How long a report is waited for before its events are requested: most are ready sooner. */
const EVENTS_AFTER_MS = 700;
/** The shortest wait for a rate limit that gets a line, and how long after the refusal the line is written. */
const [SHORT_MS, ANNOUNCE_AFTER_MS] = [3000, 250];

/**
 * Options of a wait whose state is shown while it lasts. On a terminal the progress comes from the report's events,
 * if the service has them.
 */
export function following(
  client: Daypart,
  terminal: Terminal,
  bounds: Bounds,
  spinner: Spinner,
): WaitOptions & { signal: AbortSignal; done: () => void } {
  let watched: string | undefined;
  const watching = new AbortController();
  async function watch(guid: string): Promise<void> {
    const signal = AbortSignal.any([watching.signal, bounds.signal]);
    try {
      for await (const { event, progress } of client.reports.events(guid, { signal })) {
        if (signal.aborted || watched !== guid) return;
        if (typeof progress === 'number')
          spinner.say(`${event === 'queued' ? 'Queued' : `Gathering ${Math.round(progress * 100)} %`}`);
      }
    } catch {
      // Without events the line has no percentage.
    }
  }
  let announcing: NodeJS.Timeout | undefined;
  function limited(waitMs: number | undefined): void {
    if (waitMs !== undefined && waitMs < SHORT_MS) return;
    const seconds = waitMs === undefined ? 'a while' : `${Math.ceil(waitMs / 1000)} s`;
    const longer =
      waitMs !== undefined && waitMs > bounds.ms ? `, longer than the --timeout of ${bounds.ms / 1000} s` : '';
    clearTimeout(announcing);
    // If the command does not wait, it has ended by then, with its own message.
    const announce = (): void => spinner.announce(`Rate limit reached; waiting ${seconds}${longer}`);
    announcing = setTimeout(announce, ANNOUNCE_AFTER_MS).unref();
  }
  terminal.limited = limited;
  return {
    signal: bounds.signal,
    timeoutMs: bounds.ms,
    onProgress({ state, guid, elapsedMs, attempt, nextMs }: Progress) {
      if (guid !== null) terminal.guid = guid;
      if (state === 'creating' && nextMs) limited(nextMs);
      else if (state === 'creating') spinner.say(attempt > 1 ? 'Requesting the report again' : 'Requesting the report');
      if (state === 'reading') spinner.say('Reading');
      if (state !== 'waiting' || guid === null || watched === guid) return;
      spinner.say('Waiting for the report');
      watched = guid;
      if (terminal.err.isTTY)
        setTimeout(
          () => watched === guid && !watching.signal.aborted && void watch(guid),
          Math.max(0, EVENTS_AFTER_MS - elapsedMs),
        ).unref();
    },
    done() {
      watching.abort();
      clearTimeout(announcing);
      terminal.limited = undefined;
    },
  };
}
