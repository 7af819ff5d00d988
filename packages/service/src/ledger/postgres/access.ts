/** Sessions, one-time links and keys of the PostgreSQL ledger. */
import type { FingerprintKeyLedger } from '../fingerprint-key.ts';
import type { SessionLedger } from '../session.ts';
import type { SigningKeyLedger } from '../signing-key.ts';
import { type FingerprintKeyQueries, fingerprintKeyMethods } from '../sql/fingerprint-key.ts';
import { type SessionQueries, sessionMethods, sessionOf } from '../sql/session.ts';
import { type KeyQueries, signingKeyMethods } from '../sql/signing-key.ts';
import { lock } from './locks.ts';
import type { PostgresPool } from './pool.ts';
import { loadQueries } from './queries.ts';

const sessionQueries = loadQueries<SessionQueries>('session');
const keyQueries = loadQueries<KeyQueries>('signing-key');
const fingerprintQueries = loadQueries<FingerprintKeyQueries>('fingerprint-key');

/** The sessions and one-time links. */
export function sessionLedger(pool: PostgresPool) {
  const { reads, changes } = sessionMethods(sessionQueries(pool.run));
  const methods = {
    async spendLink(keyHash, session, now) {
      return await pool.transaction(async (run) => {
        const sql = sessionQueries(run);
        const link = await sql.spendLink({ keyHash, now });
        if (!link) return undefined;
        const { client_id: clientId, name, scopes } = link;
        await sql.addSession({ ...session, clientId, name, scopes, createdAt: now, seenAt: now });
        const row = await sql.session({ id: session.id });
        return row && sessionOf(row);
      });
    },
  } satisfies Partial<SessionLedger>;
  return { ...reads, ...changes, ...methods };
}

/** The signing keys. */
export function signingKeyLedger(pool: PostgresPool) {
  const { reads, changes } = signingKeyMethods(keyQueries(pool.run));
  const methods = {
    async rotateKey(key) {
      await pool.transaction(async (run) => {
        // Without the lock, two rotations at once would keep two keys active. With it, the second retires the key of the first, and tokens of
        // both can still be verified.
        await lock(run, 'rotateKey');
        await keyQueries(run).retireKeys({ now: key.createdAt });
        await keyQueries(run).addKey({ ...key });
      });
    },
  } satisfies Partial<SigningKeyLedger>;
  return { ...reads, ...changes, ...methods };
}

/** The keys of card fingerprints. */
export function fingerprintKeyLedger(pool: PostgresPool) {
  const methods = {
    async addFingerprintKey(group, key, now) {
      return await pool.transaction(async (run) => {
        const sql = fingerprintQueries(run);
        await sql.addFingerprintKey({ group, key, now });
        return (await sql.fingerprintKey({ group }))?.key ?? key;
      });
    },
  } satisfies Partial<FingerprintKeyLedger>;
  const { reads, changes } = fingerprintKeyMethods(fingerprintQueries(pool.run));
  return { ...reads, ...changes, ...methods };
}
