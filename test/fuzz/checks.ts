/** The rules for every answer. A violated rule is reported as a sentence. */
import type { ValidateFunction } from 'ajv';
import { parse as parseCsv } from 'csv-parse/sync';
import { parquetMetadata } from 'hyparquet';
import { sheetRows, unzipped } from '../laws/read-workbook.ts';
import type { Got, Sent } from './agent.ts';
import { type Document, type Operation, operationOf, type Response } from './document.ts';
import { isMissing } from './missing.ts';

/** What never is in a body, whatever went wrong: statements, stacks, paths and parts of the machine. */
const INTERNAL =
  /\bselect\b[^"]*\bfrom\b|insert into|duckdb|sqlite|ENOENT|EACCES|node_modules|node:internal|\/tmp\/|\.ts:\d+|\.sql\b|\n? {4}at /i;
/** Pages speak of anything; a Parquet file names the software that wrote it, as its format requires. */
const XLSX = 'application/vnd.openxmlformats-officedocument.spreadsheetml.sheet';
/** Docs as data speak of anything too. */
const DOCS_AS_DATA = ['getDescription', 'readSearch'];
const TELLING = ['text/html', 'text/css', 'text/javascript', 'application/vnd.apache.parquet', XLSX];
/** Statuses for calls of no operation: an unknown path, method or time range, or an empty GUID. */
const NO_OPERATION = [400, 401, 403, 404, 405, 406, 413, 415];

export interface Outcome {
  operation: Operation | undefined;
  faults: string[];
}

export interface Knowledge {
  document: Document;
  origin: string;
  codes: ReadonlySet<string>;
  /**
   * By operation: the headers of each of its answers, which the document calls optional where others share a problem.
   */
  everywhere: ReadonlyMap<string, string[]>;
  dialect: 'reference' | 'live';
  /** Whether the request names a GUID of the sandbox, which fails on purpose. */
  sandbox: boolean;
  /** Whether a balancer is in front of the service. */
  balanced: boolean;
}

/** Datasets that are waited for no longer than the call says. */
const HURRIED = /\/datasets\/[^?]*\?(?:.*&)?wait=/;

/** Checks an answer against the document. */
export function checkAnswer(sent: Sent, got: Got, known: Knowledge): Outcome {
  const operation = operationOf(known.document, sent.method, sent.url);
  const faults: string[] = [];
  // A head that is no HTTP, or too large, does not come past a balancer.
  if (known.balanced && got.status === 400 && !got.headers['x-request-id']) return { operation: undefined, faults };
  const type = String(got.headers['content-type'] ?? '').split(';')[0] ?? '';
  const isProblem = type === 'application/problem+json';
  const problem = isProblem && got.body.length > 0 ? readJson(got.body) : undefined;
  if (!got.headers['x-request-id']) faults.push('there is no X-Request-Id');
  if (got.headers['x-content-type-options'] !== 'nosniff') faults.push('there is no X-Content-Type-Options: nosniff');
  // A check of readiness has two seconds: on a busy machine that is documented too, and says nothing of the contract.
  const busy = operation?.id === 'getReadiness' && got.status === 503;
  const sandboxed = known.sandbox && [500, 503, 504].includes(got.status);
  // Who waits for so few seconds that the report is not ready is told so (docs/contract.md#datasets).
  const hurried =
    got.status === 503 && HURRIED.test(sent.url) && (sent.method === 'HEAD' || codeOf(problem) === 'dataset_not_ready');
  if (got.status >= 500 && !busy && !sandboxed && !hurried) faults.push(`the status is ${got.status}`);
  if (isProblem && sent.method !== 'HEAD') faults.push(...problemFaults(problem, sent, got, known));
  if (!TELLING.includes(type) && !DOCS_AS_DATA.includes(operation?.id ?? '') && INTERNAL.test(String(got.body)))
    faults.push('the body reveals something internal');

  if (!operation) return { operation, faults: [...faults, ...unknownFaults(got, type, problem)] };
  const response = operation.responses[got.status];
  if (!response)
    return { operation, faults: [...faults, `status ${got.status} is not documented for ${operation.id}`] };
  faults.push(
    ...headerFaults(operation, response, got, { problem, everywhere: known.everywhere.get(operation.id) ?? [] }),
  );
  faults.push(...bodyFaults(operation, response, { sent, got, type }, known));
  return { operation, faults };
}

/** The code of a problem. */
const codeOf = (problem: unknown): unknown => Object(problem).code;

function readJson(body: Buffer): unknown {
  try {
    return JSON.parse(String(body));
  } catch {
    return undefined;
  }
}

function problemFaults(problem: unknown, sent: Sent, got: Got, { origin, codes }: Knowledge): string[] {
  if (typeof problem !== 'object' || problem === null) return ['the problem is not JSON'];
  const { type, status, requestId, code, message, detail, instance } = problem as Record<string, unknown>;
  const rules: [boolean, string][] = [
    [codes.has(String(code)), `the code ${code} has no page`],
    // What is no HTTP has no host either: the type is relative then.
    [type === `${origin}/docs/problems/${code}` || type === `/docs/problems/${code}`, `the type ${type} is no page`],
    [status === got.status, `the body says status ${status}`],
    [requestId === got.headers['x-request-id'], 'requestId is not that of the header'],
    [message === detail && typeof message === 'string' && message !== '', 'message is not detail'],
    [instance === sent.url.split('?')[0] || code === 'malformed_request', `instance is ${instance}`],
  ];
  return rules.filter(([holds]) => !holds).map(([, fault]) => fault);
}

function unknownFaults(got: Got, type: string, problem: unknown): string[] {
  // What a browser gets: a screen of the console, or a page.
  if ((got.status === 200 || got.status === 404) && type === 'text/html') return [];
  // OPTIONS of a path that has others.
  if (got.status === 204 && got.headers.allow?.includes('OPTIONS')) return [];
  if (!NO_OPERATION.includes(got.status)) return [`status ${got.status} where there is no operation`];
  if (got.status === 405 && !got.headers.allow) return ['a 405 without Allow'];
  return problem === undefined && got.body.length > 0 ? ['no problem where there is no operation'] : [];
}

function headerFaults(
  operation: Operation,
  response: Response,
  got: Got,
  { problem, everywhere }: { problem: unknown; everywhere: readonly string[] },
): string[] {
  const faults: string[] = [];
  // A request that is no HTTP never reaches the operation, and what it adds.
  if ((problem as { code?: string } | undefined)?.code === 'malformed_request') return faults;
  for (const [name, { required, valid }] of Object.entries(response.headers)) {
    // Node lists the cookies that an answer sets.
    const value = [got.headers[name] ?? []].flat().join(', ') || undefined;
    if (value === undefined) {
      if ((required || everywhere.includes(name)) && !isMissing(operation, got.status, name))
        faults.push(`the header ${name} is missing`);
    } else if (!valid(value) && !valid(Number(value))) {
      faults.push(`the header ${name} is ${value}: ${told(valid)}`);
    }
  }
  return faults;
}

const told = (valid: ValidateFunction): string =>
  (valid.errors ?? [])
    .map(({ instancePath, message, params }) => `${instancePath} ${message} ${JSON.stringify(params)}`)
    .join('; ');

function bodyFaults(
  operation: Operation,
  response: Response,
  { sent, got, type }: { sent: Sent; got: Got; type: string },
  known: Knowledge,
): string[] {
  const isEmpty = Object.keys(response.content).length === 0;
  if (isEmpty) return got.body.length > 0 ? ['there is a body where none is documented'] : [];
  const content = response.content[type];
  if (!content) return [`the Content-Type ${type} is not documented`];
  if (sent.method === 'HEAD') return got.body.length > 0 ? ['HEAD has a body'] : [];
  // A part of a body has no shape of its own.
  if (got.status === 206) return got.headers['content-range'] ? [] : ['a 206 without Content-Range'];
  if (content.valid) {
    const value = readJson(got.body);
    if (value === undefined) return ['the body is not JSON'];
    if (!content.valid(value)) return [`the body does not fit: ${told(content.valid)}`];
    return Array.isArray(value) ? recordFaults(operation, value, got, known) : [];
  }
  return formFaults(operation, type, got, known);
}

const KINDS: Record<string, string> = {
  retrieveMetrics: 'MetricsRecord',
  retrieveMetricsInRange: 'MetricsRecord',
  retrieveCheck: 'CheckRecord',
};

/** Records must be of the caller's dialect, as many as the header says. */
function recordFaults(operation: Operation, records: unknown[], got: Got, { document, dialect }: Knowledge): string[] {
  const kind = KINDS[operation.id];
  if (!kind) return [];
  const valid = document.validatorOf(dialect === 'live' ? `Live${kind}` : kind);
  const wrong = records.find((record) => !valid(record));
  if (wrong !== undefined) return [`a record is not of the dialect ${dialect}: ${told(valid)}`];
  const rows = got.headers['x-report-rows'];
  return rows === String(records.length) ? [] : [`X-Report-Rows is ${rows} of ${records.length} records`];
}

function formFaults(operation: Operation, type: string, got: Got, known: Knowledge): string[] {
  const rows = Number(got.headers['x-report-rows']);
  const text = String(got.body);
  switch (type) {
    case 'application/x-ndjson': {
      if (text !== '' && !text.endsWith('\n')) return ['the last line does not end'];
      const records = text
        .split('\n')
        .slice(0, -1)
        .map((line) => readJson(Buffer.from(line)));
      return recordFaults(operation, records, got, known);
    }
    case 'text/csv': {
      const lines = parseCsv(got.body) as string[][];
      if (lines.length !== rows + 1) return [`${lines.length} lines of CSV for ${rows} rows`];
      return [];
    }
    case 'application/vnd.apache.parquet': {
      const bytes = new Uint8Array(got.body);
      const { num_rows: count } = parquetMetadata(bytes.buffer);
      return Number(count) === rows ? [] : [`${count} rows of Parquet for ${rows}`];
    }
    case XLSX: {
      const count = sheetRows(unzipped(Buffer.from(got.body)), 1).length - 1;
      return count === rows ? [] : [`${count} rows of the workbook for ${rows}`];
    }
    default:
      return text === '' ? ['the body is empty'] : [];
  }
}
