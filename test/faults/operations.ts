/**
 * The operations that write: the rows of the table of faults. Each says how it is carried out, and what of it is there
 * afterwards.
 */
import { randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { plainOrder } from '../journeys/service.ts';
import { type Answered, type CallOn, RESTAURANT } from './service-on.ts';

const EXPORT = fileURLToPath(new URL('../golden/plain-day/20260310/', import.meta.url));
/** Checks of that day. */
const EXPORTED = 3;
/** Enough orders for a load that is spooled in files. */
const MANY = 300;
const at = `/restaurants/${RESTAURANT}`;

/** What was prepared before the fault, for operations that change or remove it. */
export interface Prepared {
  clients: { revoked: string; rotated: string };
  session: string;
  report: string;
  order: { guid: string; check: string };
}

/** What is there after the fault. */
export interface Found {
  /** GUIDs of all checks of 10 and 11 March. */
  checks: Set<string>;
  /** What was read of a path, or of a report by its name. */
  at(name: string): Answered['body'];
}

export interface Operation {
  run(call: CallOn, prepared: Prepared): Promise<Answered>;
  /** How much of it is there: 1 for all, 0 for nothing. `answered` is undefined if there was no answer. */
  there(found: Found, prepared: Prepared, answered: Answered | undefined): number;
  /** It takes access away, or frees space: a full disk does not refuse it. */
  isFreeing?: boolean;
}

const text = (found: Found, path: string): string => JSON.stringify(found.at(path));
const has = (path: string, what: string) => (found: Found) => Number(text(found, path).includes(what));

/** A load of orders whose checks are then counted. */
function loadOf(count: number): Operation {
  const orders = Array.from({ length: count }, () => {
    const order = plainOrder({ guid: randomUUID(), businessDate: 20260311 }, { guid: randomUUID() });
    return order as { checks: { guid: string }[] };
  });
  return {
    run: (call) => call('POST', `${at}/orders`, orders),
    there: ({ checks }) => orders.filter((order) => checks.has(order.checks[0]?.guid ?? '')).length / count,
  };
}

const ENTRY = {
  guid: randomUUID(),
  businessDate: 20260311,
  inDate: '2026-03-11T13:00:00Z',
  outDate: '2026-03-11T17:00:00Z',
  regularHours: 4,
  hourlyWage: 15,
};
const SETTLEMENT = {
  guid: randomUUID(),
  settledDate: '20260311',
  modifiedDate: '2026-03-12T00:00:00Z',
  transactions: [{ kind: 'PAYMENT', paymentGuid: randomUUID(), amount: 48, paidDateTime: '2026-03-11T16:31:05.900Z' }],
};
const MENU = { menus: [{ guid: randomUUID(), name: 'Fault menu', groups: [] }] };
const dayparts = (name: string) => ({ dayparts: [{ name, from: '00:00', to: '00:00' }] });
const NEW_RESTAURANT = 'b1500000-0000-4000-8000-000000000002';
const form = (): FormData => {
  const body = new FormData();
  for (const name of readdirSync(EXPORT)) body.append('files', new Blob([readFileSync(join(EXPORT, name))]), name);
  return body;
};
const PAGE = { 'sec-fetch-site': 'same-origin' };

/** Reports through which loads are seen again, by the name under which `find` keeps their rows. */
const REPORTS: Record<string, [create: string, read: string, body: object]> = {
  'checks 10': ['/check/day', '/check', { startBusinessDate: '20260310' }],
  'checks 11': ['/check/day', '/check', { startBusinessDate: '20260311' }],
  labor: ['/labor/day', '/labor', { startBusinessDate: '20260311' }],
  payouts: ['/payout/day', '/payout', { startDate: '20260311', endDate: '20260311' }],
};
const READ = [
  ...[at, `${at}/reference`, `${at}/menus`, '/dayparts', `${at}/dayparts`, `/restaurants/${NEW_RESTAURANT}`],
  ...['/clients', '/groups', '/sessions', '/webhook', '/reports'],
];

/** By what is done. */
export const OPERATIONS: Record<string, Operation> = {
  'load few orders': loadOf(1),
  'load many orders': loadOf(MANY),
  'load time entries': {
    run: (call) => call('POST', `${at}/time-entries`, [ENTRY]),
    // Orders alone make a row, too.
    there: (found) => Number(found.at('labor').some((row: { regularHours: number }) => row.regularHours === 4)),
  },
  'load settlements': {
    run: (call) => call('POST', `${at}/payouts`, [SETTLEMENT]),
    there: (found) => Number(found.at('payouts').length > 0),
  },
  'delete an order': {
    run: (call, { order }) => call('DELETE', `${at}/orders/${order.guid}`),
    there: ({ checks }, { order }) => Number(!checks.has(order.check)),
  },
  'import an export': {
    run: (call) => call('POST', `${at}/exports/20260310`, form()),
    there: (found, { order }) =>
      (found.at('checks 10') as { checkGuid: string }[]).filter(({ checkGuid }) => checkGuid !== order.check).length /
      EXPORTED,
  },
  'put menus': { run: (call) => call('PUT', `${at}/menus`, MENU), there: has(`${at}/menus`, 'Fault menu') },
  'put reference data': {
    run: (call) => call('PUT', `${at}/reference`, { jobs: [{ guid: randomUUID(), title: 'Fault job' }] }),
    there: has(`${at}/reference`, 'Fault job'),
  },
  'put a restaurant': {
    run: (call) => call('PUT', `/restaurants/${NEW_RESTAURANT}`, { name: 'Fault bistro', timeZone: 'UTC' }),
    there: has(`/restaurants/${NEW_RESTAURANT}`, 'Fault bistro'),
  },
  'put dayparts': {
    run: (call) => call('PUT', '/dayparts', dayparts('Fault day')),
    there: has('/dayparts', 'Fault day'),
  },
  'put dayparts of a restaurant': {
    run: (call) => call('PUT', `${at}/dayparts`, dayparts('Fault hours')),
    there: has(`${at}/dayparts`, 'Fault hours'),
  },
  'create a report': {
    run: (call) => call('POST', '/metrics/day', { startBusinessDate: '20260312' }),
    there: (found, _prepared, answered) =>
      Number(answered === undefined || text(found, '/reports').includes(String(answered.body))),
  },
  'discard a report': {
    run: (call, { report }) => call('DELETE', `/reports/${report}`),
    there: (found, { report }) =>
      Number(/"CANCELLED"/.test(JSON.stringify(reportsOf(found)[report] ?? { status: 'CANCELLED' }))),
    isFreeing: true,
  },
  'create a client': {
    run: (call) => call('POST', '/clients', { name: 'Fault client' }),
    there: has('/clients', 'Fault client'),
  },
  'revoke a client': {
    run: (call, { clients }) => call('DELETE', `/clients/${clients.revoked}`),
    there: (found, { clients }) => Number(clientOf(found, clients.revoked)?.revokedAt !== null),
    isFreeing: true,
  },
  'rotate a secret': {
    run: (call, { clients }) => call('POST', `/clients/${clients.rotated}/secret`),
    there: (found, { clients }) => Number(clientOf(found, clients.rotated)?.oldSecretUntil !== null),
    isFreeing: true,
  },
  'create a group': { run: (call) => call('PUT', '/groups/faulty', {}), there: has('/groups', 'faulty') },
  'sign in': {
    run: (call) => call('POST', '/session', { clientId: 'me', clientSecret: 'secret' }, PAGE),
    there: (found, { session }) =>
      Math.min(1, (found.at('/sessions') as { sessionId: string }[]).filter((one) => one.sessionId !== session).length),
  },
  'end a session': {
    run: (call, { session }) => call('DELETE', `/sessions/${session}`),
    there: (found, { session }) => 1 - has('/sessions', session)(found),
    isFreeing: true,
  },
  'put a webhook': {
    run: (call) => call('PUT', '/webhook', { url: 'https://example.com/fault' }),
    there: has('/webhook', 'example.com/fault'),
  },
};

interface ShownClient {
  clientId: string;
  revokedAt: string | null;
  oldSecretUntil: string | null;
}
const clientOf = (found: Found, id: string): ShownClient | undefined =>
  (found.at('/clients') as ShownClient[]).find(({ clientId }) => clientId === id);
const reportsOf = (found: Found): Record<string, object> =>
  Object.fromEntries(
    (found.at('/reports').reports as { reportRequestGuid: string }[]).map((one) => [one.reportRequestGuid, one]),
  );

async function must(answer: Promise<Answered>): Promise<Answered> {
  const got = await answer;
  if (got.status >= 300) throw new Error(`${got.status} ${JSON.stringify(got.body)}`);
  return got;
}

/** Makes what the operations need. */
export async function prepare(call: CallOn): Promise<Prepared> {
  await must(call('PUT', at, { name: 'Bistro', timeZone: 'America/New_York' }));
  const order = plainOrder({ guid: randomUUID() }, { guid: randomUUID() }) as {
    guid: string;
    checks: { guid: string }[];
  };
  await must(call('POST', `${at}/orders`, [order]));
  const clients = await Promise.all(
    ['a', 'b'].map(async (name) => (await must(call('POST', '/clients', { name }))).body.clientId as string),
  );
  await must(call('POST', '/session', { clientId: 'me', clientSecret: 'secret' }, PAGE));
  const [session] = (await must(call('GET', '/sessions'))).body;
  const report = (await must(call('POST', '/metrics/day', { startBusinessDate: '20260309' }))).body;
  await must(call('GET', `/metrics/${report}`, undefined, { prefer: 'wait=30' }));
  const [revoked = '', rotated = ''] = clients;
  return {
    clients: { revoked, rotated },
    session: session.sessionId,
    report,
    order: { guid: order.guid, check: order.checks[0]?.guid ?? '' },
  };
}

/** Reads everything that the operations write. */
export async function find(call: CallOn): Promise<Found> {
  const paths = new Map<string, Answered['body']>();
  for (const path of READ) paths.set(path, (await call('GET', path)).body);
  for (const [name, [create, read, body]] of Object.entries(REPORTS)) {
    const guid = (await must(call('POST', create, body))).body;
    paths.set(name, (await must(call('GET', `${read}/${guid}`, undefined, { prefer: 'wait=30' }))).body);
  }
  const rows = ['checks 10', 'checks 11'].flatMap((name) => paths.get(name) as { checkGuid: string }[]);
  return { checks: new Set(rows.map(({ checkGuid }) => checkGuid)), at: (name) => paths.get(name) };
}
