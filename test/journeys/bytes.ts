/** Requests whose bytes and headers are all visible: fetch decodes bodies and hides that it did. */
import { once } from 'node:events';
import { type IncomingHttpHeaders, type IncomingMessage, request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';
import type { Running } from './service.ts';

/** Signals the process that compresses files, which is started if it is not running. */
export async function signalHelper(running: Running, signal: 'SIGSTOP' | 'SIGCONT'): Promise<void> {
  const { files } = running.service.stores;
  if (signal === 'SIGSTOP') await files.digest(import.meta.filename, { deadlineMs: 20_000 });
  const pid = files.pid();
  if (pid !== undefined) process.kill(pid, signal);
}

export interface Received {
  status: number;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

/** Sends a GET under the base and answers as soon as the head is there. */
export async function open(
  running: Running,
  path: string,
  headers: Record<string, string>,
  { method = 'GET', signal }: { method?: string; signal?: AbortSignal } = {},
): Promise<IncomingMessage> {
  const sent = request(`${running.service.baseUrl}${path}`, {
    method,
    headers,
    agent: false,
    ...(signal ? { signal } : {}),
  });
  sent.end();
  const [response] = (await once(sent, 'response')) as [IncomingMessage];
  return response;
}

export async function receive(
  running: Running,
  path: string,
  headers: Record<string, string>,
  options: { method?: string; signal?: AbortSignal } = {},
): Promise<Received> {
  const response = await open(running, path, headers, options);
  return { status: response.statusCode ?? 0, headers: response.headers, body: await buffer(response) };
}

/** The body as it was before it was coded. */
export function decoded({ headers, body }: Received): Buffer {
  switch (headers['content-encoding']) {
    case 'gzip':
      return gunzipSync(body);
    case 'br':
      return brotliDecompressSync(body);
    case 'zstd':
      return zstdDecompressSync(body);
    default:
      return body;
  }
}
