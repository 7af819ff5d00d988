/**
 * The description matches the routes. `npm run check` compares it with the checked-in copy, in which a public linter
 * finds nothing.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import type Type from 'typebox';
import type { Aggregate, Dialect } from '../packages/service/src/contract/words.ts';
import { expressionsOf } from '../packages/service/src/facts/duckdb/columns.ts';
import type { ReportFamily } from '../packages/service/src/families/family.ts';
import { FAMILIES } from '../packages/service/src/families/index.ts';
import type { Operation } from '../packages/service/src/http/operation.ts';
import { BASES } from '../packages/service/src/mount-routes.ts';
import { createNamed, schemaOf } from '../packages/service/src/openapi/json-schemas.ts';
import { describeRoutes, operationsOf } from '../packages/service/src/openapi/openapi.ts';
import { lintDescription } from '../scripts/description.ts';
import { type Running, startJourney } from './journeys/service.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const RETRIEVALS = [
  '/metrics/{reportRequestGuid}',
  '/metrics/{timeRange}/{reportRequestGuid}',
  '/check/{reportRequestGuid}',
];

interface Described {
  servers: { url: string }[];
  paths: Record<string, Record<string, { operationId: string; responses: object }>>;
  components: {
    schemas: object;
    responses: Record<string, object>;
    headers: Record<string, { required?: boolean }>;
    securitySchemes: { oauth2: { flows: { clientCredentials: { tokenUrl: string } } } };
  };
}

const isOperation = (value: unknown): value is Operation =>
  typeof value === 'object' && value !== null && 'id' in value && 'answers' in value;

/** The operations that the rooms export, alone or by kind. */
async function exportedOperations(): Promise<Operation[]> {
  const files = globSync('packages/service/src/*/*operations.ts', { cwd: ROOT });
  const modules = await Promise.all(
    files.map(async (file): Promise<object> => import(pathToFileURL(join(ROOT, file)).href)),
  );
  const values = modules.flatMap((module) => Object.values(module) as unknown[]);
  return values.flatMap((value) => (isOperation(value) ? [value] : Object.values(value ?? {}).filter(isOperation)));
}

describe('openapi.json', () => {
  let running: Running;
  before(async () => {
    running = await startJourney();
  });
  after(() => running.stop());

  it('has an operation for every route, and every operation has its route', async () => {
    const { routes } = running.service;
    const bare = routes.filter(({ operation }) => !operation).map(({ method, url }) => `${method} ${url}`);
    const routed = new Set(routes.map(({ operation }) => operation?.id));

    const exported = await exportedOperations();

    assert.deepEqual(bare, []);
    assert.ok(exported.length > 20);
    assert.deepEqual(
      exported.map(({ id }) => id).filter((id) => !routed.has(id)),
      [],
    );
    for (const base of BASES) {
      const described = operationsOf(routes, [base, ...BASES.filter((other) => other !== base)]);
      assert.deepEqual(
        described.map(({ operation }) => operation.id).sort(),
        operationsOf(routes, BASES)
          .map(({ operation }) => operation.id)
          .sort(),
      );
    }
  });

  it('has every path parameter of its routes, and no other', () => {
    for (const { path, operation } of operationsOf(running.service.routes, BASES)) {
      const inPath = [...path.matchAll(/\{([^}]+)\}/g)].map(([, name]) => name);
      const told = (operation.parameters ?? []).filter((parameter) => parameter.in === 'path');
      const names = told.map(({ name }) => (name === 'guid' ? 'reportRequestGuid' : name));
      assert.deepEqual(names, inPath, operation.id);
    }
  });

  it('says once what several operations answer', () => {
    const { paths } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as Described;
    const answers = Object.values(paths)
      .flatMap((methods) => Object.values(methods).flatMap(({ responses }) => Object.values(responses ?? {})))
      .filter((answer) => !('$ref' in answer))
      .map((answer) => JSON.stringify(answer));

    assert.ok(answers.length > 50);
    assert.equal(new Set(answers).size, answers.length);
  });

  it('describes a problem once for all operations that answer it, with what only some of them send as optional', () => {
    const { paths, components } = JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')) as Described;
    const answers = Object.values(paths).flatMap((methods) =>
      Object.values(methods).flatMap(({ responses = {} }) => Object.entries(responses)),
    );
    const timeouts = new Set(
      answers.filter(([status]) => status === '408').map(([, answer]) => JSON.stringify(answer)),
    );
    const { headers } = components.responses.RequestTimeout as { headers: Record<string, { $ref: string }> };
    const header = (name: string) => components.headers[headers[name]?.$ref.split('/').at(-1) ?? ''];

    assert.deepEqual([...timeouts], ['{"$ref":"#/components/responses/RequestTimeout"}']);
    assert.equal(header('X-Request-Id')?.required, true);
    assert.equal(header('RateLimit')?.required, undefined);
    assert.equal(header('Cache-Control')?.required, undefined);
  });

  it('has less than 400 kB, without blanks', () => {
    const text = JSON.stringify(JSON.parse(readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8')));

    assert.ok(Buffer.byteLength(text) < 400_000, `${Buffer.byteLength(text)} bytes`);
  });

  it('is read by a linter that finds faults', async () => {
    const snapshot = readFileSync(join(ROOT, 'docs/openapi.json'), 'utf8');
    const faulty = snapshot.replace('"operationId": "getVersion",', '').replace('"summary": ', '"sumary": ');
    assert.ok((await lintDescription(faulty)).length >= 2);
  });

  it('is served without a token, for the origin that was called', async () => {
    const get = (headers: Record<string, string> = {}) => running.call('GET', '/openapi.json', { base: '', headers });

    const { status, headers, body } = await get();
    const post = await running.call('POST', '/openapi.json', { base: '' });

    const { origin } = running.service;
    const described = body as Described;
    assert.equal(status, 200);
    assert.match(headers.get('content-type') ?? '', /^application\/json/);
    assert.deepEqual(
      described.servers.map(({ url }) => url),
      [`${origin}/v1`, `${origin}/era/v1`],
    );
    assert.equal(described.components.securitySchemes.oauth2.flows.clientCredentials.tokenUrl, `${origin}/oauth/token`);
    assert.deepEqual(
      body,
      JSON.parse(JSON.stringify(describeRoutes(running.service.routes, { origin, bases: BASES }))),
    );
    assert.equal(post.status, 405);
  });

  it('is refused by name for a dialect that there is not, and has both without one', async () => {
    for (const query of ['?dialect=Live', '?dialect=', '?dialect=live&dialect=live']) {
      const { status, body } = await running.call('GET', `/openapi.json${query}`, { base: '' });
      assert.deepEqual([status, body.code, body.errors[0].pointer], [400, 'invalid_parameter', 'dialect'], query);
    }
    const schemas = async (query: string) => {
      const { body } = await running.call('GET', `/openapi.json${query}`, { base: '' });
      return Object.keys(body.components.schemas).filter((name) => /(Metrics|Check)Record$/.test(name));
    };
    assert.deepEqual(await schemas('?dialect=reference'), ['MetricsRecord', 'CheckRecord']);
    assert.deepEqual(await schemas('?dialect=live'), ['LiveMetricsRecord', 'LiveCheckRecord']);
    assert.deepEqual(await schemas(''), ['MetricsRecord', 'LiveMetricsRecord', 'CheckRecord', 'LiveCheckRecord']);
  });

  it('lists what the contract wants of every retrieval', async () => {
    const { paths } = (await running.call('GET', '/openapi.json', { base: '' })).body as Described;
    for (const path of RETRIEVALS) {
      const statuses = Object.keys(paths[path]?.get?.responses ?? {});
      for (const status of ['200', '202', '401', '403', '404', '406', '409', '429', '500', '504'])
        assert.ok(statuses.includes(status), `${path} ${status}`);
    }
  });

  it('says in types what types can say: no union of a type and null, or of words', async () => {
    const { components } = (await running.call('GET', '/openapi.json', { base: '' })).body as Described;
    const unions = JSON.stringify(components.schemas).match(/"anyOf":\[[^\]]*\]/g) ?? [];
    assert.deepEqual(
      unions.filter((union) => !union.includes('$ref') && !union.includes('"items"') && !union.includes('"pattern"')),
      [],
    );
  });
});

describe('the schemas of records', () => {
  const fieldsOf = (record: Type.TObject): string[] => Object.keys(record.properties);
  function columns(family: ReportFamily, dialect: Dialect, aggregate: Aggregate) {
    const form = { format: 'json', kind: family.kind, dialect, names: true, aggregate } as const;
    const all = { ...form, groups: [...family.groups] };
    return expressionsOf(family, all).map((column) => /as "(\w+)"$/.exec(column)?.[1]);
  }

  it('have the fields that are written, in their order, in both dialects', () => {
    for (const family of Object.values(FAMILIES)) {
      const { reference, live } = family.records;
      const but = (record: Type.TObject, left: string) => fieldsOf(record).filter((field) => field !== left);
      assert.deepEqual(columns(family, 'reference', 'HOUR'), but(reference, 'daypart'));
      assert.deepEqual(columns(family, 'live', 'HOUR'), but(live, 'daypart'));
      if (!family.aggregates.includes('DAYPART')) continue;
      assert.deepEqual(columns(family, 'reference', 'DAYPART'), fieldsOf(reference));
      assert.deepEqual(columns(family, 'live', 'DAYPART'), but(live, 'businessHour'));
    }
  });

  it('refuse one title for two schemas', () => {
    const named = createNamed();
    schemaOf({ type: 'string', title: 'Twice' }, named);
    assert.throws(() => schemaOf({ type: 'integer', title: 'Twice' }, named), /Twice/);
  });

  it('are written once where two titles have the same, by a reference under the other', () => {
    const named = createNamed();
    const refs = ['First', 'Second', 'Second', 'First'].map((title) => schemaOf({ type: 'string', title }, named).$ref);

    assert.deepEqual(named.all.schemas, { First: { type: 'string' }, Second: { $ref: '#/components/schemas/First' } });
    assert.deepEqual(
      refs,
      ['First', 'Second', 'Second', 'First'].map((title) => `#/components/schemas/${title}`),
    );
  });
});
