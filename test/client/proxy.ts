/**
 * A proxy in front of a real service that causes the faults it is configured for. It also serves the client and a page,
 * so that a browser sees all of it on one origin. Other processes set its rules and read its log over HTTP, at
 * `/proxy/…`.
 */
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname } from 'node:path';
import { Readable } from 'node:stream';
import { setTimeout as wait } from 'node:timers/promises';
import { checkBytes } from './generated.ts';

/** What happens to one request; without an `answer` it still reaches the service. */
export interface Fault {
  delayMs?: number;
  /** `before`: the service never hears of it. `after`: it did it, and its answer is lost. */
  cut?: 'before' | 'after';
  /** The connection ends after so many bytes of the body. */
  cutAfter?: number;
  bytesPerSecond?: number;
  /** Instead of the service's answer. */
  answer?: { status: number; headers?: Record<string, string>; body?: string };
  /** So many made-up checks instead of the service's answer, in the form that is asked for. */
  checks?: number;
  /** Headers that the answer loses. */
  strip?: string[];
  /** Headers that the service does not hear of. */
  deafTo?: string[];
  /** What a token's answer says about its life, in seconds. */
  expiresIn?: number;
}

export interface Rule {
  /** GET unless it says otherwise. */
  method?: string;
  /** A regular expression for the path without its query. */
  path: string;
  /** One for each request, in order. */
  faults?: Fault[];
  /** For every request after those. */
  always?: Fault;
}

export interface Call {
  method: string;
  path: string;
  query: string;
  /** Of the request. */
  headers: Record<string, string>;
  /** What the caller saw; 0 where the connection was cut before. */
  status: number;
  /** What the service answered to a POST, also where the caller never saw it. */
  answered?: string;
  /** Bytes of the body that were sent. */
  bytes: number;
  /** The caller disconnected before the body's end. */
  left?: boolean;
}

export interface FaultProxy {
  origin: string;
  stop(): Promise<void>;
}

const TYPES: Record<string, string> = { '.js': 'text/javascript', '.html': 'text/html', '.json': 'application/json' };
const HOP = ['connection', 'keep-alive', 'transfer-encoding'];

/** Waits until there is room again, or nobody there any more. */
const drained = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => {
    const go = (): void => {
      response.off('drain', go).off('close', go);
      resolve();
    };
    response.on('drain', go).on('close', go);
  });

/** `files` maps paths (`/page.html`) to files; `setup` is what scenarios need to know, at `/proxy/setup`. */
export async function startProxy(target: string, files: Record<string, string>, setup: object): Promise<FaultProxy> {
  let rules: Rule[] = [];
  let calls: Call[] = [];
  const send = (response: ServerResponse, status: number, type: string, body: string | Buffer): void => {
    response.writeHead(status, { 'content-type': type, connection: 'close' }).end(body);
  };

  /** The fault that it is this request's turn for. */
  function turn({ method, path }: Call): Fault {
    for (const rule of rules) {
      if ((rule.method ?? 'GET') !== method || !new RegExp(rule.path).test(path)) continue;
      const fault = rule.faults?.shift() ?? rule.always;
      if (fault) return fault;
    }
    return {};
  }

  async function control(path: string, body: Buffer, response: ServerResponse): Promise<void> {
    if (path === '/proxy/rules') {
      rules = JSON.parse(String(body));
      calls = [];
    }
    const answers: Record<string, unknown> = { '/proxy/log': calls, '/proxy/setup': setup };
    send(response, 200, 'application/json', JSON.stringify(answers[path] ?? null));
  }

  /** Sends the body to the caller, as slowly and as far as the fault says. */
  async function pass(body: AsyncIterable<Buffer>, fault: Fault, call: Call, response: ServerResponse): Promise<void> {
    for await (const chunk of body) {
      const size = fault.bytesPerSecond ? Math.ceil(fault.bytesPerSecond / 20) : chunk.length;
      for (let at = 0; at < chunk.length; at += size) {
        const room = (fault.cutAfter ?? Number.POSITIVE_INFINITY) - call.bytes;
        const part = chunk.subarray(at, Math.min(at + size, at + room));
        call.bytes += part.length;
        if (response.destroyed) return;
        if (!response.write(part)) await drained(response);
        if (call.bytes >= (fault.cutAfter ?? Number.POSITIVE_INFINITY)) {
          // What was written goes out first: else a reset may overtake it.
          response.socket?.end();
          return;
        }
        if (fault.bytesPerSecond) await wait(50);
      }
    }
    response.end();
  }

  /** The service's answer, with its body as it comes. */
  async function forward(call: Call, incoming: IncomingMessage, body: Buffer, fault: Fault) {
    const headers: Record<string, string | string[] | undefined> = { ...incoming.headers, host: new URL(target).host };
    headers.connection = 'close';
    for (const name of fault.deafTo ?? []) delete headers[name];
    // Faults count bytes of the body as it is.
    if (fault.cutAfter !== undefined || fault.bytesPerSecond) headers['accept-encoding'] = 'identity';
    const outgoing = request(target + call.path + call.query, { method: call.method, headers, agent: false });
    outgoing.end(body);
    const [answer] = (await once(outgoing, 'response')) as [IncomingMessage];
    if (call.method !== 'POST') return { answer, body: answer as AsyncIterable<Buffer> };
    let text = String(Buffer.concat(await answer.toArray()));
    if (fault.expiresIn !== undefined) text = text.replace(/("expires_?[iI]n":)\d+/, `$1${fault.expiresIn}`);
    call.answered = text;
    return { answer, body: Readable.from([Buffer.from(text)]) as AsyncIterable<Buffer> };
  }

  async function handle(incoming: IncomingMessage, response: ServerResponse): Promise<void> {
    const { pathname: path, search: query } = new URL(incoming.url ?? '/', 'http://proxy');
    const body = Buffer.concat(await incoming.toArray());
    if (path.startsWith('/proxy/')) return control(path, body, response);
    const file = files[path];
    if (file) return send(response, 200, TYPES[extname(file)] ?? 'text/plain', await readFile(file));

    const method = incoming.method ?? 'GET';
    const headers = incoming.headers as Record<string, string>;
    const call: Call = { method, path, query, headers, status: 0, bytes: 0 };
    calls.push(call);
    response.once('close', () => {
      if (!response.writableFinished && fault.cut === undefined && fault.cutAfter === undefined) call.left = true;
    });
    const fault = turn(call);
    if (fault.delayMs) await wait(fault.delayMs);
    if (fault.cut === 'before') return void response.socket?.destroy();
    if (fault.answer) {
      call.status = fault.answer.status;
      const { 'content-type': type = 'application/json', ...more } = fault.answer.headers ?? {};
      for (const [name, value] of Object.entries(more)) response.setHeader(name, value);
      return send(response, fault.answer.status, type, fault.answer.body ?? '');
    }
    if (fault.checks !== undefined) {
      const lines = headers.accept?.includes('ndjson') && !fault.deafTo?.includes('accept');
      call.status = 200;
      response.writeHead(200, {
        'content-type': lines ? 'application/x-ndjson' : 'application/json',
        connection: 'close',
      });
      return pass(Readable.from(checkBytes(fault.checks, lines ? 'lines' : 'array')), fault, call, response);
    }
    const { answer, body: text } = await forward(call, incoming, body, fault);
    if (fault.cut === 'after') return void response.socket?.destroy();
    call.status = answer.statusCode ?? 502;
    const lost = [...HOP, ...(fault.strip ?? []), ...(fault.expiresIn === undefined ? [] : ['content-length'])];
    for (const [name, value] of Object.entries(answer.headers))
      if (value !== undefined && !lost.includes(name)) response.setHeader(name, value);
    response.writeHead(call.status, { connection: 'close' });
    response.flushHeaders();
    await pass(text, fault, call, response);
  }

  const server = createServer((incoming, response) => {
    handle(incoming, response).catch(() => response.socket?.destroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  return {
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
