/** Requests for the documented answers that drawing does not reach, or not every time. */
import { randomUUID } from 'node:crypto';
import { gzipSync } from 'node:zlib';
import { FORMATS } from '../../packages/service/src/facts/form.ts';
import { FAMILIES, type ReportKind } from '../../packages/service/src/families/index.ts';
import type { Sent } from './agent.ts';
import { connectionRequests } from './connection-requests.ts';
import type { Document, Operation } from './document.ts';
import { familyOf, KINDS, type World } from './world.ts';

const JSON_TYPE = { 'content-type': 'application/json' };
const MEGABYTE = 1024 * 1024;
/** More than the largest body of JSON that an operation takes: reference data of 16 MiB; menus are of 32. */
const LARGE = Buffer.alloc(16 * MEGABYTE + 1024, ' ');
/** 17 MiB of blanks in 17 kB. */
const BOMB = gzipSync(Buffer.alloc(17 * MEGABYTE, ' '));

/** One for each answer of a dataset. */
const DATASET_HEADERS: Record<string, string>[] = [
  { 'if-none-match': '*' },
  { 'if-match': '"x"' },
  { range: 'bytes=0-1' },
  { range: 'bytes=999999999-' },
  { accept: 'text/html' },
  { authorization: 'Basic eDp4' },
];

/** The URL of an operation with what it needs filled in. */
function urlOf(
  { path, atOrigin, method }: Operation,
  { pools, asset, connectionId }: World,
  changes: Record<string, string> = {},
): string {
  // What is deleted is not one that others are asked for.
  const kind = (familyOf(path)?.kind ?? 'metrics') as ReportKind;
  const [guid = ''] = method === 'DELETE' ? pools.disposable : pools[kind];
  const values: Record<string, string> = {
    reportRequestGuid: guid,
    restaurantGuid: pools.own[0] ?? '',
    // The first that the world has loaded.
    orderGuid: '0d000000-0000-4000-8000-000000000001',
    // Of the second, since the first is deleted.
    checkGuid: '0d000000-0000-4000-8000-000000000006',
    timeRange: 'day',
    code: 'span_too_long',
    guide: 'metrics',
    page: 'metrics',
    key: 'none',
    clientId: 'none',
    // What is removed is not one that others are asked for.
    connectionId: method === 'DELETE' ? 'none' : connectionId,
    sessionId: 'none',
    webhookId: 'none',
    group: 'fuzz',
    exportDate: '20260310',
    ...asset,
    ...changes,
  };
  return `${atOrigin ? '' : '/v1'}${path.replace(/\{([^}]+)\}/g, (_all, name: string) => values[name] ?? '')}`;
}

/** Every directed request but those after the sunset. */
export function directedRequests({ operations }: Document, world: World): Sent[] {
  const { tokens, pools } = world;
  const authorization = tokens.good ?? '';
  const found: Sent[] = [];
  for (const operation of operations) {
    const { method, id } = operation;
    const url = urlOf(operation, world);
    const send = (headers: Record<string, string>, body?: Buffer, at = url): void => {
      found.push({ method, url: at, headers: { authorization, 'sec-fetch-site': 'same-origin', ...headers }, body });
    };
    send({ 'x-filler': 'x'.repeat(20_000) });
    send({}, undefined, `${url}${url.includes('?') ? '&' : '?'}${'x'.repeat(20_000)}`);
    send({ 'transfer-encoding': 'chunked, gzip' });
    send({});
    if (400 in operation.responses) send({}, undefined, `${url}${url.includes('?') ? '&' : '?'}nothing=1`);
    if (404 in operation.responses) {
      const elsewhere = urlOf(operation, world, {
        guide: 'none',
        page: 'none',
        group: 'none',
        file: 'none',
        consoleFile: 'none',
        connectionId: 'none',
      });
      send(JSON_TYPE, undefined, id === 'removeGroup' ? `${elsewhere}?confirm=none` : elsewhere);
      if (method === 'PUT' || method === 'PATCH') send(JSON_TYPE, Buffer.from('{}'), elsewhere);
    }
    if (304 in operation.responses) send({ 'if-none-match': '*' });
    for (const type of Object.keys(operation.responses[200]?.content ?? {})) send({ accept: type });
    for (const token of [tokens.none, tokens.garbage, tokens.reader, tokens.loader, tokens.scopeless, tokens.live]) {
      found.push({ method, url, headers: token === undefined ? {} : { authorization: token }, body: undefined });
    }
    if (operation.path.includes('{restaurantGuid}') && 404 in operation.responses && method !== 'PUT')
      send({}, undefined, urlOf(operation, world, { restaurantGuid: pools.strange[0] ?? '' }));
    if (operation.path.includes('{reportRequestGuid}') && method !== 'DELETE') {
      for (const pool of ['expired', 'failed', 'held', 'sandbox', ...KINDS] as const) {
        for (const reportRequestGuid of pools[pool].slice(0, 13)) {
          send({ prefer: 'wait=0' }, undefined, urlOf(operation, world, { reportRequestGuid }));
        }
      }
      send({ range: 'bytes=0-9' });
      send({ range: 'bytes=999999999-' });
      send({ accept: 'text/html' });
      send({}, undefined, `${url}?fetchRestaurantNames=maybe`);
    }
    if (operation.path.startsWith('/datasets/')) {
      const dated = `${url}?from=2026-03-10`;
      for (const headers of DATASET_HEADERS) send(headers, undefined, dated);
      for (const format of FORMATS) send({}, undefined, `${dated}&format=${format}`);
    }
    if (id === 'listTimeEntries') {
      const dated = `${url}?from=2026-03-10`;
      for (const headers of [{}, { 'if-none-match': '*' }]) send(headers, undefined, dated);
    }
    if ('application/x-ndjson' in operation.bodies) {
      send({ ...JSON_TYPE, 'content-encoding': 'gzip' }, BOMB);
      send(JSON_TYPE, Buffer.from('[]'));
      for (const body of ['[]', '[{}]']) send({ ...JSON_TYPE, 'idempotency-key': `d-${id}` }, Buffer.from(body));
      for (const restaurantGuid of pools.strange)
        send(JSON_TYPE, Buffer.from('[]'), urlOf(operation, world, { restaurantGuid }));
    } else if (Object.keys(operation.bodies).length > 0) {
      const large = id === 'putMenus' ? Buffer.alloc(2 * LARGE.length, ' ') : LARGE;
      send({ 'content-type': Object.keys(operation.bodies)[0] ?? '' }, large);
    }
    if (Object.keys(operation.bodies).length > 0) send({ 'content-type': 'text/html' }, Buffer.from('x'));
    if (id.startsWith('create')) {
      const { start, end } = (familyOf(operation.path) ?? FAMILIES.metrics).dates;
      const body = { [start]: '20260310', [end]: '20260310' };
      send(JSON_TYPE, Buffer.from(JSON.stringify(body)));
      for (const date of ['20260309', '20260310']) {
        const other = { [start]: date, [end]: date };
        send({ ...JSON_TYPE, 'idempotency-key': `d-${id}` }, Buffer.from(JSON.stringify(other)));
      }
    }
  }
  return [
    ...found,
    ...restaurantRequests(world),
    ...webhookRequests(world),
    ...watchRequests(world),
    ...tokenRequests(world),
    ...sessionRequests(world),
    ...adminRequests(world),
    ...importRequests(world),
    ...connectionRequests(world),
  ];
}

function restaurantRequests({ tokens, pools }: World): Sent[] {
  const headers = { ...JSON_TYPE, authorization: tokens.good ?? '' };
  const put = (url: string, value: unknown): Sent => ({
    method: 'PUT',
    url,
    headers,
    body: Buffer.from(JSON.stringify(value)),
  });
  const restaurant = { name: 'New', timeZone: 'UTC' };
  const made = `/v1/restaurants/${randomUUID()}`;
  const lists = { employees: [{ guid: 'e1' }] };
  const menus = { menus: [{ guid: 'm1', name: 'All' }] };
  const dayparts = { dayparts: [{ name: 'Day', from: '04:00', to: '04:00' }] };
  return [
    ...[put(made, restaurant), put(made, restaurant)],
    ...[put(`${made}/reference`, lists), put(`${made}/reference`, lists)],
    put(`/v1/restaurants/${randomUUID()}/reference`, lists),
    ...[put('/v1/dayparts', dayparts), put(`${made}/dayparts`, dayparts)],
    put(`/v1/restaurants/${pools.strange[0]}/dayparts`, dayparts),
    put(`/v1/restaurants/${pools.strange[0]}`, restaurant),
    ...[made, made, `/v1/restaurants/${pools.strange[0]}`].map((of) => put(`${of}/menus`, menus)),
    { method: 'GET', url: `/v1/restaurants/${pools.strange[0]}`, headers, body: undefined },
    { method: 'GET', url: `/v1/restaurants/${pools.strange[0]}/reference`, headers, body: undefined },
    { method: 'GET', url: '/docs/problems/none', headers, body: undefined },
    { method: 'DELETE', url: `/v1/reports/${randomUUID()}`, headers, body: undefined },
  ];
}

/** To a port that nobody listens on. */
function webhookRequests({ tokens }: World): Sent[] {
  const headers = { ...JSON_TYPE, authorization: tokens.good ?? '' };
  const body = Buffer.from(JSON.stringify({ url: 'http://127.0.0.1:9/hook' }));
  const ask = (method: string, path = '', sent?: Buffer): Sent => ({
    method,
    url: `/v1/webhook${path}`,
    headers,
    body: sent,
  });
  return [ask('DELETE'), ask('PUT', '', body), ask('PUT', '', body), ask('POST', '/test'), ask('GET')];
}

function watchRequests({ tokens, pools }: World): Sent[] {
  const headers = { authorization: tokens.good ?? '', 'last-event-id': '1-102' };
  return [{ method: 'GET', url: `/v1/reports/${pools.metrics[0]}/events`, headers, body: undefined }];
}

function tokenRequests({ pools }: World): Sent[] {
  const [id = ''] = pools.clientIds;
  return pools.secrets.flatMap((secret) => [
    {
      method: 'POST',
      url: '/oauth/token',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      body: Buffer.from(`grant_type=client_credentials&client_id=${id}&client_secret=${secret}`),
    },
    {
      method: 'POST',
      url: '/authentication/v1/authentication/login',
      headers: JSON_TYPE,
      body: Buffer.from(JSON.stringify({ clientId: id, clientSecret: secret, userAccessType: 'TOAST_MACHINE_CLIENT' })),
    },
  ]);
}

/**
 * As a page of the service sends them; the last signs out. Each wrong one counts, so none is in a minute of its own.
 */
function sessionRequests({ pools, cookies, download }: World): Sent[] {
  const [clientId] = pools.clientIds;
  const [clientSecret] = pools.secrets;
  const headers = { ...JSON_TYPE, 'sec-fetch-site': 'same-origin', cookie: cookies[0] ?? '' };
  const send = (method: string, path = '', body: object = {}, more = {}): Sent => ({
    method,
    url: `/session${path}`,
    headers: { ...headers, ...more },
    body: method === 'GET' || method === 'HEAD' ? undefined : Buffer.from(JSON.stringify(body)),
  });
  return [
    ...[send('GET'), send('POST', '/token'), send('POST', '/token', {}, { cookie: 'x=1' })],
    ...[send('DELETE', '?nothing=1'), send('POST', '/token?nothing=1')],
    send('GET', `${download.slice('/session'.length)}?nothing=1`),
    ...[send('POST', '', { clientId, clientSecret }, { cookie: '' }), send('POST', '', { key: 'none' })],
    ...[pools.metrics[0], pools.held[0], pools.failed[0], 'none'].map((guid) =>
      send('POST', '/downloads', { guid, kind: 'metrics', format: 'csv' }),
    ),
    ...['HEAD', 'GET', 'GET'].map((method) => send(method, download.slice('/session'.length))),
    send('POST', '/downloads', { guid: 'none', kind: 'tips', format: 'csv' }),
    send('POST', '/downloads', {}, { cookie: '' }),
    ...[send('POST', '', {}), send('DELETE', '', {}, { cookie: cookies[1] })],
  ];
}

function adminRequests({ tokens, pools, webhookId, sessionId }: World): Sent[] {
  const [clientId] = pools.clientIds;
  const send = (method: string, path: string, body?: object, authorization = tokens.good ?? ''): Sent => ({
    method,
    url: `/v1${path}`,
    headers: { ...JSON_TYPE, authorization },
    body: body && Buffer.from(JSON.stringify(body)),
  });
  return [
    ...[send('POST', '/clients', { name: 'made' }), send('POST', '/clients', { scopes: ['groups:admin'] })],
    ...['', '?client=none'].map((of) => send('GET', `/limits${of}`)),
    ...['', '?limit=0', '?limit=1&cursor=1'].map((query) => send('GET', `/audit${query}`)),
    ...['', '?group='].flatMap((query) => [send('GET', `/sessions${query}`), send('GET', `/clients${query}`)]),
    ...['PUT', 'PUT'].map((method) => send(method, '/groups/fuzz')),
    send('PUT', '/groups/%2E'),
    ...[send('GET', '/groups/fuzz'), send('PUT', '/groups/fuzz/limits', { check: '50/min' })],
    send('DELETE', '/groups/g?confirm=g'),
    send('PUT', `/clients/${clientId}/limits`, { check: '50/min' }),
    send('GET', `/clients/${clientId}`),
    send('POST', `/clients/${clientId}/secret`),
    send('GET', `/webhook/deliveries?client=${clientId}`),
    send('GET', '/webhook/deliveries?client=none'),
    send('POST', `/webhook/deliveries/${webhookId}/replay?client=${clientId}`),
    send('DELETE', `/sessions/${sessionId}`),
    send('DELETE', `/clients/${clientId}`),
  ];
}

function importRequests({ tokens, pools }: World): Sent[] {
  const headers = { 'content-type': 'multipart/form-data; boundary=b', authorization: tokens.good ?? '' };
  const file =
    '--b\r\nContent-Disposition: form-data; name="f"; filename="OrderDetails.csv"\r\n\r\nOrder Id\r\n--b--\r\n';
  const send = (restaurant = '', body = file, date = '20260310'): Sent => ({
    method: 'POST',
    url: `/v1/restaurants/${restaurant}/exports/${date}`,
    headers,
    body: Buffer.from(body),
  });
  const [own] = pools.own;
  return [send(own), send(own, 'x'), send(own, file, 'x'), send(pools.strange[0])];
}

/**
 * The changes since a report of the same request: of one that is completed, one that is being gathered and one that
 * failed.
 */
export function changesRequests({ tokens, pools }: World): Sent[] {
  const headers = { authorization: tokens.good ?? '' };
  return KINDS.map((kind) => pools[kind]).flatMap(([older, newer], at) =>
    [newer, pools.held[at], pools.failed[at]].map((guid) => ({
      method: 'GET',
      url: `/v1/reports/${guid}/changes?since=${older}`,
      headers,
      body: undefined,
    })),
  );
}

/** What the paths that go answer once they have gone. */
export function sunsetRequests({ operations }: Document, world: World, authorization: string): Sent[] {
  return operations
    .filter((operation) => 410 in operation.responses)
    .map((operation) => ({ method: 'GET', url: urlOf(operation, world), headers: { authorization }, body: undefined }));
}
