/**
 * Client ids and secrets. A secret is shown once and kept only as a salted scrypt hash: at the least cost where the
 * service made it, since nobody tries 2^256 of them, and at a high one where a person chose it.
 */
import { randomBytes, type ScryptOptions, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** 16 MiB and some 40 ms of a core. */
const COST = 2 ** 14;
/** The least there is: some 20 µs. */
const LEAST_COST = 2;
const HASH_BYTES = 32;
const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const text = (bytes: Buffer): string => bytes.toString('base64url');
const hashText = (cost: number, salt: Buffer, hash: Buffer): string => `scrypt$${cost}$${text(salt)}$${text(hash)}`;

/** A hash that no secret has: what an unknown client's secret is compared with, so that it takes as long. */
export const NO_SECRET = hashText(COST, randomBytes(16), randomBytes(HASH_BYTES));

/** `client-` and 12 hexadecimal digits. */
export const newClientId = (): string => `client-${randomBytes(6).toString('hex')}`;

/** 32 random bytes in base64url. */
export const newSecret = (): string => text(randomBytes(32));

/** `scrypt$2$salt$hash`, salt and hash in base64url, of a secret that `newSecret` made. */
export function hashGenerated(secret: string): string {
  const salt = randomBytes(16);
  return hashText(LEAST_COST, salt, scryptSync(secret, salt, HASH_BYTES, { N: LEAST_COST }));
}

/** `scrypt$16384$salt$hash` of any other secret. Takes some 40 ms of a thread, off the event loop. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16);
  return hashText(COST, salt, await derive(secret, salt, HASH_BYTES, { N: COST }));
}

interface Stored {
  cost: number;
  salt: Buffer;
  hash: Buffer;
}

function readStored(stored: string): Stored {
  const [method, cost, salt, hash] = stored.split('$');
  if (method !== 'scrypt' || !cost || !salt || !hash) throw new Error('a stored secret hash cannot be read');
  return { cost: Number(cost), salt: Buffer.from(salt, 'base64url'), hash: Buffer.from(hash, 'base64url') };
}

/** Whether to verify a secret against the stored hash takes 20 µs, so that it may be done on the event loop. */
export const isQuick = (stored: string): boolean => readStored(stored).cost === LEAST_COST;

/** Whether the secret is the one of a quick hash, in a time that does not depend on how much of it is correct. */
export function verifyQuick(secret: string, stored: string): boolean {
  const { cost, salt, hash } = readStored(stored);
  return timingSafeEqual(scryptSync(secret, salt, hash.length, { N: cost }), hash);
}

/** The same for any hash, in a thread of the pool. */
export async function verifySecret(secret: string, stored: string): Promise<boolean> {
  const { cost, salt, hash } = readStored(stored);
  return timingSafeEqual(await derive(secret, salt, hash.length, { N: cost }), hash);
}
