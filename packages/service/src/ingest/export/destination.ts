/** Where an import loads to: through `load`, as a service does it, whether here or over HTTP. */
import { setTimeout } from 'node:timers/promises';
import type { Facts, Spool } from '../../facts/facts.ts';
import type { Restaurant } from '../../ledger/ledger.ts';
import { type LoadAnswer, load } from '../load.ts';

export interface Destination {
  restaurantGuid: string;
  /** IANA name: the zone of the export's times. */
  timeZone: string;
  /** Loads records in one step, all or nothing; throws when it cannot. */
  load(kind: Spool['kind'], records: readonly object[]): Promise<LoadAnswer>;
}

function* ndjson(records: readonly object[]): Generator<Buffer> {
  for (let from = 0; from < records.length; from += 200) {
    const part = records.slice(from, from + 200).map((record) => JSON.stringify(record));
    yield Buffer.from(`${part.join('\n')}\n`);
  }
}

/** The stores of this process. */
export function storesDestination(stores: { facts: Facts; spoolFolder: string }, restaurant: Restaurant): Destination {
  return {
    restaurantGuid: restaurant.guid,
    timeZone: restaurant.timeZone,
    load: (kind, records) => load(stores, restaurant, kind, chunks(records), 'ndjson'),
  };
}

async function* chunks(records: readonly object[]): AsyncGenerator<Buffer> {
  yield* ndjson(records);
}

export interface Remote {
  /** The base of the service, such as `http://127.0.0.1:8080/v1`. */
  base: string;
  clientId: string;
  clientSecret: string;
}

const PATHS = { orders: 'orders', shifts: 'time-entries' } as const;
const ATTEMPTS = 5;
const LONGEST_WAIT_S = 60;

/** A running service. Throws when it does not know the credentials or the restaurant. */
export async function serviceDestination(remote: Remote, restaurantGuid: string): Promise<Destination> {
  const path = `${remote.base}/restaurants/${restaurantGuid}`;
  let token = await fetchToken(remote);
  async function call(url: string, body?: Buffer): Promise<unknown> {
    const send = () =>
      attempt(url, {
        method: body ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${token}`, ...(body ? { 'content-type': 'application/x-ndjson' } : {}) },
        body: body ?? null,
      });
    let response = await send();
    if (response.status === 401) {
      token = await fetchToken(remote);
      response = await send();
    }
    return await answerOf(response, url);
  }
  const { timeZone } = (await call(path)) as { timeZone: string };
  return {
    restaurantGuid,
    timeZone,
    load: async (kind, records) =>
      (await call(`${path}/${PATHS[kind]}`, Buffer.concat([...ndjson(records)]))) as LoadAnswer,
  };
}

async function fetchToken({ base, clientId, clientSecret }: Remote): Promise<string> {
  const url = `${base.replace(/(\/era)?\/v1$/, '')}/oauth/token`;
  const body = new URLSearchParams({
    grant_type: 'client_credentials',
    client_id: clientId,
    client_secret: clientSecret,
  });
  const answer = (await answerOf(await attempt(url, { method: 'POST', body }), url)) as { access_token: string };
  return answer.access_token;
}

/** Sends once more what was not taken for now: to load twice changes nothing. */
async function attempt(url: string, init: RequestInit): Promise<Response> {
  for (let tries = 1; ; tries++) {
    const response = await fetch(url, init).catch((error: Error) => error);
    const isFinal = response instanceof Response && response.status !== 429 && response.status !== 503;
    if (isFinal) return response;
    if (tries === ATTEMPTS) {
      if (response instanceof Response) return response;
      const { cause } = response as { cause?: { message?: string; code?: string } };
      throw new Error(`${new URL(url).origin} cannot be reached: ${cause?.message || cause?.code || response.message}`);
    }
    const asked = response instanceof Response ? Number(response.headers.get('retry-after')) : 0;
    if (response instanceof Response) await response.body?.cancel();
    await setTimeout(1000 * Math.min(asked || 2 ** (tries - 1) / 4, LONGEST_WAIT_S));
  }
}

async function answerOf(response: Response, url: string): Promise<unknown> {
  const text = await response.text();
  if (response.ok) {
    try {
      return JSON.parse(text);
    } catch {
      throw new Error(
        `${url} answered with something other than JSON; is --url the base, such as http://host:8080/v1?`,
      );
    }
  }
  throw new Error(`${url} answered ${response.status}${problemText(text)}`);
}

function problemText(text: string): string {
  try {
    const { detail, title, error_description: description } = JSON.parse(text) as Record<string, unknown>;
    const told = detail ?? title ?? description;
    return typeof told === 'string' ? `: ${told}` : '';
  } catch {
    return '';
  }
}
