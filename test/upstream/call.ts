/** Calls to the stand-in: how they are recorded, and how their bodies are read. */
import type { IncomingMessage } from 'node:http';
import type { RouteName } from './routes.ts';

/** A call as it was answered. */
export interface RecordedCall {
  /** Ms since 1970 UTC, of the upstream. */
  at: number;
  method: string;
  path: string;
  query: Record<string, string>;
  route: RouteName | undefined;
  restaurant: string | undefined;
  /** The client whose token it was; undefined before sign-in. */
  clientId: string | undefined;
  userAgent: string | undefined;
  /** 0 if no answer was sent. */
  status: number;
  faults: string[];
  requestId: string;
  /** Calls in progress when this one came, itself included: all, and those of its restaurant. */
  atOnce: number;
  atOnceOfRestaurant: number;
}

/** Reads a body as JSON; undefined if it is empty. Throws a SyntaxError. */
export async function readJson(request: IncomingMessage): Promise<unknown> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const text = Buffer.concat(chunks).toString();
  return text === '' ? undefined : JSON.parse(text);
}
