/**
 * `daypart keys`: the keys that sign access tokens, those for card fingerprints, and those of stored credentials. A
 * running service uses a new signing key within seconds, a new fingerprint key from the next load on, and a new key of
 * its data folder for what it stores next.
 */
import { type Effects, UsageError } from '@daypart/cli';
import { newSigningKey } from '../access/keyring.ts';
import { SecretUnreadable, type Vault, vaultOf } from '../connections/credentials.ts';
import { newFingerprintKey } from '../ingest/fingerprint-key.ts';
import type { ClockLedger } from '../ledger/clock.ts';
import type { ConnectionLedger } from '../ledger/connection.ts';
import type { FingerprintKeyLedger, SigningKeyLedger } from '../ledger/keys.ts';
import { readCommand, readSettings } from './arguments.ts';
import { openLedgerOf } from './ledger.ts';
import { shownInstant, table } from './lines.ts';

/**
 * Runs `daypart keys rotate|list|rotate-fingerprints|rotate-secrets`; `args` are those after `keys`. Throws UsageError
 * on misuse.
 */
export async function keysCommand(args: string[], out: (line: string) => void, effects: Effects): Promise<void> {
  const { command, settings, value } = readCommand('keys', args);
  const group = value('group')?.trim();
  if (command === 'keys rotate-fingerprints' && !group)
    throw new UsageError('keys rotate-fingerprints needs --group, the name of a management group');
  const config = readSettings(settings, effects);
  const ledger = await openLedgerOf(config);
  try {
    if (command === 'keys rotate-secrets') await rotateSecrets(ledger, vaultOf(config, ledger.shared), out);
    else if (group) await rotateFingerprints(ledger, group, out);
    else await (command === 'keys rotate' ? rotate : listKeys)(ledger, out);
  } finally {
    await ledger.close();
  }
}

async function rotate(ledger: SigningKeyLedger & ClockLedger, out: (line: string) => void): Promise<void> {
  const key = await newSigningKey(await ledger.now());
  await ledger.rotateKey(key);
  out(`New access tokens are signed with ${key.kid}; those signed before remain valid until they expire.`);
}

/** Throws Error if the group has no key: either no card of it ever got a fingerprint, or the name is misspelt. */
async function rotateFingerprints(
  ledger: FingerprintKeyLedger & ClockLedger,
  group: string,
  out: (line: string) => void,
): Promise<void> {
  if (!(await ledger.rotateFingerprintKey(group, newFingerprintKey(), await ledger.now())))
    throw new Error(
      `the management group ${group} has no key of card fingerprints; its first load with --card-fingerprints on creates one`,
    );
  out(
    `Cards of ${group} get new fingerprints in orders that are loaded from now on; those in stored orders remain, and match none of them.`,
  );
}

/** Throws Error if some cannot be decrypted; the others are encrypted all the same. */
async function rotateSecrets(
  ledger: Pick<ConnectionLedger, 'storedCredentials' | 'rewriteCredentials'>,
  vault: Vault,
  out: (line: string) => void,
): Promise<void> {
  if ((await ledger.storedCredentials()).length === 0) {
    out('No connection has stored credentials.');
    return;
  }
  const kid = await vault.renew();
  // What a service stores from now on has the new key.
  const stored = await ledger.storedCredentials();
  const unreadable: string[] = [];
  for (const { id, credentials } of stored) {
    const content = await vault.open(id, credentials).catch((error: unknown) => {
      if (error instanceof SecretUnreadable) return undefined;
      throw error;
    });
    if (!content) unreadable.push(id);
    else await ledger.rewriteCredentials(id, credentials, await vault.seal(id, content));
  }
  out(`The credentials of ${stored.length - unreadable.length} connections are encrypted with ${kid}.`);
  if (unreadable.length > 0)
    throw new Error(`no key decrypts the credentials of ${unreadable.join(', ')}: enter them again, or add their key`);
  out('The former keys are no longer needed: remove all but the first, wherever they are kept.');
}

async function listKeys(ledger: SigningKeyLedger, out: (line: string) => void): Promise<void> {
  const keys = await ledger.keys();
  if (keys.length === 0) {
    out('No keys yet: the service creates the first when it starts.');
    return;
  }
  const rows = keys.map((key) => [
    key.kid,
    key.algorithm,
    shownInstant(key.createdAt),
    key.retiredAt === null ? 'signs' : `verifies, retired ${shownInstant(key.retiredAt)}`,
  ]);
  for (const line of table(['KEY', 'ALGORITHM', 'CREATED', 'STATE'], rows)) out(line);
}
