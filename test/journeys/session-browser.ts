/**
 * What a page of the service sends: one cookie, JSON, and the header by which browsers say where a request comes from.
 */
import type { Answer, Running } from './service.ts';

export interface Browser {
  /** Calls a path at the origin. `headers` replace those of a page; an empty one is left out. */
  call(method: string, path: string, json?: object, headers?: Record<string, string>): Promise<Answer>;
  /** `name=value`, empty without one. */
  cookie(): string;
}

/** A browser without a cookie, or with the one that another has. */
export function openBrowser(running: Pick<Running, 'call'>, cookie = ''): Browser {
  let held = cookie;
  return {
    async call(method, path, json, headers = {}) {
      const all = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/json', cookie: held, ...headers };
      const sent = Object.fromEntries(Object.entries(all).filter(([, value]) => value !== ''));
      const body = json === undefined ? {} : { body: Buffer.from(JSON.stringify(json)) };
      const answer = await running.call(method, path, { base: '', headers: sent, ...body });
      const set = answer.headers.get('set-cookie')?.split(';')[0];
      if (set !== undefined) held = set.endsWith('=') ? '' : set;
      return answer;
    },
    cookie: () => held,
  };
}
