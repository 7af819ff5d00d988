/** The service's own signing keys: one signs, and retired ones verify until their last tokens have expired. */
import { setTimeout as sleep } from 'node:timers/promises';
import { type CryptoKey, calculateJwkThumbprint, exportJWK, generateKeyPair, importJWK, type JWK } from 'jose';
import type { SigningKey, SigningKeyLedger } from '../ledger/keys.ts';
import type { NotificationLedger } from '../ledger/notifications.ts';

export const ALGORITHM = 'RS256';

/** Another process may rotate the keys, so they are read again when used, at most this often. */
const REREAD_MS = 1000;
/** How long after a rotation another process may still sign with the old key, with a margin for clocks that differ. */
const HANDOVER_MS = 60_000;

interface Key {
  kid: string;
  active: boolean;
  sign: CryptoKey;
  verify: CryptoKey;
  published: JWK;
}

export interface Keyring {
  signer(): Promise<{ kid: string; key: CryptoKey }>;
  /** The key to verify with, or undefined if the ledger has none with this id. */
  verifier(kid: string): Promise<CryptoKey | undefined>;
  /** The public keys, as a JWK set (RFC 7517). */
  published(): Promise<{ keys: JWK[] }>;
}

/** Creates an RS256 key whose id is its thumbprint (RFC 7638); stores nothing. */
export async function newSigningKey(now: number): Promise<SigningKey> {
  const { privateKey, publicKey } = await generateKeyPair(ALGORITHM, { extractable: true });
  const publicJwk = await exportJWK(publicKey);
  return {
    kid: await calculateJwkThumbprint(publicJwk),
    algorithm: ALGORITHM,
    privateJwk: JSON.stringify(await exportJWK(privateKey)),
    publicJwk: JSON.stringify(publicJwk),
    createdAt: now,
    retiredAt: null,
  };
}

async function importKey(key: SigningKey): Promise<Key> {
  const publicJwk = JSON.parse(key.publicJwk) as JWK;
  return {
    kid: key.kid,
    active: key.retiredAt === null,
    sign: (await importJWK(JSON.parse(key.privateJwk), key.algorithm)) as CryptoKey,
    verify: (await importJWK(publicJwk, key.algorithm)) as CryptoKey,
    published: { ...publicJwk, kid: key.kid, alg: key.algorithm, use: 'sig' },
  };
}

/** Opens the keys of the ledger, creating the first if there is none. A retired key is removed after `tokenSeconds`. */
export async function openKeyring(
  ledger: SigningKeyLedger & Pick<NotificationLedger, 'shared'>,
  tokenSeconds: number,
  clock: () => number,
): Promise<Keyring> {
  let ring = new Map<string, Key>();
  let readAt = clock();
  let reading: Promise<void> | undefined;

  async function read(): Promise<void> {
    readAt = clock();
    const lastUse = readAt - tokenSeconds * 1000 - HANDOVER_MS;
    const stored = await ledger.keys();
    const ended = stored.filter(({ retiredAt }) => retiredAt !== null && retiredAt < lastUse);
    if (ended.length > 0) await ledger.dropKeys(lastUse);
    const next = new Map<string, Key>();
    for (const key of stored) {
      if (ended.includes(key)) continue;
      const known = ring.get(key.kid);
      next.set(key.kid, known ? { ...known, active: key.retiredAt === null } : await importKey(key));
    }
    ring = next;
  }

  async function readAgain(): Promise<void> {
    if (!reading && Math.abs(clock() - readAt) < REREAD_MS) return;
    reading ??= read().finally(() => {
      reading = undefined;
    });
    await reading;
  }

  if ((await ledger.keys()).length === 0) await ledger.rotateKey(await newSigningKey(clock()));
  await read();

  return {
    async signer() {
      await readAgain();
      const active = [...ring.values()].find((key) => key.active);
      if (!active) throw new Error('the ledger has no signing key');
      return { kid: active.kid, key: active.sign };
    },
    async verifier(kid) {
      if (!ring.has(kid)) await readAgain();
      // Another service may have created the key, and a token with it, since this one last read the keys.
      if (!ring.has(kid) && ledger.shared) {
        await sleep(Math.max(0, readAt + REREAD_MS - clock()));
        await readAgain();
      }
      return ring.get(kid)?.verify;
    },
    async published() {
      await readAgain();
      return { keys: [...ring.values()].map((key) => key.published) };
    },
  };
}
