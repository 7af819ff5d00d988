/** Opens the source of a connection, with the secrets that are stored of it. */

import { type ConnectionSource, SourceError } from '@daypart/client/source';
import type { Logger } from 'pino';
import { HOUR_MS } from '../contract/time.ts';
import { beginConnection } from '../http/public-request.ts';
import type { Connection, ConnectionLease, ConnectionLedger } from '../ledger/connection.ts';
import { type Connector, type ConnectorOptions, createConnector } from './connector.ts';
import type { Vault } from './credentials.ts';
import { type AnySource, type FolderContext, type FolderSource, isFolderSource } from './folder-source.ts';
import { leaseOf } from './member.ts';
import type { OpenConnection, OpenFolders } from './open-source.ts';
import { type CheckConnection, credentialsOf, reach, reachFolders } from './reach.ts';
import type { SessionState } from './sign-in.ts';
import { realTimers } from './timers.ts';

interface OpeningDeps extends Pick<ConnectorOptions, 'timers' | 'transport'> {
  ledger: Pick<ConnectionLedger, 'connection' | 'saveConnection'>;
  vault: Vault;
  sources: readonly AnySource[];
  config: { connectPrivate: boolean; publicUrl: string | undefined };
  clock: () => number;
  log: Logger;
  /** Called with the outcome of each call, for metrics. */
  onCall?: ((kind: string, stream: string, outcome: string) => void) | undefined;
}

/**
 * A connection that is not read for so long is closed: later than the slowest poll, and than the hour in which a point
 * of sale allows two sign-ins.
 */
const IDLE_MS = 2 * HOUR_MS;

/** The connections that a node has open, each with one session, one pace and one clock from run to run. */
interface Connectors {
  /** Opens a connection, or resumes the one that is open. */
  open: OpenConnection;
  /**
   * Closes a connection, or every one, that is no longer read, or with other secrets or settings, and its calls in
   * progress.
   */
  review(id?: string): Promise<void>;
  close(): void;
}

/** One connector, while this node reads the connection. */
interface Opened {
  connector: Connector;
  /** As it was opened. */
  connection: Connection;
  /** That of the run in progress, or of the last one. */
  lease: ConnectionLease;
  /** What the ledger has of the session, as far as this node has seen or saved it. */
  token: string | null;
  /** What could not be saved of the session, because a lease had ended. */
  unsaved: SessionState | undefined;
  cancelIdle(): void;
}

/** Throws SourceError for a kind that this version does not have. */
function sourceOf({ sources }: Pick<OpeningDeps, 'sources'>, kind: string): AnySource {
  const source = sources.find((one) => one.kind === kind);
  if (source) return source;
  throw new SourceError('upstream_changed', `this version reads no point of sale of the kind ${kind}`);
}

/** The timers of calls: when to try again is compared with the clock of the ledger. */
const timersOf = ({ timers, clock }: Pick<OpeningDeps, 'timers' | 'clock'>) =>
  timers ?? Object.assign({}, realTimers, { now: clock });

/**
 * Whether what is open serves a connection as it is now. Without the lease another node may have signed in meanwhile.
 */
const isServed = ({ connection, lease, token }: Opened, now: Connection): boolean =>
  (now.token === token || (now.worker === lease.worker && now.attempt === lease.attempt)) &&
  (now.state === 'active' || now.state === 'refused') &&
  now.url === connection.url &&
  now.credentials === connection.credentials &&
  now.settings.requestsPerSecond === connection.settings.requestsPerSecond;

/** What a source of folders may use. */
function folderContext(
  { config }: Pick<OpeningDeps, 'config'>,
  { url, credentials }: { url: string; credentials: Record<string, string> },
  signal: AbortSignal,
): FolderContext {
  const address = new URL(url);
  const dial = () => beginConnection(address, Number(address.port), config.connectPrivate);
  return { credentials, signal, dial };
}

/** Asks a point of sale with credentials that are not stored. */
export function createCheckConnection(deps: Omit<OpeningDeps, 'ledger' | 'vault'>): CheckConnection {
  const { config, log } = deps;
  return async ({ kind, url, credentials, first }, signal) => {
    const source = sourceOf(deps, kind);
    if (isFolderSource(source)) return await reachFolders(source, folderContext(deps, { url, credentials }, signal));
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
      timers: timersOf(deps),
      ...(deps.transport && { transport: deps.transport }),
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

/**
 * The connections of a node. Each is kept open between its runs: limits, session and clock of the point of sale are of
 * the connection, not of a run. The sign-in before it serves on, if it can be decrypted.
 */
export function createConnectors(deps: OpeningDeps): Connectors {
  const { ledger, vault, config, clock, log } = deps;
  const timers = timersOf(deps);
  const all = new Map<string, Opened>();

  function drop(opened: Opened): void {
    const { id } = opened.connection;
    opened.cancelIdle();
    opened.connector.close();
    if (all.get(id) === opened) all.delete(id);
  }

  /** Saves the session under the lease of the run in progress; without one it is saved with the next. */
  async function saveSession(opened: Opened, state: SessionState): Promise<void> {
    opened.unsaved = state;
    const sealed = await vault.seal(opened.connection.id, { ...state });
    const now = clock();
    const saved = { token: sealed, tokenUntil: state.until, signedInAt: state.logins.at(-1) ?? now };
    if (!(await ledger.saveConnection(opened.lease, saved, now))) return;
    opened.token = sealed;
    if (opened.unsaved === state) opened.unsaved = undefined;
  }

  async function openFolders(source: FolderSource, { id, url, credentials }: Connection): Promise<OpenFolders> {
    const secrets = credentialsOf(await vault.open(id, credentials ?? ''));
    return {
      source,
      folderContext: (signal) => folderContext(deps, { url, credentials: secrets }, signal),
      isClockWrong: false,
      release: () => undefined,
    };
  }

  async function create(source: ConnectionSource, connection: Connection): Promise<Opened> {
    const { id, kind, url, settings, credentials, token } = connection;
    const secrets = credentialsOf(await vault.open(id, credentials ?? ''));
    const session = token === null ? null : await vault.open(id, token).catch(() => null);
    const connector = createConnector({
      source,
      url,
      credentials: secrets,
      requestsPerSecond: settings.requestsPerSecond,
      allowPrivate: config.connectPrivate,
      publicUrl: config.publicUrl,
      session: session as SessionState | null,
      onSession: (state) => saveSession(opened, state),
      timers,
      ...(deps.transport && { transport: deps.transport }),
      onCall: (stream, outcome) => deps.onCall?.(kind, stream, outcome),
      log: (level, text) => log[level]({ connectionId: id }, text),
    });
    const opened: Opened = {
      connector,
      connection,
      lease: leaseOf(connection),
      token,
      unsaved: undefined,
      cancelIdle: () => undefined,
    };
    return opened;
  }

  return {
    async open(connection, signal) {
      const source = sourceOf(deps, connection.kind);
      if (isFolderSource(source)) return await openFolders(source, connection);
      const before = all.get(connection.id);
      if (before && !isServed(before, connection)) drop(before);
      const opened = all.get(connection.id) ?? (await create(source, connection));
      all.set(connection.id, opened);
      const lease = leaseOf(connection);
      opened.lease = lease;
      opened.cancelIdle();
      // A run that is aborted late leaves alone what the next one uses.
      const abort = (): void => {
        if (opened.lease === lease) drop(opened);
      };
      signal.addEventListener('abort', abort, { once: true });
      if (signal.aborted) abort();
      signal.throwIfAborted();
      if (opened.unsaved) await saveSession(opened, opened.unsaved);
      return {
        source,
        context: opened.connector.context,
        get isClockWrong() {
          return opened.connector.isClockWrong;
        },
        release() {
          signal.removeEventListener('abort', abort);
          // It may be closed, or another run may have begun.
          if (all.get(connection.id) === opened && opened.lease === lease)
            opened.cancelIdle = timers.after(IDLE_MS, abort);
        },
      };
    },
    async review(id) {
      for (const opened of [...all.values()]) {
        if (id !== undefined && opened.connection.id !== id) continue;
        const now = await ledger.connection(opened.connection.id);
        if (!now || !isServed(opened, now)) drop(opened);
      }
    },
    close() {
      for (const opened of [...all.values()]) drop(opened);
    },
  };
}
