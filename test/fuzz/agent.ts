/** Requests as they are, byte for byte of the request line, over kept connections. */
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
import type { Socket } from 'node:net';
import { brotliDecompressSync, gunzipSync, zstdDecompressSync } from 'node:zlib';

export interface Sent {
  method: string;
  /** The request target. */
  url: string;
  headers: Record<string, string>;
  body: Buffer | undefined;
}
export interface Got {
  status: number;
  headers: IncomingHttpHeaders;
  /** Decoded. */
  body: Buffer;
}

const DECODERS: Record<string, (bytes: Buffer) => Buffer> = {
  gzip: gunzipSync,
  br: brotliDecompressSync,
  zstd: zstdDecompressSync,
};

/** Counts the requests that servers of this process have begun, by the port of their client. */
function watchServers() {
  const begun = new Map<number, number>();
  const onStart = (message: unknown): void => {
    const { remotePort = 0 } = (message as { socket: Socket }).socket;
    begun.set(remotePort, (begun.get(remotePort) ?? 0) + 1);
  };
  subscribe('http.server.request.start', onStart);
  return {
    begun: (port: number | undefined): number => begun.get(port ?? 0) ?? 0,
    close: () => void unsubscribe('http.server.request.start', onStart),
  };
}

const RESET = ['ECONNRESET', 'EPIPE'];

/**
 * Opens an agent for the origin, with a number of kept connections. A server may close a kept connection at the moment
 * at which the next request is sent: one that it has not begun is sent once more. With `repeats` every request is whose
 * kept connection was closed before an answer, as clients of a balancer do: what a node has begun cannot be seen from
 * here.
 */
export function openAgent(origin: string, connections: number, repeats = false) {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });
  const servers = watchServers();

  function send(sent: Sent, isRepeated = false): Promise<Got> {
    const { method, url, headers, body } = sent;
    return new Promise((resolve, reject) => {
      const length = body === undefined ? {} : { 'content-length': String(body.length) };
      const call = request(
        { hostname, port, method, path: url, headers: { ...length, ...headers }, agent },
        (answer) => {
          const chunks: Buffer[] = [];
          const { statusCode = 0, headers: got } = answer;
          // A stream of events may go on for as long as its report does: the first of it is enough.
          const isStream = got['content-type']?.startsWith('text/event-stream');
          answer.on('data', (chunk: Buffer) => {
            chunks.push(chunk);
            if (isStream) answer.destroy();
          });
          answer.on('error', reject);
          answer.on('close', () => {
            const bytes = Buffer.concat(chunks);
            const decode = DECODERS[String(got['content-encoding'] ?? '')];
            // Part of a coded answer cannot be decoded.
            const whole = decode && statusCode !== 206 && bytes.length > 0;
            resolve({ status: statusCode, headers: got, body: whole ? decode(bytes) : bytes });
          });
        },
      );
      let hasBegun = (): boolean => true;
      call.on('socket', ({ localPort }) => {
        const before = servers.begun(localPort);
        hasBegun = () => servers.begun(localPort) > before;
      });
      call.on('error', (error: NodeJS.ErrnoException) => {
        const isReset = call.reusedSocket && RESET.includes(error.code ?? '');
        if (isReset && (repeats || !(isRepeated || hasBegun()))) send(sent, true).then(resolve, reject);
        else reject(new Error(curlOf(origin, sent), { cause: error }));
      });
      call.end(body);
    });
  }
  return {
    send: (sent: Sent) => send(sent),
    close(): void {
      servers.close();
      agent.destroy();
    },
  };
}
export type FuzzAgent = ReturnType<typeof openAgent>;

/** The request as a line that a shell takes; its token, of no use later, is the variable TOKEN. */
export function curlOf(origin: string, { method, url, headers, body }: Sent): string {
  const quote = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`;
  const parts = ['curl -i --path-as-is', method === 'HEAD' ? '-I' : `-X ${method}`];
  for (const [name, value] of Object.entries(headers)) {
    const isToken = name === 'authorization' && value.startsWith('Bearer');
    parts.push('-H', isToken ? '"authorization: Bearer $TOKEN"' : quote(`${name}: ${value}`));
  }
  if (body) parts.push('--data-binary', quote(body.length > 2000 ? `${body.subarray(0, 2000)}…` : String(body)));
  return [...parts, quote(origin + url)].join(' ');
}
