/** Maintenance of the facts on ClickHouse. Every node runs it; running it twice at the same time is harmless. */
import type { Logger } from 'pino';
import { DAY_MS } from '../../contract/time.ts';
import type { PostgresLog } from './load-log/postgres-log.ts';
import { promote, retire, sweep } from './protocol.ts';
import { promotedWords, visible } from './reads.ts';
import { INSERT_MS, type Server } from './server.ts';
import { openServerRows } from './server-rows.ts';

const EVERY_MS = 30_000;
/** Longer than any insert lasts. */
export const GRACE_MS = 2 * INSERT_MS;
/**
 * How long deltas are kept after a promotion has summed them up. Far longer than a report takes, because PostgreSQL may
 * be restored from a copy older than ClickHouse: the promotions that it knows must still have their deltas.
 */
export const RETIRE_MS = 2 * DAY_MS;
/** With this many deltas beside them, rollups are summed up again, because reports read both. */
const MOST_DELTAS = 100_000;

interface MaintenanceParts {
  log: PostgresLog;
  server: Server;
  logger: Logger | undefined;
}

/** How many deltas of daily rollups are not in a promotion yet. */
async function countDeltas({ log, server }: MaintenanceParts): Promise<number> {
  const { snapshot, promoted } = await log.seen();
  const words = { visible: visible(snapshot), notPromoted: promotedWords(promoted).notPromoted };
  const { deltas } = await server.row('deltas', words);
  return deltas;
}

export function startMaintenance(parts: MaintenanceParts): { stop(): Promise<void> } {
  const { log, server, logger } = parts;
  const rows = openServerRows(server);
  let running: Promise<void> = Promise.resolve();

  async function run(): Promise<void> {
    try {
      await sweep(log, rows, GRACE_MS);
      if ((await countDeltas(parts)) >= MOST_DELTAS) await promote(log, rows);
      await retire(log, rows, RETIRE_MS);
    } catch (error) {
      logger?.warn({ err: error }, 'maintenance of the facts failed and is tried again');
    }
  }
  const timer = setInterval(() => {
    running = running.then(run);
  }, EVERY_MS).unref();
  return {
    async stop() {
      clearInterval(timer);
      await running;
    },
  };
}
