/**
 * ClickHouse's HTTP interface over chDB, the real engine as a library: enough of it for the official client. It runs in
 * a process of its own (bridge.ts), so that it can be stopped and killed as a server can.
 *
 * Not as a server has it: sessions are not bound to their ids, and a client that goes away does not stop its query. The
 * engine does not say how many rows it wrote: the summary has those that were in the body.
 */

import { once } from 'node:events';
import { createWriteStream, mkdirSync, rmSync } from 'node:fs';
import { open, rm } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { join } from 'node:path';
import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createGzip } from 'node:zlib';
import { type Connection, openEngine, type Ran } from './engine.ts';
import { ofSingleServer } from './replicas.ts';
import { type Asked, readRequest } from './request.ts';

const [folder = ''] = process.argv.slice(2);
const CONNECTIONS = 6;
const spool = join(folder, 'spool');
// One that was killed left files under names that this one will use, and the engine overwrites none.
rmSync(spool, { recursive: true, force: true });
mkdirSync(spool, { recursive: true });
const engine = openEngine(join(folder, 'data'), CONNECTIONS);
const MOST_KEPT = 2000;
let files = 0;
/** The calls so far, by what they ask for: what a test counts. */
const calls = { query: 0, insert: 0, command: 0 };
/** What the next insert does wrong: see `Bridge.failInsert`. */
let fault: string | undefined;

/**
 * Formats whose rows stand alone. Each piece of a stream is a document of its own, which others cannot be joined from.
 */
const STREAMED = new Set([
  'JSONEachRow',
  'JSONCompactEachRow',
  'CSV',
  'TabSeparated',
  'TSV',
  'RowBinary',
  'LineAsString',
]);
const ANSWERS = /^(?:\s|--[^\n]*\n|\/\*[\s\S]*?\*\/|\()*(?:with|select|show|desc|describe|exists|explain|check)\b/i;
const FORMAT = /\bformat\s+(\w+)\s*;?\s*$/i;
const INSERT = /^(?:\s|--[^\n]*\n)*insert\s/i;

/** The last calls, with their settings. */
let kept: { query: string; settings: Readonly<Record<string, string>> }[] = [];
function keep({ query, settings }: Asked): void {
  kept = [...kept.slice(-MOST_KEPT), { query: query.slice(0, 1000), settings }];
}

interface Answer {
  response: ServerResponse;
  asked: Asked;
  queryId: string;
}

const scratch = (): string => join(spool, String(++files));
const summaryOf = (ran?: Ran & { rowsWritten?: number }): string =>
  JSON.stringify({
    read_rows: String(ran?.rowsRead ?? 0),
    read_bytes: String(ran?.bytesRead ?? 0),
    written_rows: String(ran?.rowsWritten ?? 0),
  });

/** Begins an answer; where to write it. */
function begin({ response, asked, queryId }: Answer, format: string, ran?: Parameters<typeof summaryOf>[0]): Writable {
  response.setHeader('X-ClickHouse-Query-Id', queryId);
  response.setHeader('X-ClickHouse-Format', format);
  response.setHeader('X-ClickHouse-Summary', summaryOf(ran));
  response.setHeader(
    'Content-Type',
    format === 'JSON' ? 'application/json; charset=UTF-8' : 'text/plain; charset=UTF-8',
  );
  if (!asked.compresses) return response;
  response.setHeader('Content-Encoding', 'gzip');
  const gzip = createGzip();
  gzip.pipe(response);
  return gzip;
}

/** A client that disconnected takes nothing more: its query must not keep the connection, nor its rows a file. */
const whenGone = (response: ServerResponse): Promise<void> =>
  new Promise((resolve) => response.once('close', () => resolve()));

/** Rows as they are found. An error after the first of them cuts the connection, as a server's does. */
async function streamRows(connection: Connection, answer: Answer, format: string): Promise<void> {
  const { response } = answer;
  let to: Writable | undefined;
  const gone = whenGone(response);
  for await (const chunk of connection.stream(answer.asked.query, format)) {
    if (response.destroyed) return;
    to ??= begin(answer, format);
    if (!to.write(chunk.raw())) await Promise.race([once(to, 'drain'), gone]);
  }
  (to ?? begin(answer, format)).end();
}

/** A document is written to a file first, whole. */
async function answerFile(connection: Connection, answer: Answer, format: string): Promise<void> {
  const { response } = answer;
  const file = scratch();
  try {
    const query = answer.asked.query.replace(FORMAT, '').replace(/;\s*$/, '');
    const ran = await connection.run(`${query}\nINTO OUTFILE '${file}' FORMAT ${format}`);
    // Opened first: a stream still opens its file when its client has disconnected, and nobody handles that the file
    // was removed meanwhile.
    const rows = (await open(file)).createReadStream();
    try {
      if (!response.destroyed) await Promise.race([pipeline(rows, begin(answer, format, ran)), whenGone(response)]);
    } finally {
      rows.destroy();
    }
  } finally {
    await rm(file, { force: true });
  }
}

const INPUT = /\binput\('([^']*)'\)/;

/** The query over the file that the rows are in: without HTTP there is no input. */
function overFile(query: string, file: string, rows: number): string {
  const [, format = ''] = FORMAT.exec(query) ?? [];
  if (!INPUT.test(query)) return query.replace(FORMAT, `FROM INFILE '${file}' COMPRESSION 'none' FORMAT ${format}`);
  const whole = query.replace(FORMAT, '').replace(INPUT, (_, columns) => `file('${file}', ${format}, '${columns}')`);
  return `${whole}\nlimit ${rows}`;
}

/** The rows of a file, by the format of an insert. */
async function countRows(connection: Connection, query: string, file: string): Promise<number> {
  const [, format = ''] = FORMAT.exec(query) ?? [];
  const [, columns] = INPUT.exec(query) ?? [];
  const more = columns === undefined ? '' : `, '${columns}'`;
  let text = '';
  for await (const chunk of connection.stream(`select count() from file('${file}', ${format}${more})`, 'TSV'))
    text += Buffer.from(chunk.raw()).toString();
  return Number(text);
}

async function insertRows(connection: Connection, answer: Answer, file: string): Promise<void> {
  const { query } = answer.asked;
  const now = fault;
  fault = undefined;
  const sent = await countRows(connection, query, file);
  const rowsWritten = now === 'short' ? sent - 1 : sent;
  const ran = await connection.run(overFile(query, file, rowsWritten));
  if (now === 'unknown')
    throw new Error('Code: 319. DB::Exception: Unknown status, client must retry. (UNKNOWN_STATUS_OF_INSERT)');
  begin(answer, 'TabSeparated', { ...ran, rowsWritten }).end();
}

async function answerQuery(answer: Answer): Promise<void> {
  const { asked } = answer;
  keep(asked);
  if (asked.rows && INSERT.test(asked.query) && FORMAT.test(asked.query)) {
    const file = scratch();
    calls.insert++;
    try {
      // A body that breaks off is an insert that never was: a server that has half of it may keep the half.
      await pipeline(asked.rows, createWriteStream(file));
      await engine.use(asked, (connection) => insertRows(connection, answer, file));
    } finally {
      await rm(file, { force: true });
    }
    return;
  }
  const format = FORMAT.exec(asked.query)?.[1] ?? asked.defaultFormat;
  calls[ANSWERS.test(asked.query) ? 'query' : 'command']++;
  const single = ofSingleServer(asked.query);
  if (single) {
    await engine.use(asked, (connection) => connection.run(`explain ast ${single.parsed}`));
    if (single.run === undefined) return void begin(answer, format).end();
    return await answerQuery({ ...answer, asked: { ...asked, query: single.run } });
  }
  await engine.use(asked, async (connection) => {
    if (!ANSWERS.test(asked.query)) begin(answer, format, await connection.run(asked.query)).end();
    else if (STREAMED.has(format) && !asked.waitsForEnd) await streamRows(connection, answer, format);
    else await answerFile(connection, answer, format);
  });
}

function answerError(response: ServerResponse, error: Error): void {
  if (response.headersSent) {
    response.destroy();
    return;
  }
  const [, code = '1002'] = /Code: (\d+)\./.exec(error.message) ?? [];
  const status = { '60': 404, '81': 404, '159': 408, '516': 403 }[code] ?? 500;
  response.writeHead(status, { 'X-ClickHouse-Exception-Code': code, 'Content-Type': 'text/plain; charset=UTF-8' });
  response.end(`${/DB::Exception/.test(error.message) ? '' : `Code: ${code}. DB::Exception: `}${error.message}\n`);
}

async function handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const { pathname, searchParams } = new URL(request.url ?? '/', 'http://bridge');
  if (pathname === '/ping') response.end('Ok.\n');
  else if (pathname === '/calls') response.end(JSON.stringify(calls));
  else if (pathname === '/kept') response.end(JSON.stringify(kept));
  else if (pathname === '/fault') {
    fault = searchParams.get('insert') ?? undefined;
    response.end();
  } else {
    const queryId = searchParams.get('query_id') ?? crypto.randomUUID();
    await answerQuery({ response, asked: await readRequest(request), queryId });
  }
}

const server = createServer((request, response) => {
  handle(request, response).catch((error: Error) => answerError(response, error));
});
server.keepAliveTimeout = 10_000;
server.listen(Number(process.argv[3] ?? 0), '127.0.0.1', () => {
  const address = server.address();
  if (address && typeof address === 'object') process.send?.({ port: address.port });
});
process.on('disconnect', () => process.kill(process.pid, 'SIGKILL'));
