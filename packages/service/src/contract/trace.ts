/** Traces as the wire names them (W3C Trace Context), and what began a report. */
import { randomBytes } from 'node:crypto';

export interface Trace {
  /** 32 lower-case hexadecimal digits. */
  traceId: string;
  /** 16 of them: the span that what follows belongs to. */
  spanId: string;
  sampled: boolean;
}

/** The call that asked for a report, for the log lines and spans of what is done for it later. */
export interface Cause {
  requestId: string;
  traceparent: string;
}

/**
 * Does the work in a span when traces are kept, and else just does it. `parent` undefined begins a trace; attributes are
 * names of OpenTelemetry or begin with `daypart.`.
 */
export type Traced = <T>(
  name: string,
  parent: Trace | undefined,
  attributes: Record<string, string | number>,
  work: () => Promise<T>,
) => Promise<T>;

/** Keeps no traces. */
export const untraced: Traced = (_name, _parent, _attributes, work) => work();

/** Versions after 00 may say more at the end; ff is invalid. */
const TRACEPARENT = /^(?!ff)([0-9a-f]{2})-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})(-.*)?$/;

/** Undefined for none and for a malformed one, which the standard has ignored. */
export function readTraceparent(header: string | string[] | undefined): Trace | undefined {
  if (typeof header !== 'string') return undefined;
  const [, version, traceId, spanId, flags, rest] = TRACEPARENT.exec(header.trim()) ?? [];
  if (!traceId || !spanId || !flags || (version === '00' && rest !== undefined)) return undefined;
  return { traceId, spanId, sampled: (Number.parseInt(flags, 16) & 1) === 1 };
}

export const traceparentOf = ({ traceId, spanId, sampled }: Trace): string =>
  `00-${traceId}-${spanId}-${sampled ? '01' : '00'}`;

/** A new trace, which nobody has asked to be kept. */
export const beginTrace = (): Trace => ({
  traceId: randomBytes(16).toString('hex'),
  spanId: randomBytes(8).toString('hex'),
  sampled: false,
});

/** What log lines say of a cause. */
export const causeFields = (cause: Cause | null): { requestId?: string; traceId?: string } =>
  cause === null ? {} : { requestId: cause.requestId, traceId: readTraceparent(cause.traceparent)?.traceId ?? '' };
