/** Opens the source of a connection, with the secrets that are stored of it. */
import type { Logger } from 'pino';
import type { Connection, ConnectionRunLedger } from '../ledger/connection.ts';
import type { OpenConnection } from './connection-run.ts';
import { type Connector, createConnector } from './connector.ts';
import type { Vault } from './credentials.ts';
import { leaseOf } from './member.ts';
import { type CheckConnection, credentialsOf, reach } from './reach.ts';
import type { SessionState } from './sign-in.ts';
import { type ConnectionSource, SourceError } from './source.ts';
import { realTimers } from './timers.ts';

export interface OpeningDeps {
  ledger: Pick<ConnectionRunLedger, 'saveConnection'>;
  vault: Vault;
  sources: readonly ConnectionSource[];
  config: { connectPrivate: boolean; publicUrl: string | undefined };
  clock: () => number;
  log: Logger;
  /** Called with the outcome of each call, for metrics. */
  onCall?: ((kind: string, stream: string, outcome: string) => void) | undefined;
}

/** Throws SourceError for a kind that this version does not have. */
function sourceOf({ sources }: OpeningDeps, kind: string): ConnectionSource {
  const source = sources.find((one) => one.kind === kind);
  if (source) return source;
  throw new SourceError('upstream_changed', `this version reads no point of sale of the kind ${kind}`);
}

/** Asks a point of sale with credentials that are not stored. */
export function createCheckConnection(deps: OpeningDeps): CheckConnection {
  const { config, log } = deps;
  return async ({ kind, url, credentials, first }, signal) => {
    const source = sourceOf(deps, kind);
    let session: SessionState | null = null;
    const connector = createConnector({
      source,
      url,
      credentials,
      requestsPerSecond: null,
      allowPrivate: config.connectPrivate,
      publicUrl: config.publicUrl,
      session: null,
      onSession(state) {
        session = state;
      },
      // When to try again is compared with the clock of the ledger.
      timers: { ...realTimers, now: deps.clock },
      onCall: (stream, outcome) => deps.onCall?.(kind, stream, outcome),
      log: (level, text) => log[level](text),
    });
    try {
      const reached = await reach({ source, context: connector.context }, first, signal);
      return { ...reached, session: session && { ...(session as SessionState) } };
    } finally {
      connector.close();
    }
  };
}

/** Opens a connection under its lease. The sign-in before it serves on, if it can be decrypted. */
export function createOpenConnection(deps: OpeningDeps): OpenConnection {
  const { ledger, vault, config, clock, log } = deps;
  return async (connection: Connection, signal) => {
    const { id, kind, url, settings, credentials, token } = connection;
    const source = sourceOf(deps, kind);
    const secrets = credentialsOf(await vault.open(id, credentials ?? ''));
    const session = token === null ? null : await vault.open(id, token).catch(() => null);
    const connector: Connector = createConnector({
      source,
      url,
      credentials: secrets,
      requestsPerSecond: settings.requestsPerSecond,
      allowPrivate: config.connectPrivate,
      publicUrl: config.publicUrl,
      session: session as SessionState | null,
      async onSession(state) {
        const sealed = await vault.seal(id, { ...state });
        const now = clock();
        const saved = { token: sealed, tokenUntil: state.until, signedInAt: state.logins.at(-1) ?? now };
        await ledger.saveConnection(leaseOf(connection), saved, now);
      },
      // When to try again is compared with the clock of the ledger.
      timers: { ...realTimers, now: deps.clock },
      onCall: (stream, outcome) => deps.onCall?.(kind, stream, outcome),
      log: (level, text) => log[level]({ connectionId: id }, text),
    });
    signal.addEventListener('abort', () => connector.close(), { once: true });
    return {
      source,
      context: connector.context,
      get isClockWrong() {
        return connector.isClockWrong;
      },
    };
  };
}
