/** Verifying and rebuilding the facts on ClickHouse, and their identity. */
import { randomUUID } from 'node:crypto';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { Bounds } from '../bounds.ts';
import { EngineGone } from '../errors.ts';
import type { FactsStore, RollupFault } from '../facts.ts';
import { countedRows, lostLoads, sumLost } from './load-numbers.ts';
import { holding, type LoadedParts } from './loaded-facts.ts';
import { runLoads, type Seen } from './protocol.ts';
import { visible } from './reads.ts';
import { removal } from './removal.ts';
import { openRollups, type Rollups, type Slice } from './rollups.ts';
import { openServer, type Server, serverAddress, serverText } from './server.ts';
import { textOfSnapshot } from './snapshot.ts';

const IDENTITY_MS = 30_000;
const HIGHEST_MS = 5 * 60_000;
/** How many faults are named. */
const MOST_NAMED = 20;
/** The restaurant of a load of all facts; real restaurants have ids from 1. */
const ALL = 0;

/** The faults of all slices as of one snapshot, one entry for each kind of rollup. */
async function verify({ log }: LoadedParts, rollups: Rollups, bounds: Bounds): Promise<RollupFault[]> {
  const seen = await log.seen();
  const faults = new Map<RollupFault['label'], RollupFault>();
  for (const slice of await rollups.slices(bounds.deadlineMs)) {
    for (const { label, days, first } of await rollups.faults(slice, seen, bounds)) {
      const known = faults.get(label) ?? { label, days: 0, first: [] };
      const named = [...known.first, ...first].slice(0, MOST_NAMED);
      faults.set(label, { label, days: known.days + days, first: named });
    }
  }
  return [...faults.values()];
}

/** Adds what the rollups of a slice lack, as a load. */
async function rebuildSlice(
  parts: LoadedParts & { scratch: string },
  rollups: Rollups,
  slice: Slice,
  bounds: Bounds,
): Promise<void> {
  const { log, merger, scratch } = parts;
  const folder = join(scratch, randomUUID());
  await mkdir(folder, { mode: 0o700 });
  try {
    await holding(parts, (holder) =>
      runLoads(log, { ...merger, find: async (seen: Seen) => seen }, holder, {
        entries: [{ restaurant: ALL, kind: 'rebuild' }],
        wanted: () => log.seen(),
        async merge(seen, { loads: [begun] }) {
          if (!begun) return undefined;
          const files = await rollups.differences(slice, seen, { load: begun.load, folder }, bounds);
          return files.length === 0 ? undefined : { folder, files };
        },
        rowsOf: countedRows,
      }),
    );
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The installation to which the facts belong. Neither function uses an engine. */
export type StoredIdentity = Pick<FactsStore, 'identity' | 'identify'>;

const identityOn = (server: Server): StoredIdentity => ({
  async identity() {
    const [row] = await server.rows('identity', {}, { deadlineMs: IDENTITY_MS });
    return row;
  },
  identify: ({ id, epoch }) => server.run(serverText('identify'), { id, epoch }),
});

/** Opens the identity of migrated facts at an address in the format of `serverAddress`; nothing is sent yet. */
export function openIdentity(address: string): StoredIdentity & { close(): Promise<void> } {
  const { url, database, cluster } = serverAddress(address);
  const server = openServer(url, database, cluster);
  const { identity, identify } = identityOn(server);
  return { identity, identify, close: () => server.close() };
}

/** `scratch` is a folder to which the engine writes. */
export function storedFacts(parts: LoadedParts & { scratch: string; close(): Promise<void> }): FactsStore {
  const { server, log, reports, coverage } = parts;
  const rollups = openRollups(server, reports);
  return {
    ...removal(parts),
    ...identityOn(server),
    verify: (bounds) => verify(parts, rollups, bounds),
    lost: (bounds) => sumLost(lostLoads(server, log, bounds)),
    async rebuild(bounds) {
      for await (const lost of lostLoads(server, log, bounds)) await log.exclude(lost.map(({ load }) => load));
      for (const slice of await rollups.slices(bounds.deadlineMs)) await rebuildSlice(parts, rollups, slice, bounds);
      coverage.forget();
    },
    async highest() {
      const { snapshot } = await log.seen();
      const words = { visible: visible(snapshot) };
      const { restaurant_id } = await server.row('highest', words, { deadlineMs: HIGHEST_MS });
      return { restaurantId: restaurant_id, snapshot: textOfSnapshot(snapshot) };
    },
    async backup() {
      throw new Error('facts on ClickHouse are backed up with the tools of PostgreSQL and ClickHouse');
    },
    async ping(deadlineMs) {
      await Promise.all([server.row('ping', {}, { deadlineMs }), log.ping(deadlineMs)]).catch((error) => {
        throw error instanceof Error ? error : new EngineGone('the facts servers did not answer');
      });
    },
    close: parts.close,
  };
}
