/** Client ids and secrets. A secret is shown once and kept only as a salted scrypt hash. */
import { randomBytes, type ScryptOptions, scrypt, timingSafeEqual } from 'node:crypto';
import { promisify } from 'node:util';

const COST = 2 ** 14;
const HASH_BYTES = 32;
const derive = promisify<string, Buffer, number, ScryptOptions, Buffer>(scrypt);
const text = (bytes: Buffer): string => bytes.toString('base64url');
const hashText = (salt: Buffer, hash: Buffer): string => `scrypt$${COST}$${text(salt)}$${text(hash)}`;

/** A hash that no secret has: what an unknown client's secret is compared with, so that it takes as long. */
export const NO_SECRET = hashText(randomBytes(16), randomBytes(HASH_BYTES));

/** `client-` and 12 hexadecimal digits. */
export const newClientId = (): string => `client-${randomBytes(6).toString('hex')}`;

/** 32 random bytes in base64url. */
export const newSecret = (): string => text(randomBytes(32));

/** `scrypt$N$salt$hash`, salt and hash in base64url. Takes some 40 ms of a thread, off the event loop. */
export async function hashSecret(secret: string): Promise<string> {
  const salt = randomBytes(16);
  return hashText(salt, await derive(secret, salt, HASH_BYTES, { N: COST }));
}

/** Whether the secret is the hashed one, in a time that does not tell how much of it is right. */
export async function verifySecret(secret: string, stored: string): Promise<boolean> {
  const [method, cost, salt, hash] = stored.split('$');
  if (method !== 'scrypt' || !cost || !salt || !hash) throw new Error('a stored secret hash cannot be read');
  const expected = Buffer.from(hash, 'base64url');
  const found = await derive(secret, Buffer.from(salt, 'base64url'), expected.length, { N: Number(cost) });
  return timingSafeEqual(found, expected);
}
