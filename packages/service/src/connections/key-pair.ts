/**
 * Key pairs for kinds that sign in with one: made here, so that no private key is sent to anybody. Until a connection
 * is made, the private half is in the id of the pair, encrypted for the management group.
 */
import { generateKeyPairSync, randomBytes } from 'node:crypto';
import { fieldProblem } from '../contract/problems.ts';
import { SecretUnreadable, type Vault } from './credentials.ts';

const TYPE = 'ssh-ed25519';
const COMMENT = 'daypart';
/** As the secrets of connections are named: `con_…`. */
const ownerOf = (group: string): string => `keys of ${group}`;

/** An Ed25519 key pair. */
interface KeyPair {
  /** A line as `authorized_keys` has it (RFC 8709). */
  publicKey: string;
  /** PEM of the kind `OPENSSH PRIVATE KEY`, without a passphrase. */
  privateKey: string;
}

/** A length and the bytes (RFC 4251, string). */
function lengthAndBytes(value: string | Buffer): Buffer {
  const bytes = Buffer.from(value);
  const length = Buffer.alloc(4);
  length.writeUInt32BE(bytes.length);
  return Buffer.concat([length, bytes]);
}

const whole = (value: number): Buffer => {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(value);
  return bytes;
};

/** The private half as OpenSSH stores it (its PROTOCOL.key): a magic word, no cipher, one key, padded to 8 bytes. */
function privatePem(publicBytes: Buffer, seed: Buffer): string {
  const check = randomBytes(4);
  const half = Buffer.concat([
    check,
    check,
    lengthAndBytes(TYPE),
    lengthAndBytes(publicBytes),
    lengthAndBytes(Buffer.concat([seed, publicBytes])),
    lengthAndBytes(COMMENT),
  ]);
  const padding = Buffer.from(Array.from({ length: (8 - (half.length % 8)) % 8 }, (_, index) => index + 1));
  const all = Buffer.concat([
    Buffer.from('openssh-key-v1\0'),
    lengthAndBytes('none'),
    lengthAndBytes('none'),
    lengthAndBytes(''),
    whole(1),
    lengthAndBytes(Buffer.concat([lengthAndBytes(TYPE), lengthAndBytes(publicBytes)])),
    lengthAndBytes(Buffer.concat([half, padding])),
  ]);
  const lines = all.toString('base64').match(/.{1,70}/g) ?? [];
  return ['-----BEGIN OPENSSH PRIVATE KEY-----', ...lines, '-----END OPENSSH PRIVATE KEY-----', ''].join('\n');
}

/** Makes a key pair. */
export function makeKeyPair(): KeyPair {
  const { privateKey } = generateKeyPairSync('ed25519');
  const { x = '', d = '' } = privateKey.export({ format: 'jwk' });
  const publicBytes = Buffer.from(x, 'base64url');
  const blob = Buffer.concat([lengthAndBytes(TYPE), lengthAndBytes(publicBytes)]).toString('base64');
  return {
    publicKey: `${TYPE} ${blob} ${COMMENT}`,
    privateKey: privatePem(publicBytes, Buffer.from(d, 'base64url')),
  };
}

/** The id by which the group uses the pair. Throws Problem secret_key_missing. */
export const keyIdOf = ({ privateKey }: KeyPair, group: string, vault: Vault): Promise<string> =>
  vault.seal(ownerOf(group), { privateKey });

/** The private half of a pair. Throws Problem invalid_body, at the pointer, for an id that is not of the group. */
export async function privateKeyOf(keyId: string, group: string, vault: Vault, at: string): Promise<string> {
  const { privateKey } = await vault.open(ownerOf(group), keyId).catch((cause: unknown) => {
    if (!(cause instanceof SecretUnreadable)) throw cause;
    throw fieldProblem('invalid_body', at, 'keyId must be one that POST /connections/keys has answered.');
  });
  return String(privateKey);
}
