/** Requests of ClickHouse's HTTP interface, read into what the engine is to do. */
import type { IncomingMessage } from 'node:http';
import { Readable } from 'node:stream';
import { createGunzip } from 'node:zlib';
import type { QueryContext } from './engine.ts';

export interface Asked extends QueryContext {
  query: string;
  /** Rows to insert, where the query came in the address. */
  rows: Readable | undefined;
  defaultFormat: string;
  /** Whether the answer begins only when the query has ended. */
  waitsForEnd: boolean;
  compresses: boolean;
}

/** Parameters of the address that are no settings of a query. */
const NOT_SETTINGS = new Set([
  ...['query', 'database', 'default_format', 'session_id', 'session_timeout', 'session_check', 'close_session'],
  ...['query_id', 'wait_end_of_query', 'buffer_size', 'compress', 'decompress', 'user', 'password', 'quota_key'],
  ...['stacktrace', 'role', 'client_protocol_version', 'enable_http_compression'],
]);

async function textOf(body: Readable): Promise<string> {
  const pieces: Buffer[] = [];
  for await (const piece of body) pieces.push(Buffer.from(piece as Uint8Array));
  return Buffer.concat(pieces).toString('utf8');
}

/** The fields of a form: the query, and parameters that were too long for the address. */
async function formOf(body: Readable, type: string): Promise<Map<string, string>> {
  const response = new Response(Readable.toWeb(body) as ReadableStream, { headers: { 'content-type': type } });
  const fields = new Map<string, string>();
  for (const [name, value] of await response.formData())
    fields.set(name, typeof value === 'string' ? value : await value.text());
  return fields;
}

/** Reads all of a request but the rows of an insert. */
export async function readRequest(request: IncomingMessage): Promise<Asked> {
  const { searchParams } = new URL(request.url ?? '/', 'http://bridge');
  const type = request.headers['content-type'] ?? '';
  const body = request.headers['content-encoding'] === 'gzip' ? request.pipe(createGunzip()) : request;
  const isForm = type.startsWith('multipart/form-data');
  const form = isForm ? await formOf(body, type) : new Map<string, string>();
  const inAddress = searchParams.get('query') ?? form.get('query');
  const named = [...searchParams, ...form];
  const on = (name: string): boolean => searchParams.get(name) === '1';
  return {
    query: inAddress ?? (await textOf(body)),
    rows: inAddress === undefined || isForm ? undefined : body,
    database: searchParams.get('database') ?? undefined,
    defaultFormat: searchParams.get('default_format') ?? 'TabSeparated',
    waitsForEnd: on('wait_end_of_query'),
    compresses: on('enable_http_compression') && /\bgzip\b/.test(String(request.headers['accept-encoding'])),
    settings: Object.fromEntries(
      [...searchParams].filter(([name]) => !name.startsWith('param_') && !NOT_SETTINGS.has(name)),
    ),
    params: Object.fromEntries(
      named.flatMap(([name, value]) => (name.startsWith('param_') ? [[name.slice('param_'.length), value]] : [])),
    ),
  };
}
