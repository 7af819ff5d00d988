/** The attacks of one management group: what is sent, and what the answer has to be. */
import { gzipSync } from 'node:zlib';
import type { Answered, Body } from './attacks.ts';

const MB = 2 ** 20;

/** `count` entries, each made of its number, in pieces of 1,000. */
export function* entries(count: number, entry: (at: number) => string): Generator<string> {
  for (let from = 0; from < count; from += 1000) {
    const texts = Array.from({ length: Math.min(1000, count - from) }, (_, at) => entry(from + at));
    yield `${from === 0 ? '' : ','}${texts.join(',')}`;
  }
}
const item = (at: number): string => `{"guid":"i-${at}","name":"Item ${at}"}`;
const employee = (at: number): string => `{"guid":"e-${at}","firstName":"Ada","lastName":"${at}"}`;

export function* around(before: string, inside: Iterable<string | Buffer>, behind: string): Generator<string | Buffer> {
  yield before;
  yield* inside;
  yield behind;
}
function* repeated(piece: string, times: number): Generator<Buffer> {
  const bytes = Buffer.from(piece);
  for (let i = 0; i < times; i++) yield bytes;
}

/** A body of menus. */
export const menus = (first: Body['first'], more: Partial<Body> = {}): Body => ({
  method: 'PUT',
  path: '/menus',
  first,
  ...more,
});
const reference = (first: Body['first'], more: Partial<Body> = {}): Body => ({
  method: 'PUT',
  path: '/reference',
  first,
  ...more,
});
/** A body of an export: its files as multipart/form-data, with its end unless the rest never comes. */
export const exported = (files: Record<string, Iterable<Buffer | string>>, more: Partial<Body> = {}): Body => ({
  method: 'POST',
  path: '/exports/20260310',
  headers: { 'content-type': 'multipart/form-data; boundary=part' },
  first: partsOf(files, more.rest === 'never' ? '' : '--part--\r\n'),
  ...more,
});
function* partsOf(files: Record<string, Iterable<Buffer | string>>, end: string): Generator<string | Buffer> {
  for (const [name, content] of Object.entries(files))
    yield* around(`--part\r\ncontent-disposition: form-data; name="f"; filename="${name}"\r\n\r\n`, content, '\r\n');
  yield end;
}

/** OrderDetails.csv, by default of 31 MB, of which one row in `good` can be read, or none of them. */
export const badRows = (good: number, count = 100_000): Record<string, Iterable<string>> => ({
  'OrderDetails.csv': around('Order Id,Opened,Voided,Notes\n', lines(count, good), '') as Iterable<string>,
});
function* lines(count: number, good: number): Generator<string> {
  const rest = `False,${'n'.repeat(305)}\n`;
  for (let from = 0; from < count; from += 1000)
    yield Array.from({ length: 1000 }, (_, at) => {
      const id = from + at;
      return id % good === 0 ? `${id},03/10/2026 12:00:00,${rest}` : `${id},noon,${rest}`;
    }).join('');
}

export const MENU = '{"menus":[{"guid":"m","name":"All day","menuGroups":[';
export const GROUP = '{"guid":"g","name":"Food","menuItems":[';
export const NEVER = { rest: 'never' } as const;

interface Attack {
  name: string;
  /** Made for each time that it is sent. */
  body: () => Body;
  status: number;
  /** What the answer has to have: a code and a pointer, or what `read` finds in it, by default all of it. */
  code?: string;
  pointer?: string;
  read?: (body: Answered['body']) => unknown;
  found?: unknown;
}

export const ATTACKS: Attack[] = [
  {
    name: 'menus of ten million empty entries, which end being read after 50,000',
    body: () => menus(around('[', repeated(`${'{},'.repeat(20_000)}`, 10), ''), NEVER),
    status: 400,
    code: 'invalid_body',
    pointer: '/50000',
  },
  {
    name: 'menus of a million named items',
    body: () => menus(around(MENU + GROUP, entries(100_000, item), ''), NEVER),
    // A menu and a group are entries too.
    status: 400,
    code: 'invalid_body',
    pointer: '/menus/0/menuGroups/0/menuItems/49998',
  },
  {
    name: 'menus with as many entries as are allowed, in a group without a name',
    body: () =>
      menus(around(`${MENU}{"guid":"g","name":"Food","menuGroups":[{"items":[`, entries(49_997, item), ']}]}]}]}')),
    status: 201,
    found: { menus: 1, groups: 1, items: 49_997, skipped: 1 },
  },
  {
    name: 'a retrieval of these menus',
    body: () => ({ method: 'GET', path: '/menus', first: [] }),
    status: 200,
    read: ({ menus: [menu] }) => menu.menuGroups[0].menuItems.length,
    found: 49_997,
  },
  {
    name: 'menus of which 31 MB are not used',
    body: () => menus(around(`${MENU}],"x":["`, repeated('\\u00e9'.repeat(MB / 6), 31), '"]}]}')),
    status: 200,
    found: { menus: 1, groups: 0, items: 0, skipped: 0 },
  },
  {
    name: 'menus of which 31 MB are empty objects that are not used',
    body: () => menus(around(`${MENU}],"x":[{}`, repeated(',{}'.repeat(MB / 3), 31), ']}]}')),
    status: 200,
    found: { menus: 1, groups: 0, items: 0, skipped: 0 },
  },
  {
    name: 'menus that nest a million levels deep',
    body: () => menus(around('{"menus":[],"x":', repeated('['.repeat(100_000), 10), ''), NEVER),
    status: 400,
    code: 'invalid_body',
    pointer: '/x',
  },
  {
    name: 'menus that are longer than allowed, as their headers say',
    body: () => menus(['['], { ...NEVER, headers: { 'content-length': String(32 * MB + 1) } }),
    status: 413,
    code: 'body_too_large',
  },
  {
    name: 'menus that are longer than allowed, without a length',
    body: () => menus(around('[', repeated(' '.repeat(MB), 32), ' '), NEVER),
    status: 413,
    code: 'body_too_large',
  },
  {
    name: 'menus of 31 MB with one name',
    body: () => menus(around('[{"guid":"m","name":"', repeated('n'.repeat(MB), 31), '"}]')),
    status: 200,
    found: { menus: 1, groups: 0, items: 0, skipped: 0 },
  },
  {
    name: 'menus in compressed form, which may expand to anything',
    body: () => menus([gzipSync(Buffer.alloc(64 * MB, ' '))], { headers: { 'content-encoding': 'gzip' } }),
    status: 415,
    code: 'unsupported_media_type',
  },
  {
    name: 'menus of which nothing more comes',
    body: () => menus([MENU], { ...NEVER, headers: { 'content-length': String(MB) } }),
    status: 408,
    code: 'request_timeout',
  },
  {
    name: 'a million employees',
    body: () => reference(around('{"employees":[', entries(100_000, employee), ''), NEVER),
    status: 400,
    code: 'invalid_body',
    pointer: '/employees/50000',
  },
  {
    name: 'five million empty employees',
    body: () => reference(around('{"employees":[', repeated(`${'{},'.repeat(20_000)}`, 5), ''), NEVER),
    status: 400,
    code: 'invalid_body',
    pointer: '/employees/50000',
  },
  {
    name: 'as many employees as are allowed',
    body: () => reference(around('{"employees":[', entries(50_000, employee), ']}')),
    status: 201,
  },
  {
    name: 'a retrieval of these employees',
    body: () => ({ method: 'GET', path: '/reference', first: [] }),
    status: 200,
    read: ({ employees }) => employees.length,
    found: 50_000,
  },
  {
    name: 'reference data of 15 MB with a property that does not exist',
    body: () => reference(around('{"x":[{}', repeated(',{}'.repeat(MB / 3), 15), ']}')),
    status: 400,
    code: 'unknown_field',
    pointer: '/x',
  },
  {
    name: 'orders that are none of them orders',
    body: () => ({
      method: 'POST',
      path: '/orders',
      first: around('[', repeated('{},'.repeat(20_000), 3), ''),
      ...NEVER,
    }),
    status: 400,
    code: 'too_many_rejected',
  },
  {
    name: 'orders that expand to a thousand times their size',
    body: () => ({
      method: 'POST',
      path: '/orders',
      first: [gzipSync(Buffer.alloc(64 * MB, ' '))],
      headers: { 'content-encoding': 'gzip' },
    }),
    status: 413,
    code: 'expansion_too_large',
  },
  {
    name: 'an export of 31 MB of which no row can be read, which is read no further than the first 10,000',
    body: () => exported(badRows(Number.POSITIVE_INFINITY)),
    status: 200,
    read: ({ days: [day] }) => [day.problem, day.files[0].notReadCount],
    found: ['OrderDetails.csv cannot be read', 1],
  },
  {
    name: 'an export of 31 MB of which one row in 50 can be read',
    body: () => exported(badRows(50)),
    status: 200,
    read: ({ days: [{ orders, files }] }) => [orders, files[0].notRead.length, files[0].notReadCount],
    found: [2000, 1000, 98_000],
  },
  {
    name: 'an export of which nothing more comes',
    body: () => exported({ 'OrderDetails.csv': ['Order Id,'] }, NEVER),
    status: 408,
    code: 'request_timeout',
  },
];
