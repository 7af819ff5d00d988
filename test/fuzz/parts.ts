/** The parts of a request: what the document says of each, and near misses of that. */
import fc from 'fast-check';
import type { ReportKind } from '../../packages/service/src/families/index.ts';
import type { Document, Operation, Parameter } from './document.ts';
import { anyPick, isPick, type Pick, pickFrom, valuesOf, type Wound, wound } from './values.ts';
import { familyOf, KINDS, type PoolName } from './world.ts';

export interface Body {
  type: string;
  value: unknown;
  wound: Wound;
  /** Sent instead of the value. */
  raw: string | null;
  gzip: boolean;
}

export const often = <T>(weight: number, usual: T, ...rare: fc.Arbitrary<T>[]): fc.Arbitrary<T> =>
  fc.oneof({ weight, arbitrary: fc.constant(usual) }, ...rare.map((arbitrary) => ({ weight: 1, arbitrary })));

const segment = fc.constantFrom(
  ...[
    'x',
    '',
    'day',
    'DAY',
    'decade',
    '..',
    '%2e%2e%2fetc',
    '%ZZ',
    '%E0%A4%A',
    '%00',
    '%F0%9F%8D%9C',
    '%27%20or%201=1',
  ],
  ...['b1500000-0000-4000-8000-00000000000', 'b1500000000040008000000000000001', 'x'.repeat(1200), 'x'.repeat(900)],
  ...['ffffffff-ffff-4fff-8fff-ffffffffffff', '{reportRequestGuid}', 'a;b', 'a?b', '1'],
);

export function pathValue(
  operation: Operation,
  { name, schema }: Parameter,
  document: Document,
): fc.Arbitrary<Pick | string> {
  const reports: PoolName[] = ['expired', 'failed', 'strangers', 'sandbox', ...KINDS, 'held'];
  const kind = familyOf(operation.path)?.kind as ReportKind | undefined;
  const usual: PoolName[] = kind === undefined ? KINDS : [kind];
  // The first two reports of a kind are of one request: there are changes between them.
  if (operation.id === 'getReportChanges') {
    const newer = fc.record({ pool: fc.constantFrom<PoolName>(...KINDS), at: fc.constant(1) });
    return fc.oneof({ weight: 4, arbitrary: newer }, { weight: 2, arbitrary: pickFrom(...reports) }, segment);
  }
  if (name === 'reportRequestGuid') {
    return fc.oneof(
      { weight: 10, arbitrary: pickFrom(...usual) },
      { weight: 6, arbitrary: pickFrom(...reports) },
      { weight: 1, arbitrary: anyPick },
      { weight: 2, arbitrary: segment },
    );
  }
  if (name === 'restaurantGuid') {
    return fc.oneof(
      { weight: 8, arbitrary: pickFrom('own') },
      { weight: 1, arbitrary: pickFrom('strange', 'metrics') },
      { weight: 2, arbitrary: segment },
    );
  }
  // One that is there would be revoked, and others are still to log in as it.
  if (name === 'clientId') return segment;
  if (name === 'code') return fc.constantFrom('span_too_long', 'rate_limited', 'none', 'SPAN_TOO_LONG', '%ZZ');
  const values = valuesOf(document, schema, name).map((value) => encodeURIComponent(String(value)));
  return fc.oneof({ weight: 8, arbitrary: values }, { weight: 1, arbitrary: segment });
}

const miss = (text: string): string[] => [text.toUpperCase(), text.toLowerCase(), '', `${text}x`, `%20${text}`, '%ZZ'];

export function queryOf(operation: Operation, document: Document): fc.Arbitrary<[string, string | Pick][]> {
  const each = operation.parameters
    .filter((parameter) => parameter.in === 'query')
    .map(({ name, schema, required }) => {
      const values: fc.Arbitrary<string | Pick> =
        name === 'since'
          ? fc.oneof(
              {
                weight: 4,
                arbitrary: fc.record({ pool: fc.constantFrom<PoolName>(...KINDS), at: fc.constant(0) }),
              },
              { weight: 2, arbitrary: pickFrom(...KINDS) },
              { weight: 1, arbitrary: anyPick },
            )
          : valuesOf(document, schema, name).map((value) => encodeURIComponent(String(value)));
      const value = fc.oneof(
        { weight: 5, arbitrary: values },
        {
          weight: 2,
          arbitrary: fc.tuple(values, fc.nat(5)).map(([text, at]) => (isPick(text) ? text : (miss(text)[at] ?? ''))),
        },
        { weight: 1, arbitrary: fc.constantFrom('null', '[]', 'x'.repeat(2000), '%00', '1', '-1', '0', '1e3') },
      );
      const times = required ? [1, 1, 1, 1, 1, 1, 0, 2] : [0, 0, 0, 0, 0, 0, 1, 1, 1, 2];
      return fc
        .constantFrom(...times)
        .chain((count) => fc.tuple(...Array.from({ length: count }, () => value)))
        .map((list): [string, string | Pick][] => list.map((one) => [name, one]));
    });
  const unknown = fc.constantFrom<[string, string][]>(
    [['nothing', '1']],
    [['', '']],
    [['__proto__', 'x']],
    [['Format', 'csv']],
  );
  return fc.tuple(...each, often<[string, string | Pick][]>(20, [], unknown)).map((lists) => lists.flat());
}

const PREFER = [
  'respond-async',
  'wait=0',
  'wait=0, respond-async',
  'WAIT=0',
  'wait=abc',
  'wait=-1',
  ', ;=',
  'wait="0"',
];
const HEADERS: Record<string, string[]> = {
  Prefer: PREFER,
  'Accept-Encoding': ['gzip', 'br', 'zstd', 'identity', '*', 'gzip;q=0', 'gzip, br;q=0.5', ', ', 'GZIP', 'nothing'],
  'If-None-Match': ['"x"', '*', 'W/"x"', '{etag}', 'W/{etag}', '"a", {etag}', '"', ''],
  Range: [
    'bytes=0-9',
    'bytes=5-',
    'bytes=-5',
    'bytes=999999999-',
    'bytes=5-2',
    'lines=1-2',
    'bytes=0-1,3-4',
    'bytes=',
    '-',
  ],
  'Idempotency-Key': ['k1', 'k2', '"k3"', '', 'a b', 'x'.repeat(300)],
  'Content-Encoding': ['gzip', 'identity', 'br', 'GZIP'],
};
const ACCEPT = [
  '*/*',
  'application/*',
  'text/html',
  'application/json;q=0',
  'application/json;q=x',
  ',',
  'x',
  '*/*;q=0',
];
const OTHERS: Record<string, string>[] = [
  { 'x-request-id': 'fuzz-1' },
  { 'x-request-id': 'not a "good" one' },
  { 'toast-restaurant-external-id': 'x' },
  { 'content-type': 'text/plain' },
  { 'x-forwarded-for': '10.0.0.1' },
  { 'accept-language': 'tlh' },
  { host: 'elsewhere:1' },
];

export function headersOf(operation: Operation): fc.Arbitrary<Record<string, string>> {
  const forms = Object.keys(operation.responses[200]?.content ?? {});
  const each = operation.parameters
    .filter((parameter) => parameter.in === 'header' && parameter.name !== 'Content-Encoding')
    .map(({ name }) =>
      often(
        8,
        {},
        fc
          .constantFrom(...(HEADERS[name] ?? ['x']))
          .map((value): Record<string, string> => ({ [name.toLowerCase()]: value })),
      ),
    );
  const accept = fc.constantFrom(...forms, ...forms, ...ACCEPT).map((value) => ({ accept: value }));
  return fc
    .tuple(often<Record<string, string>>(3, {}, accept), often(10, {}, fc.constantFrom(...OTHERS)), ...each)
    .map((list): Record<string, string> => Object.assign({}, ...list));
}

const RAW = [
  '',
  '{',
  '[',
  '[{}',
  'null',
  '""',
  '\ufeff{}',
  '{}',
  '[]',
  '[1,2]',
  '{"a":1}{"b":2}',
  'a=b&a=c',
  '\n\n',
  '[{},]',
];
const TYPES = [
  'text/plain',
  'APPLICATION/JSON',
  'application/json; charset=utf-16',
  'application/xml',
  '',
  'x',
  'multipart/form-data',
];

export function bodyOf(operation: Operation, document: Document): fc.Arbitrary<Body | null> {
  const bodies = Object.entries(operation.bodies);
  if (bodies.length === 0) {
    const odd = fc.constant<Body>({
      type: 'application/json',
      value: {},
      wound: { kind: 'none', at: 0, value: null },
      raw: null,
      gzip: false,
    });
    return often<Body | null>(20, null, odd);
  }
  return fc.constantFrom(...bodies).chain(([type, schema]) =>
    fc.record({
      type: often(12, type, fc.constantFrom(...TYPES, ...Object.keys(operation.bodies))),
      value: valuesOf(document, type.endsWith('ndjson') ? (operation.bodies['application/json'] ?? schema) : schema),
      wound,
      raw: often<string | null>(12, null, fc.constantFrom(...RAW)),
      gzip: often(
        10,
        false,
        fc.constant(type !== 'application/x-www-form-urlencoded' && 'Content-Encoding' in HEADERS),
      ),
    }),
  );
}
