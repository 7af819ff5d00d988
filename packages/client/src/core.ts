/**
 * The calls of a service without the resources of its report families: for pages, whose scripts should hold only what
 * they use.
 */
import { type Call, createReport, type OpenQuery, openReport } from './calls.ts';
import { type GroupEvent, openEvents } from './events.ts';
import { type JsonCalls, openJson, type RequestOptions } from './json.ts';
import { type ReportsResource, reportsOf } from './reports.ts';
import type { Ask, FamilyForm } from './resources/family.ts';
import { type GivenToken, givenToken } from './token.ts';
import { createSend, type Send, type TokenSource } from './transport.ts';
import type { CallOptions, CreateOptions, WaitOptions } from './types.ts';

export interface CommonOptions {
  /** The address of the service, with its version: `https://reports.example.com/v1`, `https://host/era/v1`. */
  baseUrl: string;
  /** How often a call that is safe to repeat is retried; 4 by default. */
  maxRetries?: number | undefined;
  /** Sent with every call. */
  headers?: Record<string, string> | undefined;
  /** The platform's fetch by default. */
  fetch?: typeof fetch | undefined;
}

export interface CoreOptions extends CommonOptions {
  /** The function may also return how long the token is valid; the token is then kept for four fifths of that. */
  token: string | (() => GivenToken | Promise<GivenToken>);
}

/** Creates reports of one family and opens them. */
export interface ReportSteps<A extends Ask = Ask> {
  /** POST {path}/{range}: creates a report request and returns its reportRequestGuid. */
  create(ask: A, options?: CreateOptions): Promise<string>;
  /** Waits until the report is ready and returns its response unread, in the requested form: 200, 206, 304 or 416. */
  open(guid: string, query?: OpenQuery, options?: WaitOptions): Promise<Response>;
}

/** The calls that are not of one report family. */
export interface Core {
  readonly reports: ReportsResource;
  /**
   * GET /events: loads and status changes of reports of the management group, as they happen, until the signal is
   * aborted. It reconnects by itself and resumes after the last event; a `reset` event says that some were missed.
   */
  readonly events: (options?: CallOptions & { lastEventId?: string | undefined }) => AsyncGenerator<GroupEvent>;
  /**
   * Any other operation of the service, such as `PUT /restaurants/{guid}` or a load of orders. Returns its JSON answer,
   * undefined if that is empty. The call has the token, the retries and the errors of all calls, and may be sent twice
   * unless `maxRetries` is 0.
   */
  readonly request: <T>(method: string, path: string, options?: RequestOptions) => Promise<T>;
}

/**
 * A client with the single steps of reports: without the resources of the families, histories and client credentials.
 */
export interface StepClient extends Core {
  readonly steps: <A extends Ask = Ask>(form: FamilyForm) => ReportSteps<A>;
}

/**
 * Opens a client whose bundle is half as large as that of `Daypart`. Nothing is sent before the first call. Throws
 * TypeError for invalid options.
 */
export function openSteps(options: CoreOptions): StepClient {
  const call = callOf(options, () => givenToken(options.token));
  return {
    ...coreOf(call, openJson(call)),
    steps: (family) => ({
      create: (ask, settings) => createReport({ family, call }, ask, settings),
      open: (guid, query, settings) => openReport({ family, call }, guid, query, settings),
    }),
  };
}

export const retriesOf = ({ maxRetries = 4 }: CommonOptions): number => maxRetries;

/** The calls of a client that are not of one report family. */
export function coreOf(call: Call, calls: JsonCalls): Core {
  const events = openEvents(call);
  return {
    reports: reportsOf(call, calls, events),
    events: events.ofGroup,
    request: (method, path, options) => calls.request(method, path, options),
  };
}

/** The calls of a client: below its base, with its token. Throws TypeError for an invalid base. */
export function callOf(options: CommonOptions, tokensOf: (base: string, send: Send) => TokenSource): Call {
  const { href, search, hash } = new URL(options.baseUrl, Object(globalThis).location?.href);
  if (search || hash) throw new TypeError('baseUrl is what paths are put after: it has no query and no fragment');
  const base = href.replace(/\/+$/, '');
  const send = createSend({
    fetch: options.fetch ?? ((...all) => fetch(...all)),
    maxRetries: retriesOf(options),
    headers: options.headers ?? {},
  });
  const tokens = tokensOf(base, send);
  return (method, path, request, settings) => {
    const url = new URL(base + path);
    for (const [name, value] of Object.entries(request.query ?? {})) {
      if (value !== undefined) url.searchParams.set(name, String(value));
    }
    const body = request.body instanceof FormData ? request.body : (JSON.stringify(request.body) ?? null);
    return send(
      url.href,
      { method, headers: { accept: 'application/json', ...request.headers }, body },
      settings,
      tokens,
    );
  };
}
