/** The client of the service, and what the headers and states of its answers say. */
import { type Ask, openSteps, type ReportSteps, retryAfterOf } from '@daypart/client';
import { ROOT } from './root.ts';
import { dropToken, token } from './session.ts';
import { createStore } from './store.ts';

export const BASE = `${ROOT}/v1`;

/** Until when calls are refused, in milliseconds of Date.now(); 0 if they are not refused. */
export const limitedUntil = createStore(0);
/** Whether the last call reached the service. */
export const online = createStore(true);

/** The ETag of `GET /restaurants`: it changes with the data and the settings of the group. */
let watermark = '';
export const currentWatermark = (): string => watermark;

async function watchedFetch(input: RequestInfo | URL, init?: RequestInit): Promise<Response> {
  let response: Response;
  try {
    response = await fetch(input, init);
  } catch (error) {
    if (!init?.signal?.aborted) online.set(false);
    throw error;
  }
  online.set(true);
  if (response.status === 401) dropToken();
  // Only time resets it: calls without a limit succeed meanwhile.
  if (response.status === 429) limitedUntil.set(Date.now() + (retryAfterOf(response.headers) ?? 1000));
  if (new URL(String(input)).pathname === `${BASE}/restaurants`)
    watermark = response.headers.get('etag')?.replace(/^W\/|"/g, '') ?? watermark;
  return response;
}

/** Failures show at once with a button to try again; after 429 the client waits. */
export const daypart = openSteps({ baseUrl: BASE, token, fetch: watchedFetch, maxRetries: 1 });

/** The single steps of reports below a path; all families name their dates alike. */
export const stepsOf = <A extends Ask>(path: `/${string}`, groups: boolean): ReportSteps<A> =>
  daypart.steps({ path, dates: { start: 'startBusinessDate', end: 'endBusinessDate' }, groups });
