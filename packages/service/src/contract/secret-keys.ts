/** Keys that protect what is stored of others. */

const KEY_BYTES = 32;

/**
 * Keys of 32 bytes in base64url, separated by commas: the first encrypts, all decrypt. Throws Error that says how they
 * are written, without a part of them.
 */
export function readSecretKeys(text: string): string[] {
  const keys = text.split(',').flatMap((part) => part.trim() || []);
  for (const key of keys) {
    if (
      Buffer.from(key, 'base64url').toString('base64url') !== key ||
      Buffer.byteLength(key, 'base64url') !== KEY_BYTES
    )
      throw new Error('must be keys of 32 bytes in base64url (43 characters each), separated by commas');
  }
  return keys;
}
