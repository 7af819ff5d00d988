/** `daypart keys`: the keys that sign access tokens. A running service takes a rotation up within seconds. */
import { newSigningKey } from '../access/keyring.ts';
import { readConfig } from '../config.ts';
import type { SigningKeyLedger } from '../ledger/signing-key.ts';
import { openLedgerOf } from './ledger.ts';
import { readCommand } from './read.ts';
import { shownInstant, table } from './table.ts';

/** Runs `daypart keys rotate|list`; `args` are those after `keys`. Throws UsageError on misuse. */
export async function keysCommand(args: string[], out: (line: string) => void): Promise<void> {
  const { command, settings } = readCommand('keys', args);
  const ledger = await openLedgerOf(readConfig(settings).data);
  try {
    await (command === 'keys rotate' ? rotate : list)(ledger, out);
  } finally {
    await ledger.close();
  }
}

async function rotate(ledger: SigningKeyLedger, out: (line: string) => void): Promise<void> {
  const key = await newSigningKey(Date.now());
  await ledger.rotateKey(key);
  out(`New access tokens are signed with ${key.kid}; those signed before remain valid until they expire.`);
}

async function list(ledger: SigningKeyLedger, out: (line: string) => void): Promise<void> {
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
