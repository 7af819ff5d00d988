/** The client of the service, and what its answers say besides their content. */
import { Daypart, retryAfterOf } from '@daypart/client';
import { dropToken, token } from './session.ts';
import { createStore } from './store.ts';

export const BASE = '/v1';

/** Until when calls are refused, in milliseconds of Date.now(); 0 where they are not. */
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
  // It ends by time alone: calls that are not limited succeed meanwhile.
  if (response.status === 429) limitedUntil.set(Date.now() + (retryAfterOf(response.headers) ?? 1000));
  if (new URL(String(input)).pathname === `${BASE}/restaurants`)
    watermark = response.headers.get('etag')?.replace(/^W\/|"/g, '') ?? watermark;
  return response;
}

/** Failures show at once with a button to try again; 429 is waited for. */
export const daypart = new Daypart({ baseUrl: BASE, token, fetch: watchedFetch, maxRetries: 1 });
