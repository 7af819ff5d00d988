/** A service in a process of its own on a data folder to which faults are done, and short calls to it. */
import type { ChildProcess } from 'node:child_process';
import { serve, stop, tokenOf } from '../commands/process.ts';

export const RESTAURANT = 'b1500000-0000-4000-8000-000000000001';

export interface ServiceOn {
  child: ChildProcess;
  base: string;
  origin: string;
}

/** Starts it, with a bootstrap client that has every scope. */
export async function startOn(data: string, env: Record<string, string> = {}): Promise<ServiceOn> {
  const { child, base } = await serve(['--data', data], { DAYPART_BOOTSTRAP_CLIENT: 'me:secret:group', ...env });
  child.stdout?.resume();
  return { child, base, origin: new URL(base).origin };
}

export interface Answered {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: what came over the wire, of whatever shape
  body: any;
}

/** Calls a path with a JSON value, or a body of its own type. */
export type CallOn = (
  method: string,
  path: string,
  body?: unknown,
  headers?: Record<string, string>,
) => Promise<Answered>;

/** Calls with the rights of the bootstrap client. */
export async function callsTo(base: string): Promise<CallOn> {
  const { access_token: token } = (await (await tokenOf(base, 'me', 'secret')).json()) as { access_token: string };
  const authorization = `Bearer ${token}`;
  return async (method, path, body, headers = {}) => {
    const own = body instanceof FormData;
    const response = await fetch(path === '/session' ? `${new URL(base).origin}${path}` : `${base}${path}`, {
      method,
      headers: {
        authorization,
        ...(own || body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      body: body === undefined ? null : own ? body : JSON.stringify(body),
    });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
    return { status: response.status, body: isJson ? JSON.parse(text) : text };
  };
}

/** Kills the process, if it still runs. */
export const ended = (child: ChildProcess): Promise<number | null> => stop(child, 'SIGKILL');
