/** What the requests of the fuzzer can refer to: a real service with tokens, restaurants and reports of every kind. */
import { randomUUID } from 'node:crypto';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { SCOPE_INGEST, SCOPE_READ, SCOPES } from '../../packages/service/src/contract/words.ts';
import { type ReportFamily, timeRangesOf } from '../../packages/service/src/families/family.ts';
import { FAMILIES, type ReportKind } from '../../packages/service/src/families/index.ts';
import type { ReportRequest } from '../../packages/service/src/ledger/report.ts';
import { claimOne } from '../conformance/claim.ts';
import { CONSOLE_SCRIPT, writeConsole } from '../journeys/console-folder.ts';
import { BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from '../journeys/service.ts';
import { openBrowser } from '../journeys/session-browser.ts';
import { KIOSK } from './connection-requests.ts';

export const TOKENS = [
  'good',
  'live',
  'reader',
  'loader',
  'scopeless',
  'stranger',
  'ended',
  'garbage',
  'basic',
  'none',
] as const;
export type TokenName = (typeof TOKENS)[number];

/** A pool for each: the GUIDs of its reports. */
export const KINDS = Object.keys(FAMILIES) as ReportKind[];

/** The family of a path below the base; undefined if it belongs to no family. */
export const familyOf = (path: string): ReportFamily | undefined =>
  Object.values<ReportFamily>(FAMILIES)
    .filter((family) => path === family.path || path.startsWith(`${family.path}/`))
    .sort((one, other) => other.path.length - one.path.length)[0];

/**
 * GUIDs that requests pick from: reports by what they are, restaurants of the group (`own`) and of another (`strange`).
 * And credentials.
 */
export const POOLS = [
  ...KINDS,
  'expired',
  'failed',
  'held',
  /** Only these are deleted: the others stay as they are. */
  'disposable',
  'strangers',
  'sandbox',
  'own',
  'strange',
  'clientIds',
  'secrets',
] as const;
export type PoolName = (typeof POOLS)[number];

export interface World {
  running: Running;
  /** The value of `Authorization`; undefined for none. */
  tokens: Record<TokenName, string | undefined>;
  pools: Record<PoolName, string[]>;
  /** An entity tag that was answered lately. */
  etag: string | undefined;
  /** Sessions that are signed in. */
  cookies: string[];
  /** The path of a download of the first of them. */
  download: string;
  /** A delivery of the client `clientIds` names first. */
  webhookId: string;
  /** Of a connection to a kiosk, which is paused. */
  connectionId: string;
  /** Of a session that may be ended. */
  sessionId: string;
  asset: { version: string; file: string; consoleFile: string };
  remove(): Promise<void>;
}

const DAY_MS = 86_400_000;
const SECOND = 'b1500000-0000-4000-8000-000000000002';
const CLOSED = 'b1500000-0000-4000-8000-000000000003';
const THEIRS = 'b1500000-0000-4000-8000-000000000009';
/** Created reports are taken into the pools up to this many: older ones stay, so that a failure can be drawn again. */
export const LARGEST_POOL = 60;

export async function buildWorld(): Promise<World> {
  const built = await writeConsole();
  const running = await startJourney({
    sandbox: true,
    webhookPrivate: true,
    engineMemory: 128,
    waitSeconds: 0.02,
    console: built.folder,
    connectSources: [fileURLToPath(new URL('../connections/kiosk-module.ts', import.meta.url))],
    // Without a data folder no key is made.
    secretKey: [Buffer.alloc(32, 7).toString('base64url')],
  });
  const ended = await running.login('g');
  await putRestaurant(running, ended, BISTRO);
  const expired = await create(running, ended, '/metrics/day', { startBusinessDate: '20260310' });
  await running.call('GET', `/metrics/${expired}`, { token: ended, headers: { prefer: 'wait=20' } });
  running.advance(8 * DAY_MS);

  const good = await running.login('g', { scopes: [...SCOPES] });
  const stranger = await running.login('h');
  const tokens = {
    good,
    stranger,
    ended,
    live: await running.login('g', { dialect: 'live' }),
    reader: await running.login('g', { scopes: [SCOPE_READ] }),
    loader: await running.login('g', { scopes: [SCOPE_INGEST] }),
    scopeless: await running.login('g', { scopes: [] }),
    garbage: 'eyJhbGciOiJub25lIn0.e30.',
  };
  await putRestaurant(running, good, SECOND, { name: 'Zweites 食堂', timeZone: 'Asia/Tokyo', closeoutHour: 0 });
  await putRestaurant(running, good, CLOSED, { name: 'Closed', active: false });
  await putRestaurant(running, stranger, THEIRS);
  for (const restaurant of [BISTRO, SECOND]) {
    const orders = [9, 10, 11].flatMap((day) => [
      plainOrder({ businessDate: 20260300 + day }),
      plainOrder({ businessDate: 20260300 + day, diningOption: { name: 'Naïve, "take" out\n' }, server: null }),
    ]);
    await postOrders(running, good, restaurant, orders);
  }
  const pools = await reportsOf(running, good, stranger);
  pools.expired.push(expired);
  const { id, secret } = await createClient(running.service.stores.ledger, { group: 'g' }, 0);
  pools.clientIds.push(id);
  pools.secrets.push(secret, 'wrong');
  const cookies = [await cookieOf(running, id, secret), await cookieOf(running, id, secret)];
  const other = await createClient(running.service.stores.ledger, { group: 'g' }, 0);
  await cookieOf(running, other.id, other.secret);
  const sessions: { sessionId: string; clientId: string }[] = (await running.call('GET', '/sessions', { token: good }))
    .body;
  return {
    running,
    tokens: {
      ...Object.fromEntries(Object.entries(tokens).map(([name, token]) => [name, `Bearer ${token}`])),
      basic: 'Basic Zm9vOmJhcg==',
      none: undefined,
    } as World['tokens'],
    pools,
    etag: undefined,
    webhookId: await deliveryOf(running, id, secret),
    connectionId: await connectionOf(running, good),
    sessionId: sessions.find(({ clientId }) => clientId === other.id)?.sessionId ?? '',
    cookies,
    download: await downloadOf(running, cookies[0] ?? '', pools.metrics[0] ?? ''),
    asset: await assetOf(running),
    remove: built.remove,
  };
}

async function cookieOf(running: Running, clientId: string, clientSecret: string): Promise<string> {
  const browser = openBrowser(running);
  await browser.call('POST', '/session', { clientId, clientSecret });
  return browser.cookie();
}

/** A test delivery of the client, to a port that nobody listens on. */
async function deliveryOf(running: Running, clientId: string, clientSecret: string): Promise<string> {
  const body = `grant_type=client_credentials&client_id=${clientId}&client_secret=${clientSecret}`;
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const { access_token: token } = (await running.call('POST', '/oauth/token', { base: '', body, headers })).body;
  await running.call('PUT', '/webhook', { token, json: { url: 'http://127.0.0.1:9/hook' } });
  return (await running.call('POST', '/webhook/test', { token })).body.webhookId;
}

async function downloadOf(running: Running, cookie: string, guid: string): Promise<string> {
  const request = { guid, kind: 'metrics', format: 'csv' };
  return (await openBrowser(running, cookie).call('POST', '/session/downloads', request)).body.path;
}

async function connectionOf(running: Running, token: string): Promise<string> {
  const { status, text, body } = await running.call('POST', '/connections', { token, json: KIOSK });
  if (status !== 201) throw new Error(text);
  await running.call('POST', `/connections/${body.id}/pause`, { token });
  return body.id;
}

/** A file that the pages name, with its version. */
async function assetOf({ service }: Running): Promise<World['asset']> {
  const page = await (await fetch(`${service.origin}/docs`)).text();
  const [, version = '', file = ''] = /\/docs\/assets\/([^/"]+)\/([^/"]+)/.exec(page) ?? [];
  return { version, file, consoleFile: CONSOLE_SCRIPT };
}

async function create(running: Running, token: string, path: string, json: object): Promise<string> {
  const { status, text, body } = await running.call('POST', path, { token, json });
  if (status !== 200) throw new Error(text);
  return body;
}

async function reportsOf(running: Running, good: string, stranger: string): Promise<World['pools']> {
  const span = { startBusinessDate: '20260309', endBusinessDate: '20260311' };
  const day = { startBusinessDate: '20260310' };
  const groups = { groupBy: ['DINING_OPTION', 'ORDER_SOURCE'] };
  const asks: [kind: ReportKind, path: string, body: object][] = [
    ['metrics', '/metrics/day', day],
    // Twice: there are changes to ask for between them.
    ['metrics', '/metrics/day', day],
    ['metrics', '/metrics/day?aggregateBy=HOUR', { ...day, ...groups }],
    ['metrics', '/metrics/week', span],
    ['metrics', '/metrics/month', { ...span, ...groups }],
    ['metrics', '/metrics/year', { startBusinessDate: '20250101', endBusinessDate: '20250102' }],
    ['metrics', '/metrics', span],
    ['check', '/check/day', day],
    ['check', '/check/day', day],
    ['check', '/check/week', span],
    ['check', '/check/month', span],
    ['check', '/check/year', { startBusinessDate: '20250101', endBusinessDate: '20250102' }],
  ];
  for (const family of Object.values<ReportFamily>(FAMILIES)) {
    if (asks.some(([kind]) => kind === family.kind)) continue;
    const { start, end } = family.dates;
    for (const range of timeRangesOf(family).filter((name) => name !== 'year')) {
      const dates = range === 'day' ? { [start]: '20260310' } : { [start]: '20260309', [end]: '20260311' };
      const ask: (typeof asks)[number] = [family.kind as ReportKind, `${family.path}/${range}`, dates];
      asks.push(ask, ...(range === 'day' ? [ask] : []));
    }
  }
  const pools: World['pools'] = {
    ...(Object.fromEntries(KINDS.map((kind) => [kind, []])) as unknown as Record<ReportKind, string[]>),
    expired: [],
    failed: [],
    held: [],
    disposable: [],
    strangers: [await create(running, stranger, '/metrics/day', day)],
    sandbox: ['202', '401', '403', '404', '409', '410', '412', '429', '500', '503', '504', '200', '202202200'].map(
      (digits) => `00000000-0000-4000-8000-${digits.padStart(12, '0')}`,
    ),
    own: [BISTRO, SECOND, CLOSED],
    strange: [THEIRS],
    clientIds: [],
    secrets: [],
  };
  for (const [kind, path, json] of asks) {
    const guid = await create(running, good, path, json);
    await running.call('GET', `${FAMILIES[kind].path}/${guid}`, { token: good, headers: { prefer: 'wait=20' } });
    pools[kind].push(guid);
    pools.disposable.push(await create(running, good, path, json));
  }
  const { ledger } = running.service.stores;
  for (;;) {
    const { queued = 0, gathering = 0 } = await ledger.reportCounts();
    if (queued + gathering === 0) break;
    await setTimeout(20);
  }
  for (const kind of KINDS) {
    const like = (await ledger.report(pools[kind][0] ?? '')) as ReportRequest;
    pools.held.push(await claimed(running, like));
    const failed = await claimed(running, like);
    await ledger.failReport(failed, 'fuzz', 1, like.createdAt, { code: 'report_failed', message: 'It failed.' });
    pools.failed.push(failed);
  }
  return pools;
}

/** A report that is being gathered, by a worker that never ends. Nothing else may be queued. */
async function claimed(running: Running, like: ReportRequest): Promise<string> {
  const { ledger } = running.service.stores;
  for (let tries = 0; tries < 200; tries++) {
    const guid = randomUUID();
    const claim = () => claimOne(ledger, 'fuzz', like.createdAt, like.createdAt + 10_000 * DAY_MS);
    // Both under way at once, so that the service's own worker does not come between them; other nodes may.
    const [, first] = await Promise.all([ledger.addReport({ ...like, guid }), claim()]);
    const got = first ?? (await claim());
    if (got?.guid === guid) return guid;
  }
  throw new Error('other workers were faster each time');
}
