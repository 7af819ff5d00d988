/** Connections of a service: what reads them, and what the routes that change them use. */
import type { ConnectionParts } from './connections/asking.ts';
import { vaultOf } from './connections/credentials.ts';
import { createCheckConnection, createConnectors } from './connections/opening.ts';
import { createPageLoader } from './connections/page-load.ts';
import { type Connections, startConnections } from './connections/schedule.ts';
import { loadSources } from './connections/sources/load.ts';
import { openDayImporter } from './import/day-import.ts';
import { fingerprintKeyOf } from './ingest/fingerprint-key.ts';
import { LOAD_PATHS, type LoadDeps } from './ingest/load.ts';
import type { ReadBody } from './ingest/read.ts';
import type { GroupEvents } from './requests/group-events.ts';
import type { WorkDeps } from './work.ts';

interface ConnectDeps extends Pick<WorkDeps, 'config' | 'log' | 'clock' | 'metrics' | 'stores'> {
  groupEvents: GroupEvents;
  readBody: ReadBody;
}

export interface Connecting {
  parts: ConnectionParts;
  /** Gives the leases of what is read back. */
  stop(): Promise<void>;
}

/** Starts reading connections, on nodes with the role `maintenance`. Throws for a module that is no source. */
export async function startConnecting(deps: ConnectDeps): Promise<Connecting> {
  const { config, log, clock, metrics, stores, groupEvents, readBody } = deps;
  const { ledger, facts } = stores;
  const sources = await loadSources(config.connectSources);
  const vault = vaultOf(config, ledger.shared);
  const opening = { sources, vault, ledger, config, clock, log, onCall: metrics?.onConnectionCall };
  const onMerged: LoadDeps['onMerged'] = (restaurant, kind, dates) =>
    groupEvents.loaded(restaurant, LOAD_PATHS[kind], dates);
  const fingerprintKey: LoadDeps['fingerprintKey'] = config.cardFingerprints
    ? (group) => fingerprintKeyOf(ledger, group, clock())
    : undefined;
  const { spoolFolder } = stores;
  const loading = { facts, spoolFolder, clock, readBody, onMerged, fingerprintKey };
  const loadPage = createPageLoader({ ...loading, ...(metrics && { onLoaded: metrics.onLoaded }) });
  const importer = openDayImporter({ ...loading, ledger });
  const opened = createConnectors(opening);
  const reading: Connections | undefined = config.roles.includes('maintenance')
    ? await startConnections({
        ledger,
        facts,
        loadPage,
        importDay: importer.importDay,
        onMerged,
        clock,
        log,
        config,
        openConnection: opened.open,
        onState: ({ group, ...change }) => groupEvents.connected(group, change),
        counts: metrics && {
          onRecords: metrics.onConnectionRecords,
          onCheckFound: metrics.onCheckFound,
          onPasses: metrics.onConnectionPasses,
        },
      })
    : undefined;
  const onChanged = (id?: string): void => {
    reading?.wake();
    opened.review(id).catch((error: unknown) => log.error({ err: error }, 'changed connections could not be checked'));
  };
  const unfollow = ledger.onNotification((notification) => {
    if (notification.kind === 'connection') onChanged(notification.id);
    if (notification.kind === 'missed') onChanged();
  });
  return {
    parts: { sources, vault, checkConnection: createCheckConnection(opening), onChanged },
    async stop() {
      unfollow();
      await reading?.stop();
      await importer.close();
      opened.close();
    },
  };
}
