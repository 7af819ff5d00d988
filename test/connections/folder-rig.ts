/** A connection to folders of files, over real stores and the real import, on a clock that only a test moves. */
import { cp, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { SourceError } from '@daypart/client/source';
import { joining } from '../../packages/service/src/connections/choose.ts';
import { runConnection } from '../../packages/service/src/connections/connection-run.ts';
import {
  type FolderSource,
  type ListedFile,
  streamsOfSource,
} from '../../packages/service/src/connections/folder-source.ts';
import type { RunDeps, StateChange } from '../../packages/service/src/connections/member.ts';
import type { OpenFolders } from '../../packages/service/src/connections/open-source.ts';
import { connectionOf } from '../../packages/service/src/connections/suite/bench.ts';
import { isExportFile } from '../../packages/service/src/import/day-folder.ts';
import { type ImportDay, openDayImporter } from '../../packages/service/src/import/day-import.ts';
import type { ConnectedRestaurant, ConnectionStream, Stream } from '../../packages/service/src/ledger/connection.ts';
import type { Ledger } from '../../packages/service/src/ledger/ledger.ts';
import type { Restaurant } from '../../packages/service/src/ledger/restaurant.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { openLedger } from '../../packages/service/src/stores.ts';
import { type Engine, openEngine } from '../laws/engine.ts';
import { GROUP } from './rig.ts';

const CONNECTION = 'con_folders000000000000000';
const MINUTE_MS = 60_000;

export interface FolderRig {
  engine: Engine;
  ledger: Ledger;
  /** The folder of the server: one folder in it for each restaurant, `1`, `2` and so on. */
  root: string;
  restaurants: Restaurant[];
  at: number;
  changes: StateChange[];
  /** The dates that were imported, by folder: `1 20260310`. */
  imported: string[];
  /** Called before each step with what it is about: `folders`, `days 1`, `fetch 1 20260310`, `import 1 20260310`. */
  onStep: (step: string) => void;
  /** Reads if something is due; whether it was. */
  run(signal?: AbortSignal): Promise<boolean>;
  /** Moves the clock, and reads whenever something is due. */
  pass(ms: number): Promise<void>;
  member(folder?: string): Promise<ConnectedRestaurant>;
  stream(name?: Stream, folder?: string): Promise<ConnectionStream | undefined>;
  close(): Promise<void>;
}

const nameOf = (index: number): string => String(index + 1);

/** Opens it over empty folders for so many restaurants. */
export async function openFolderRig(root: string, at: number, count = 1): Promise<FolderRig> {
  const engine = await openEngine();
  const ledger = await openLedger({ data: engine.folder });
  const log = openLog('silent');
  await ledger.ensureGroup(GROUP, at);
  const restaurants: Restaurant[] = [];
  for (let index = 0; index < count; index++) {
    const put = await ledger.putRestaurant({
      guid: `b1500000-0000-4000-8000-00000000000${index}`,
      group: GROUP,
      name: 'Corner Bistro',
      timeZone: 'America/New_York',
      closeoutHour: 4,
      locationName: null,
      locationCode: null,
      currencyCode: null,
      overtimeMultiplier: 1.5,
      refundsOn: 'refund',
      active: true,
      testMode: false,
      archived: false,
    });
    if (put) restaurants.push(put.restaurant);
  }

  const source: FolderSource = {
    kind: 'folders',
    title: 'Folders',
    credentials: {},
    addressOf: () => ({ scheme: 'file', host: '', port: 0 }),
    check: async () => undefined,
    async folders() {
      rig.onStep('folders');
      return { folders: (await readdir(root)).sort(), hostKey: '' };
    },
    async days(_ctx, folder) {
      rig.onStep(`days ${folder}`);
      const dates = await readdir(join(root, folder)).catch(() => {
        throw new SourceError('restaurant_unknown', 'no such folder');
      });
      return await Promise.all(
        dates.sort().map(async (date) => ({ date: Number(date), files: await listed(join(root, folder, date)) })),
      );
    },
    async fetch(_ctx, folder, { date, files }, path) {
      rig.onStep(`fetch ${folder} ${date}`);
      for (const { name } of files) await cp(join(root, folder, String(date), name), join(path, name));
    },
  };
  const importer = openDayImporter({
    facts: engine.facts,
    spoolFolder: join(engine.folder, 'spool'),
    ledger,
    clock: () => rig.at,
  });
  const importDay: ImportDay = async (day) => {
    const step = `${restaurants.findIndex(({ guid }) => guid === day.restaurant.guid) + 1} ${day.date}`;
    rig.onStep(`import ${step}`);
    const report = await importer.importDay(day);
    rig.imported.push(step);
    rig.onStep(`imported ${step}`);
    return report;
  };
  const deps: RunDeps = {
    ledger,
    facts: engine.facts,
    log,
    clock: () => rig.at,
    loadPage: () => Promise.reject(new Error('folders have no pages')),
    importDay,
    onState: (change) => void rig.changes.push(change),
  };
  const open: OpenFolders = {
    source,
    folderContext: (signal) => ({
      signal,
      credentials: {},
      dial() {
        throw new Error('folders are here');
      },
    }),
    isClockWrong: false,
    release: () => undefined,
  };
  const chosen = restaurants.map(({ guid, name }, index) => ({
    guid,
    upstreamId: nameOf(index),
    name,
    found: undefined,
  }));
  const members = joining(CONNECTION, chosen, { from: null, now: at, backfillDays: 0, described: new Set() });
  const connection = connectionOf({
    group: GROUP,
    id: CONNECTION,
    kind: 'folders',
    url: 'sftp://folders.example:22',
    at,
  });
  await ledger.addConnection(connection, { join: members, streams: streamsOfSource(source) });

  const rig: FolderRig = {
    engine,
    ledger,
    root,
    restaurants,
    at,
    changes: [],
    imported: [],
    onStep: () => undefined,
    async run(signal = new AbortController().signal) {
      const claimed = await ledger.claimConnection('node', rig.at, rig.at + MINUTE_MS);
      if (!claimed) return false;
      try {
        const nextAt = await runConnection(deps, claimed, async () => open, signal);
        await ledger.releaseConnection({ id: CONNECTION, worker: 'node', attempt: claimed.attempt }, nextAt);
      } catch (error) {
        if (!signal.aborted) throw error;
        // As a service that starts again in its data folder.
        await ledger.reclaimConnections(rig.at);
      }
      return true;
    },
    async pass(ms) {
      const until = rig.at + ms;
      for (;;) {
        await rig.run();
        const next = (await ledger.connection(CONNECTION))?.nextAt ?? until;
        if (rig.at >= until) return;
        rig.at = Math.min(until, Math.max(next, rig.at + 1000));
      }
    },
    async member(folder = nameOf(0)) {
      const found = (await ledger.connectedRestaurants(CONNECTION)).find(({ upstreamId }) => upstreamId === folder);
      if (!found) throw new Error('the restaurant is not connected');
      return found;
    },
    async stream(name = 'orders', folder = nameOf(0)) {
      const rows = await ledger.connectionStreams(CONNECTION);
      return rows.find(({ upstreamId, stream }) => upstreamId === folder && stream === name);
    },
    async close() {
      await importer.close();
      await ledger.close();
      await engine.close();
    },
  };
  return rig;
}

async function listed(path: string): Promise<ListedFile[]> {
  const names = (await readdir(path)).filter(isExportFile).sort();
  return await Promise.all(
    names.map(async (name) => {
      const { size, mtimeMs } = await stat(join(path, name));
      return { name, size, modifiedAt: Math.floor(mtimeMs / 1000) };
    }),
  );
}
