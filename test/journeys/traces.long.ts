import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import { registerHooks } from 'node:module';
import type { AddressInfo } from 'node:net';
import { after, before, describe, it } from 'node:test';
import { setTimeout } from 'node:timers/promises';
import { openLog } from '../../packages/service/src/log.ts';
import { asksForTraces } from '../../packages/service/src/observability/tracing.ts';
import { ask, BISTRO, nodesOf, plainOrder, postOrders, putRestaurant, type Running, startJourney } from './service.ts';

const DAY = { startBusinessDate: 20260310 };
const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736';
const PARENT = '00f067aa0ba902b7';
const traceparent = `00-${TRACE}-${PARENT}-01`;

interface OtlpSpan {
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  name: string;
  kind: number;
  attributes: { key: string; value: { stringValue?: string; intValue?: number | string } }[];
  status: { code?: number };
}

/** What OTLP/HTTP in JSON is sent to: keeps every span, and the attributes of the last resource. */
async function startCollector() {
  const spans: OtlpSpan[] = [];
  const paths = new Set<string>();
  let resource: unknown;
  const server: Server = createServer(async (request, response) => {
    paths.add(`${request.method} ${request.url}`);
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = JSON.parse(Buffer.concat(chunks).toString());
    for (const { resource: of, scopeSpans } of body.resourceSpans) {
      resource = of;
      for (const scope of scopeSpans) spans.push(...scope.spans);
    }
    response.writeHead(200, { 'content-type': 'application/json' }).end('{}');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    spans,
    paths,
    resource: () => JSON.stringify(resource),
    endpoint: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(resolve).closeAllConnections()),
  };
}

const attributesOf = ({ attributes }: OtlpSpan): Record<string, unknown> =>
  Object.fromEntries(attributes.map(({ key, value }) => [key, value.stringValue ?? Number(value.intValue)]));

/** The packages of OpenTelemetry that are asked for while `work` runs; with `refuse`, as if they were not installed. */
async function watchImports(refuse: boolean, work: () => Promise<void>): Promise<string[]> {
  const requested: string[] = [];
  const hooks = registerHooks({
    resolve(specifier, context, next) {
      if (specifier.startsWith('@opentelemetry/')) {
        requested.push(specifier);
        if (refuse)
          throw Object.assign(new Error(`Cannot find package '${specifier}'`), { code: 'ERR_MODULE_NOT_FOUND' });
      }
      return next(specifier, context);
    },
  });
  try {
    await work();
  } finally {
    hooks.deregister();
  }
  return requested;
}

// First of all, while nothing has loaded the packages yet.
describe('without traces', () => {
  it('no part of OpenTelemetry is loaded', async () => {
    const requested = await watchImports(false, async () => {
      const running = await startJourney();
      const token = await running.login('group');
      await running.call('GET', '/metrics/x', { token, headers: { traceparent } });
      await running.stop();
    });

    assert.deepEqual(requested, []);
  });

  it('the service runs on when the packages are asked for and not installed, and says so once', async () => {
    const lines: string[] = [];
    let status = 0;
    let nodes = 0;
    const requested = await watchImports(true, async () => {
      const log = openLog('warn', { write: (line) => void lines.push(line) });
      const running = await startJourney({ otel: { OTEL_TRACES_EXPORTER: 'otlp' } }, log);
      status = (await running.call('GET', '/readyz', { base: '' })).status;
      nodes = nodesOf(running.service).length;
      await running.stop();
    });

    assert.ok(requested.length > 0);
    assert.equal(status, 200);
    assert.equal(lines.filter((line) => /OpenTelemetry packages are not installed/.test(line)).length, nodes);
  });

  it('the variables of OpenTelemetry decide whether there are any', () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector:4318' };

    assert.deepEqual(
      [
        asksForTraces({}),
        asksForTraces({ OTEL_SERVICE_NAME: 'reports' }),
        asksForTraces(endpoint),
        asksForTraces({ OTEL_TRACES_EXPORTER: 'otlp' }),
        asksForTraces({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' }),
        asksForTraces({ ...endpoint, OTEL_SDK_DISABLED: 'true' }),
      ],
      [false, false, true, true, false, false],
    );
  });
});

describe('traces', () => {
  let collector: Awaited<ReturnType<typeof startCollector>>;
  let running: Running;
  let token: string;
  before(async () => {
    collector = await startCollector();
    running = await startJourney({
      sandbox: true,
      otel: { OTEL_EXPORTER_OTLP_ENDPOINT: `${collector.endpoint}/`, OTEL_BSP_SCHEDULE_DELAY: '50' },
    });
    token = await running.login('group');
    await putRestaurant(running, token, BISTRO);
  });
  after(async () => {
    await running.stop();
    await collector.close();
  });

  async function spanOf(holds: (span: OtlpSpan) => boolean): Promise<OtlpSpan> {
    for (let waited = 0; waited < 15_000; waited += 50) {
      const found = collector.spans.find(holds);
      if (found) return found;
      await setTimeout(50);
    }
    return assert.fail(`not among ${collector.spans.map(({ name }) => name)}`);
  }

  it('have a span for a request, named by its route, in the trace of its caller', async () => {
    const guid = await ask(running, token, '/metrics/day', DAY);
    const headers = { traceparent, 'x-request-id': 'mine' };
    await running.call('GET', `/metrics/${guid}?fetchRestaurantNames=true`, { token, headers });

    const span = await spanOf(({ name, traceId }) => name === 'GET /v1/metrics/:guid' && traceId === TRACE);

    assert.deepEqual([span.parentSpanId, span.kind], [PARENT, 2]);
    assert.deepEqual(attributesOf(span), {
      'http.request.method': 'GET',
      'http.route': '/v1/metrics/:guid',
      'http.response.status_code': 200,
      'url.path': `/v1/metrics/${guid}`,
      'url.scheme': 'http',
      'server.address': '127.0.0.1',
      'network.protocol.version': '1.1',
      'daypart.request_id': 'mine',
    });
    assert.deepEqual([...collector.paths], ['POST /v1/traces']);
    assert.match(collector.resource(), /"service\.name","value":\{"stringValue":"daypart"/);
  });

  it('have the gather in the trace of the call that asked', async () => {
    const headers = { traceparent, 'x-request-id': 'asks' };
    const { body: guid } = await running.call('POST', '/check/day', { token, json: DAY, headers });

    const gather = await spanOf(
      (span) => span.name === 'gather check' && attributesOf(span)['daypart.report_request_guid'] === guid,
    );
    const create = await spanOf((span) => attributesOf(span)['daypart.request_id'] === 'asks');

    assert.deepEqual([gather.traceId, gather.parentSpanId], [TRACE, create.spanId]);
    assert.deepEqual([create.traceId, create.parentSpanId], [TRACE, PARENT]);
  });

  it('have a load below its request', async () => {
    await postOrders(running, token, BISTRO, [plainOrder()]);

    const load = await spanOf(({ name }) => name === 'load orders');
    const request = await spanOf(({ name }) => name === 'POST /v1/restaurants/:restaurantGuid/orders');

    assert.deepEqual([load.traceId, load.parentSpanId], [request.traceId, request.spanId]);
    assert.equal(request.parentSpanId, undefined);
  });

  it('mark what failed on the side of the service', async () => {
    const call = (status: number) =>
      running.call('GET', `/metrics/00000000-0000-4000-8000-000000000${status}`, { token });
    await call(500);
    await call(404);

    const failed = await spanOf((span) => attributesOf(span)['http.response.status_code'] === 500);
    const refused = await spanOf((span) => attributesOf(span)['http.response.status_code'] === 404);

    assert.deepEqual([failed.status.code, attributesOf(failed)['error.type']], [2, '500']);
    assert.ok(!refused.status.code);
  });

  it('follow what the caller decided not to keep', async () => {
    const quiet = '5bf92f3577b34da6a3ce929d0e0e4736';
    const headers = { traceparent: `00-${quiet}-${PARENT}-00` };
    await running.call('GET', '/metrics/x', { token, headers });
    await running.call('GET', '/metrics/x', { token, headers: { 'x-request-id': 'afterwards' } });

    await spanOf((span) => attributesOf(span)['daypart.request_id'] === 'afterwards');

    assert.equal(
      collector.spans.find(({ traceId }) => traceId === quiet),
      undefined,
    );
  });

  it('end with the service, and the remaining ones are sent', async () => {
    await running.call('GET', '/metrics/x', { token, headers: { 'x-request-id': 'the-last' } });

    await running.restart({ otel: {} });

    assert.ok(collector.spans.some((span) => attributesOf(span)['daypart.request_id'] === 'the-last'));
  });
});
