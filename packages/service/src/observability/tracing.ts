/**
 * Sends spans to an OpenTelemetry collector, as the environment configures. Its packages are imported only here, and
 * only if enabled.
 */
import type { Span as OtelSpan, Tracer } from '@opentelemetry/api';
import type { FastifyRequest } from 'fastify';
import type { Logger } from 'pino';
import { readTraceparent, type Trace, type Traced } from '../contract/trace.ts';
import { VERSION } from '../version.ts';

export interface ServerSpan {
  trace: Trace;
  end(status: number): void;
}

export interface Tracing {
  /** Begins the span of a request, by the semantic conventions of HTTP servers. */
  serve(request: FastifyRequest): ServerSpan;
  run: Traced;
  /** Sends the remaining spans, for at most two seconds. */
  close(): Promise<void>;
}

const CLOSE_MS = 2000;

/** Whether the variables enable traces: OTEL_TRACES_EXPORTER decides, otherwise the presence of an endpoint. */
export function asksForTraces(otel: Record<string, string>): boolean {
  if (otel.OTEL_SDK_DISABLED?.toLowerCase() === 'true') return false;
  const exporter = otel.OTEL_TRACES_EXPORTER ?? '';
  if (exporter !== '') return exporter === 'otlp';
  return Boolean(otel.OTEL_EXPORTER_OTLP_ENDPOINT || otel.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT);
}

/** The OTLP/HTTP address for traces: the one for traces unchanged, or the common one with its path. */
function endpointOf(otel: Record<string, string>): string {
  const common = otel.OTEL_EXPORTER_OTLP_ENDPOINT || 'http://localhost:4318';
  return otel.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT || `${common.replace(/\/+$/, '')}/v1/traces`;
}

/**
 * The sampler in OTEL_TRACES_SAMPLER, by its standard name; by default everything is sampled unless the caller decided
 * otherwise.
 */
function samplerOf(sdk: typeof import('@opentelemetry/sdk-trace'), otel: Record<string, string>) {
  const [, parentBased, name] =
    /^(parentbased_)?(always_on|always_off|traceidratio)$/.exec(otel.OTEL_TRACES_SAMPLER ?? '') ?? [];
  const ratio = Number(otel.OTEL_TRACES_SAMPLER_ARG || 1);
  const root =
    name === 'always_off'
      ? new sdk.AlwaysOffSampler()
      : new sdk.TraceIdRatioBasedSampler(name === 'traceidratio' && ratio >= 0 && ratio <= 1 ? ratio : 1);
  return name && !parentBased ? root : new sdk.ParentBasedSampler({ root });
}

async function loadPackages() {
  const [api, sdk, resources, otlp] = await Promise.all([
    import('@opentelemetry/api'),
    import('@opentelemetry/sdk-trace'),
    import('@opentelemetry/resources'),
    import('@opentelemetry/exporter-trace-otlp-http'),
  ]);
  return { api, sdk, resources, otlp };
}

type Packages = Awaited<ReturnType<typeof loadPackages>>;

/**
 * Tracing as the variables configure it; undefined if they do not enable it. Without the packages the service runs,
 * with one warning. The exporter reads its headers, timeout and compression from the environment itself.
 */
export async function openTracing(otel: Record<string, string>, log: Logger): Promise<Tracing | undefined> {
  if (!asksForTraces(otel)) return undefined;
  const packages = await loadPackages().catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ERR_MODULE_NOT_FOUND') throw error;
    log.warn(
      'no traces: OTEL_* asks for them, and the OpenTelemetry packages are not installed; npm install @opentelemetry/api @opentelemetry/sdk-trace @opentelemetry/resources @opentelemetry/exporter-trace-otlp-http',
    );
    return undefined;
  });
  if (!packages) return undefined;
  const url = endpointOf(otel);
  const provider = openProvider(packages, url, otel);
  log.info({ endpoint: url.replace(/\/\/[^@/]*@/, '//') }, 'traces are sent');
  return {
    ...tracerOf(packages.api, provider.getTracer('daypart', VERSION)),
    async close() {
      const late = new Promise<void>((resolve) => setTimeout(resolve, CLOSE_MS).unref());
      await Promise.race([provider.shutdown().catch(() => undefined), late]);
    },
  };
}

function openProvider({ sdk, resources, otlp }: Packages, url: string, otel: Record<string, string>) {
  // Milliseconds between two exports, 5000 by default.
  const delay = Number(otel.OTEL_BSP_SCHEDULE_DELAY);
  const exporter = new otlp.OTLPTraceExporter({ url });
  return new sdk.TracerProvider({
    sampler: samplerOf(sdk, otel),
    resource: resources
      .defaultResource()
      .merge(resources.resourceFromAttributes({ 'service.name': 'daypart', 'service.version': VERSION }))
      .merge(resources.detectResources({ detectors: [resources.envDetector] })),
    spanProcessors: [new sdk.BatchSpanProcessor({ exporter, ...(delay > 0 ? { scheduledDelayMillis: delay } : {}) })],
  });
}

/** The attributes of a request's span. */
function attributesOf(request: FastifyRequest): Record<string, string> {
  const { url: route } = request.routeOptions;
  const [path = '/'] = request.url.split('?');
  return {
    'http.request.method': request.method,
    'url.path': path,
    'url.scheme': request.protocol,
    'server.address': request.hostname,
    'network.protocol.version': request.raw.httpVersion,
    'daypart.request_id': request.id,
    ...(route === undefined ? {} : { 'http.route': route }),
  };
}

function tracerOf(api: Packages['api'], tracer: Tracer): Pick<Tracing, 'serve' | 'run'> {
  const { SpanKind, SpanStatusCode, ROOT_CONTEXT, TraceFlags } = api;
  const contextOf = (parent: Trace | undefined) =>
    parent === undefined
      ? ROOT_CONTEXT
      : api.trace.setSpanContext(ROOT_CONTEXT, {
          traceId: parent.traceId,
          spanId: parent.spanId,
          traceFlags: parent.sampled ? TraceFlags.SAMPLED : TraceFlags.NONE,
          isRemote: true,
        });
  const traceOf = (span: OtelSpan): Trace => {
    const { traceId, spanId, traceFlags } = span.spanContext();
    return { traceId, spanId, sampled: (traceFlags & TraceFlags.SAMPLED) !== 0 };
  };

  return {
    serve(request) {
      const { url: route } = request.routeOptions;
      const attributes = attributesOf(request);
      const name = route === undefined ? request.method : `${request.method} ${route}`;
      const parent = contextOf(readTraceparent(request.headers.traceparent));
      const span = tracer.startSpan(name, { kind: SpanKind.SERVER, attributes }, parent);
      return {
        trace: traceOf(span),
        end(status) {
          span.setAttribute('http.response.status_code', status);
          if (status >= 500) {
            span.setAttribute('error.type', String(status));
            span.setStatus({ code: SpanStatusCode.ERROR });
          }
          span.end();
        },
      };
    },

    async run(name, parent, attributes, work) {
      const span = tracer.startSpan(name, { kind: SpanKind.INTERNAL, attributes }, contextOf(parent));
      try {
        return await work();
      } catch (error) {
        // Only the name: a message of the engine may quote data.
        span.setAttribute('error.type', error instanceof Error ? error.name : 'unknown');
        span.setStatus({ code: SpanStatusCode.ERROR });
        throw error;
      } finally {
        span.end();
      }
    },
  };
}
