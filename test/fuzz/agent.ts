/** Requests as they are, byte for byte of the request line, over kept connections. */
import { Agent, type IncomingHttpHeaders, request } from 'node:http';
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

/**
 * Opens an agent for the origin, with a number of kept connections. With `repeats` a request is sent again whose kept connection was
 * closed before an answer, as clients of a balancer do.
 */
export function openAgent(origin: string, connections: number, repeats = false) {
  const { hostname, port } = new URL(origin);
  const agent = new Agent({ keepAlive: true, maxSockets: connections });

  function send(sent: Sent): Promise<Got> {
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
      call.on('error', (error: NodeJS.ErrnoException) => {
        if (repeats && call.reusedSocket && error.code === 'ECONNRESET') send(sent).then(resolve, reject);
        else reject(new Error(curlOf(origin, sent), { cause: error }));
      });
      call.end(body);
    });
  }
  return { send, close: () => agent.destroy() };
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
