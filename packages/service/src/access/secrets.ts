/**
 * Client ids and secrets. A secret is shown once and stored only as a salted scrypt hash: at the lowest cost if the
 * service generated it, since nobody can try 2^256 values, and at a high cost if a person chose it.
 */
import { randomBytes, type ScryptOptions, scrypt, scryptSync, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

/** Takes 16 MiB and some 40 ms of a core. */
const COST = 2 ** 14;
/** The lowest possible cost: some 20 µs. */
const LEAST_COST = 2;
const HASH_BYTES = 32;
const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const base64Text = (bytes: Buffer): string => bytes.toString('base64url');
const hashText = (cost: number, salt: Buffer, hash: Buffer): string =>
  `scrypt$${cost}$${base64Text(salt)}$${base64Text(hash)}`;

/**
 * A hash that no secret matches: the secret of an unknown client is compared with it, so that the answer takes as long.
 */
export const NO_SECRET = hashText(COST, randomBytes(16), randomBytes(HASH_BYTES));

/** `client-` and 12 hexadecimal digits. */
export const newClientId = (): string => `client-${randomBytes(6).toString('hex')}`;

/** 32 random bytes, base64url. */
export const newSecret = (): string => base64Text(randomBytes(32));

/** Hashes a secret made by `newSecret`, quickly: `scrypt$2$salt$hash`, salt and hash in base64url. */
export function hashGenerated(secret: string): string {
  const salt = randomBytes(16);
  return hashText(LEAST_COST, salt, scryptSync(secret, salt, HASH_BYTES, { N: LEAST_COST }));
}

/** Hashes any other secret: `scrypt$16384$salt$hash`. Takes some 40 ms of a pool thread, off the event loop. */
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

/** Whether the stored hash can be verified in 20 µs, and so on the event loop. */
export const isQuick = (stored: string): boolean => readStored(stored).cost === LEAST_COST;

/** Whether the secret matches a quick hash. The time does not depend on how much of it is correct. */
export function verifyQuick(secret: string, stored: string): boolean {
  const { cost, salt, hash } = readStored(stored);
  return timingSafeEqual(scryptSync(secret, salt, hash.length, { N: cost }), hash);
}

/** The same for any hash, in a thread of the pool. */
export async function verifySecret(secret: string, stored: string): Promise<boolean> {
  const { cost, salt, hash } = readStored(stored);
  return timingSafeEqual(await derive(secret, salt, hash.length, { N: cost }), hash);
}
