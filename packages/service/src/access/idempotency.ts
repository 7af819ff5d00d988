/** Idempotency-Key: the same key and request, the same answer for 24 hours. See docs/idempotency.md. */
import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { Problem } from '../contract/problems.ts';
import { DAY_MS } from '../contract/time.ts';
import type { IdempotencyLedger, KeyHolds, KeyName, KeyUse } from '../ledger/idempotency-key.ts';

/** A request with a key. Its path has neither base nor query, so both bases share the key. */
type KeyedRequest = Omit<KeyUse, 'answer' | 'endsAt'>;

const KEY_MS = DAY_MS;
const BARE = /^[\x21-\x7e]{1,255}$/;
/** A string of RFC 8941, as in the IETF draft of the header. */
const QUOTED = /^"((?:[\x20-\x21\x23-\x5b\x5d-\x7e]|\\["\\])*)"$/;

/** The key of a request, or undefined. Quoted and bare forms are the same key. Throws a 400 Problem. */
export function readKey(header: string | string[] | undefined): string | undefined {
  if (header === undefined) return undefined;
  const text = [header].flat().join(', ').trim();
  const key = text.startsWith('"') ? QUOTED.exec(text)?.[1]?.replace(/\\(.)/g, '$1') : text;
  if (key !== undefined && BARE.test(key)) return key;
  throw new Problem(
    'invalid_idempotency_key',
    'Idempotency-Key must be 1 to 255 visible ASCII characters, bare or as a quoted string.',
  );
}

/** Equal for equal JSON values: the order of properties and whitespace do not count. */
export function requestFingerprint(value: unknown): string {
  const sorted = JSON.stringify(value, (_name, item: unknown) =>
    typeof item === 'object' && item !== null && !Array.isArray(item)
      ? Object.fromEntries(Object.entries(item).sort(([one], [other]) => (one < other ? -1 : 1)))
      : item,
  );
  return createHash('sha256').update(sorted).digest('hex');
}

/** The use of a key to store with the answer. */
export const useOf = (request: KeyedRequest, answer: unknown, now: number): KeyUse => ({
  ...request,
  answer,
  endsAt: now + KEY_MS,
});

/** The answer of an earlier use, which must be of the same request. Throws Problem idempotency_key_reused. */
export function answerOf(use: KeyUse, request: KeyedRequest): unknown {
  if (use.fingerprint === request.fingerprint) return use.answer;
  throw new Problem(
    'idempotency_key_reused',
    `This Idempotency-Key was used for another request to ${request.path}; another request needs another key.`,
  );
}

/** The answer that the request got before; undefined if its key is free. Throws Problem idempotency_key_reused. */
export async function findAnswer(ledger: IdempotencyLedger, request: KeyedRequest, now: number): Promise<unknown> {
  const use = await ledger.keyUse(request, now);
  return use && answerOf(use, request);
}

/** Marks the answer as that of an earlier request. */
export const REPLAYED = { 'idempotency-replayed': 'true' } as const;

type KeyedLock = <T>(name: string, work: () => Promise<T>) => Promise<T>;

/** Runs work under the same name one after the other. */
export function createKeyedLock(): KeyedLock {
  const last = new Map<string, Promise<unknown>>();
  return async (name, work) => {
    const before = last.get(name);
    const mine = (async () => {
      await before?.catch(() => undefined);
      return await work();
    })();
    last.set(name, mine);
    try {
      return await mine;
    } finally {
      if (last.get(name) === mine) last.delete(name);
    }
  };
}

/**
 * Runs calls under the same key one after the other. Rejects with Problem busy if another service holds the key too
 * long.
 */
export type KeyTurns = <T>(of: KeyName, work: () => Promise<T>) => Promise<T>;

/** How long a key stays held after its service was killed: as long as the restaurant of a load. */
const HOLD_MS = 15_000;
/** How often a key that another service holds is tried again. */
const HELD_MS = 50;

/** `holds` is defined if several services receive calls; a call waits for another service up to `waitMs`. */
export function createKeyTurns(holds: KeyHolds | undefined, waitMs: number): KeyTurns {
  const inTurn = createKeyedLock();
  return (of, work) => {
    const { group, clientId, path, key } = of;
    const name = JSON.stringify([group, clientId, path, key]);
    return inTurn(name, holds ? () => whileHolding(holds, of, waitMs, work) : work);
  };
}

async function whileHolding<T>(holds: KeyHolds, of: KeyName, waitMs: number, work: () => Promise<T>): Promise<T> {
  const holder = randomUUID();
  const until = performance.now() + waitMs;
  while (!(await holds.holdKey(of, holder, HOLD_MS))) {
    if (performance.now() >= until)
      throw new Problem(
        'busy',
        'Another load under this Idempotency-Key is in progress. Nothing in this call was stored; try again later.',
        { headers: { 'retry-after': '2' } },
      );
    await sleep(HELD_MS);
  }
  const extending = setInterval(() => void holds.extendHold(of, holder, HOLD_MS).catch(() => undefined), HOLD_MS / 3);
  try {
    return await work();
  } finally {
    clearInterval(extending);
    // Not awaited: if the ledger is unavailable, the hold expires by itself.
    void holds.freeKey(of, holder).catch(() => undefined);
  }
}
