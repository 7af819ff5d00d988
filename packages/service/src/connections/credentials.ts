/**
 * The secrets of connections as they are stored: JWE (RFC 7516) with the operator's keys. Each names its connection, so
 * that the rows of two connections cannot be exchanged.
 */
import { randomBytes } from 'node:crypto';
import { link, open, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { CompactEncrypt, calculateJwkThumbprint, compactDecrypt } from 'jose';
import type { Config } from '../config/config.ts';
import { isObject, type JsonObject } from '../contract/json.ts';
import { Problem } from '../contract/problems.ts';
import { readSecretKeys } from '../contract/secret-keys.ts';

/** Holds the key of a data folder, as the setting takes it; no backup has it. */
const KEY_FILE = 'secret.key';
const MANAGEMENT = 'dir';
const ENCRYPTION = 'A256GCM';
const KID_LENGTH = 16;

/** What is stored cannot be decrypted: its key is missing, or it was stored for another connection. */
export class SecretUnreadable extends Error {
  override readonly name = 'SecretUnreadable';
}

interface Key {
  kid: string;
  bytes: Uint8Array;
}

/** Encrypts and decrypts what is stored of connections. */
export interface Vault {
  /** Throws Problem `secret_key_missing` where `seal` would. */
  check(): Promise<void>;
  /** Throws Problem `secret_key_missing` without a key; a data folder gets one. */
  seal(connection: string, content: JsonObject): Promise<string>;
  /**
   * A data folder without a setting gets another key, which encrypts from then on; the former ones still decrypt.
   * Returns how what encrypts now is called. Throws Problem `secret_key_missing` as `seal`.
   */
  renew(): Promise<string>;
  /** Throws SecretUnreadable. */
  open(connection: string, sealed: string): Promise<JsonObject>;
}

async function keyOfText(text: string): Promise<Key> {
  const thumbprint = await calculateJwkThumbprint({ kty: 'oct', k: text });
  return { kid: thumbprint.slice(0, KID_LENGTH), bytes: Buffer.from(text, 'base64url') };
}

/** The keys of the data folder, the first encrypts. Throws Error with a sentence if the file has something else. */
async function keysOfFile(path: string): Promise<string[]> {
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return '';
    throw error;
  });
  try {
    return readSecretKeys(text);
  } catch (error) {
    throw new Error(`${path} ${(error as Error).message}`);
  }
}

/** Writes the file with a new key before these; `place` puts it where it belongs. It is whole whenever it is there. */
async function writeKeyFile(
  path: string,
  former: readonly string[],
  place: (from: string, to: string) => Promise<void>,
): Promise<void> {
  const unfinished = `${path}.${process.pid}.new`;
  const file = await open(unfinished, 'w', 0o600);
  try {
    await file.writeFile(`${[randomBytes(32).toString('base64url'), ...former].join(',')}\n`);
    await file.sync();
    await place(unfinished, path);
  } finally {
    await file.close();
    await rm(unfinished, { force: true });
  }
}

/** Throws Error while another process does the same, or was killed while it did. */
async function locked(lock: string, work: () => Promise<void>): Promise<void> {
  const held = await open(lock, 'wx').catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
    throw new Error(`${lock} is there: another command renews the key, or was cut off; then remove the file`);
  });
  try {
    await work();
  } finally {
    await held.close();
    await rm(lock, { force: true });
  }
}

/** Creates the file with a new key, unless it exists. */
const createKeyFile = (path: string): Promise<void> =>
  writeKeyFile(path, [], link).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EEXIST') throw error;
  });

/**
 * Opens the secrets. The keys of the setting take precedence over those of the data folder, which decrypt, too.
 * `data` is undefined where the stores are on servers: no node may then have a key that the others lack.
 */
export function openVault({ secretKey, data }: { secretKey: readonly string[]; data: string | undefined }): Vault {
  const path = data === undefined ? undefined : join(data, KEY_FILE);
  let known: Promise<Key[]> | undefined;
  let creating: Promise<void> | undefined;
  const read = async (): Promise<Key[]> =>
    await Promise.all([...secretKey, ...(path === undefined ? [] : await keysOfFile(path))].map(keyOfText));
  const keys = (): Promise<Key[]> => {
    known ??= read();
    // A file that cannot be read now may be readable later.
    known.catch(() => {
      known = undefined;
    });
    return known;
  };

  async function encrypting(): Promise<Key> {
    // Another process may have put a new key before the others.
    if (path !== undefined) known = undefined;
    const [first] = await keys();
    if (first) return first;
    if (path === undefined)
      throw new Problem('secret_key_missing', 'DAYPART_SECRET_KEY is not set: no credentials can be stored.');
    creating ??= createKeyFile(path).finally(() => {
      creating = undefined;
    });
    await creating;
    known = undefined;
    const [made] = await keys();
    if (!made) throw new Error(`${path} has no key`);
    return made;
  }

  /** Another process may have changed the file: it is read again for a key that is unknown. */
  async function keyNamed(kid: string | undefined): Promise<Key | undefined> {
    const named = (all: Key[]): Key | undefined => all.find((key) => key.kid === kid);
    const found = named(await keys());
    if (found || path === undefined) return found;
    known = undefined;
    return named(await keys());
  }

  return {
    async check() {
      if (path === undefined) await encrypting();
    },
    async seal(connection, content) {
      const { kid, bytes } = await encrypting();
      const header = { alg: MANAGEMENT, enc: ENCRYPTION, kid, sub: connection };
      return await new CompactEncrypt(Buffer.from(JSON.stringify(content))).setProtectedHeader(header).encrypt(bytes);
    },
    async renew() {
      if (secretKey.length === 0 && path !== undefined)
        await locked(`${path}.lock`, async () => writeKeyFile(path, await keysOfFile(path), rename));
      return (await encrypting()).kid;
    },
    async open(connection, sealed) {
      const unreadable = (why: string, cause?: unknown): SecretUnreadable =>
        new SecretUnreadable(`the secrets of ${connection} cannot be decrypted: ${why}`, { cause });
      const { plaintext, protectedHeader } = await compactDecrypt(
        sealed,
        async ({ kid }) => {
          const key = await keyNamed(kid);
          if (!key) throw unreadable('their key is missing');
          return key.bytes;
        },
        { keyManagementAlgorithms: [MANAGEMENT], contentEncryptionAlgorithms: [ENCRYPTION] },
      ).catch((error: unknown) => {
        throw error instanceof SecretUnreadable ? error : unreadable('they were changed', error);
      });
      if (protectedHeader.sub !== connection) throw unreadable('they are those of another connection');
      const content: unknown = JSON.parse(Buffer.from(plaintext).toString());
      if (!isObject(content)) throw unreadable('they are no object');
      return content;
    },
  };
}

/** The secrets of a service: those of its data folder, unless its stores are on servers. */
export const vaultOf = ({ secretKey, data }: Pick<Config, 'secretKey' | 'data'>, isShared: boolean): Vault =>
  openVault({ secretKey, data: isShared ? undefined : data });
