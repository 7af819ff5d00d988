/** Trace ids of the wire (W3C Trace Context), and the call that caused a report. */
import { randomBytes } from 'node:crypto';

export interface Trace {
  /** 32 lower-case hexadecimal digits. */
  traceId: string;
  /** 16 lower-case hexadecimal digits: the id of the parent span. */
  spanId: string;
  sampled: boolean;
}

/** The call that requested a report, for the log lines and spans of later work on it. */
export interface Cause {
  requestId: string;
  traceparent: string;
}

/**
 * Does the work in a span if traces are recorded, otherwise without one. `parent` undefined begins a trace; attributes
 * are names of OpenTelemetry or begin with `daypart.`.
 */
export type Traced = <T>(
  name: string,
  parent: Trace | undefined,
  attributes: Record<string, string | number>,
  work: () => Promise<T>,
) => Promise<T>;

/** Records no traces. */
export const untraced: Traced = (_name, _parent, _attributes, work) => work();

/** Versions after 00 may have more fields at the end; ff is invalid. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined without the header and for a malformed one, which the standard requires to be ignored. */
export function readTraceparent(header: string | string[] | undefined): Trace | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(header.trim()) ?? [];
  if (!traceId || !spanId || !flags || (version === '00' && rest !== undefined)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const traceparentOf = ({ traceId, spanId, sampled }: Trace): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/** A new trace, not sampled. */
export const beginTrace = (): Trace => ({
  traceId: randomBytes(16).toString('hex'),
  spanId: randomBytes(8).toString('hex'),
  sampled: false,
});

/** The fields of a cause in log lines. */
export const causeFields = (cause: Cause | null): { requestId?: string; traceId?: string } =>
  cause === null ? {} : { requestId: cause.requestId, traceId: readTraceparent(cause.traceparent)?.traceId ?? '' };
