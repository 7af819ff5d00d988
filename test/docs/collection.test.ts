/** The collection for Postman: it has every operation of the description, and its requests work. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { readDocument } from '../../packages/service/src/docs-site/document.ts';
import { NOW, type Running, startJourney } from '../journeys/service.ts';
import { freePort } from '../ports.ts';

interface Entry {
  key: string;
  value?: string;
  type?: string;
  disabled?: boolean;
}
interface Item {
  name: string;
  id: string;
  event?: { script: { exec: string[] } }[];
  request: {
    method: string;
    auth?: { type: string };
    header: Entry[];
    url: { raw: string; host: string[]; path: string[]; query: Entry[]; variable: Entry[] };
    body?: { mode: string; raw?: string; urlencoded?: Entry[]; formdata?: Entry[] };
  };
}
interface Described {
  servers: { url: string }[];
  paths: Record<string, Record<string, unknown> & { servers?: { url: string }[] }>;
}
interface Collection {
  info: { schema: string };
  auth: { type: string; bearer: Entry[] };
  variable: Entry[];
  item: { name: string; item: Item[] }[];
}

const enabled = (entries: Entry[] = []): Entry[] => entries.filter(({ disabled }) => !disabled);

/** Sends requests of a collection as a program does that has imported it: with its variables, token and scripts. */
function openCollection({ auth, variable, item }: Collection) {
  const variables = new Map(variable.map(({ key, value = '' }) => [key, value]));
  const filled = (text: string): string =>
    text.replace(/\{\{(\w+)\}\}/g, (_all, name: string) => variables.get(name) ?? '');
  return {
    variables,
    async send(id: string): Promise<{ status: number; body: unknown }> {
      const found = item.flatMap((folder) => folder.item).find((one) => one.id === id);
      assert.ok(found, id);
      const { method, header, url, body, auth: own } = found.request;
      const path = url.path.map((part) => url.variable.find(({ key }) => part === `:${key}`)?.value ?? part);
      const query = new URLSearchParams(
        enabled(url.query).map(({ key, value = '' }): [string, string] => [key, filled(value)]),
      );
      const headers = new Headers(enabled(header).map(({ key, value = '' }): [string, string] => [key, filled(value)]));
      if (!own) headers.set('authorization', `Bearer ${filled(auth.bearer[0]?.value ?? '')}`);
      const fields = enabled(body?.urlencoded).map(({ key, value = '' }): [string, string] => [key, filled(value)]);
      const answer = await fetch(`${filled([url.host.join('.'), ...path].join('/'))}?${query}`, {
        method,
        headers,
        body: body?.raw === undefined ? (body ? new URLSearchParams(fields) : null) : filled(body.raw),
      });
      const json: unknown = await answer.json();
      const pm = {
        response: { code: answer.status, json: () => json },
        collectionVariables: { set: (name: string, value: string) => variables.set(name, value) },
      };
      for (const { script } of found.event ?? []) new Function('pm', script.exec.join('\n'))(pm);
      return { status: answer.status, body: json };
    },
  };
}

describe('the collection for Postman', () => {
  let running: Running;
  let collection: Collection;
  let items: Item[];
  let document: Described;

  before(async () => {
    running = await startJourney({ console: 'off', basePath: '/reports', port: await freePort() });
    const answer = await fetch(`${running.service.origin}/docs/collection.json`);
    collection = (await answer.json()) as Collection;
    items = collection.item.flatMap(({ item }) => item);
    const described = await fetch(`${running.service.origin}/openapi.json`);
    document = (await described.json()) as Described;
  });
  after(() => running.stop());

  it('has each operation of the description once, below the variable of its origin', () => {
    const described = Object.entries(document.paths).flatMap(([path, item]) =>
      Object.keys(item)
        .filter((key) => ['get', 'post', 'put', 'patch', 'delete'].includes(key))
        .map((method) => {
          const [server] = item.servers ?? document.servers;
          return `${method.toUpperCase()} ${server?.url}${path}`;
        }),
    );
    const origin = collection.variable.find(({ key }) => key === 'origin')?.value ?? '';
    const requested = items.map(({ request: { method, url } }) => {
      assert.deepEqual(url.host, ['{{origin}}']);
      assert.equal(url.raw.split('?')[0], `{{origin}}/${url.path.join('/')}`);
      return `${method} ${origin}/${url.path.join('/').replace(/:(\w+)/g, '{$1}')}`;
    });

    assert.equal(origin, running.service.origin);
    assert.ok(described.length > 100);
    assert.deepEqual(requested.toSorted(), described.toSorted());
    assert.match(collection.info.schema, /\/v2\.1\.0\//);
  });

  it('has the parameters, the token and the body of each operation', () => {
    for (const { id, method, path, scopes, parameters, body } of readDocument(document)) {
      const request = items.find((item) => item.id === id)?.request;
      assert.ok(request, id);
      const { url } = request;
      const inPath = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name);
      assert.equal(request.method, method, id);
      assert.deepEqual(
        url.variable.map(({ key, value }) => [key, value !== '']),
        inPath.map((name) => [name, true]),
        id,
      );
      assert.deepEqual(request.auth, scopes === undefined ? { type: 'noauth' } : undefined, id);
      const query = parameters.filter((one) => one.in === 'query');
      assert.deepEqual(
        url.query.map(({ key, disabled = false }) => [key, disabled]),
        query.map(({ name, required }) => [name, !required]),
        id,
      );
      const json = body?.contents.find(({ mediaType }) => mediaType === 'application/json');
      assert.equal(request.body !== undefined, body !== undefined, id);
      if (json && id !== 'login') assert.deepEqual(JSON.parse(request.body?.raw ?? ''), json.example, id);
      assert.equal(
        request.header.some(({ key, value }) => key === 'Content-Type' && value === 'application/json'),
        json !== undefined,
        id,
      );
    }
  });

  it('signs in, creates a report and retrieves it, in either way of signing in', async () => {
    const { id, secret } = await createClient(running.service.stores.ledger, { group: 'g' }, NOW);
    for (const login of ['issueToken', 'login']) {
      const opened = openCollection(collection);
      opened.variables.set('clientId', id).set('clientSecret', secret);

      assert.equal((await opened.send('listRestaurants')).status, 401);
      assert.equal((await opened.send(login)).status, 200);
      assert.deepEqual(await opened.send('listRestaurants'), { status: 200, body: [] });
      assert.equal((await opened.send('createMetricsDayReport')).status, 200);
      assert.deepEqual(await opened.send('retrieveMetrics'), { status: 200, body: [] });
    }
  });

  it('is 304 for a program that has it', async () => {
    const read = (headers: Record<string, string>) =>
      fetch(`${running.service.origin}/docs/collection.json`, { headers });
    const etag = (await read({ 'accept-encoding': 'identity' })).headers.get('etag') ?? '';

    assert.equal((await read({ 'accept-encoding': 'identity', 'if-none-match': etag })).status, 304);
    assert.equal((await read({ 'if-none-match': '"other"' })).status, 200);
  });
});
