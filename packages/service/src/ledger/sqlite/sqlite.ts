/** The embedded ledger: one SQLite file, safe to open from several processes at once. */
import { closeSync, openSync } from 'node:fs';
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { DatabaseSync, type StatementSync } from 'node:sqlite';
import { setTimeout } from 'node:timers/promises';
import { loadStatements } from '../../sql.ts';
import type { Client } from '../client.ts';
import type { Ledger } from '../ledger.ts';
import type { Restaurant } from '../restaurant.ts';
import { createRowCache } from './cache.ts';
import { clockOf } from './clock.ts';
import { openGroupRestaurants } from './group-restaurants.ts';
import { keysOf } from './idempotency.ts';
import { identityOf } from './identity.ts';
import { leasesOf } from './leases.ts';
import { migrate, transaction } from './migrate.ts';
import { queueOf } from './queue.ts';
import {
  type ClientRow,
  clientOf,
  type KeyRow,
  keyOf,
  type ReportRow,
  type RestaurantRow,
  reportOf,
  restaurantOf,
} from './rows.ts';
import { copyLedger, tasksOf } from './tasks.ts';
import { waitingOf } from './waiting.ts';
import { webhooksOf } from './webhooks.ts';

const BUSY_MS = 5000;
const SQL = {
  ...loadStatements(new URL('./access.sql', import.meta.url)),
  ...loadStatements(new URL('./restaurants.sql', import.meta.url)),
  ...loadStatements(new URL('./clock.sql', import.meta.url)),
  ...loadStatements(new URL('./reports.sql', import.meta.url)),
  ...loadStatements(new URL('./queue.sql', import.meta.url)),
  ...loadStatements(new URL('./idempotency.sql', import.meta.url)),
  ...loadStatements(new URL('./identity.sql', import.meta.url)),
  ...loadStatements(new URL('./tasks.sql', import.meta.url)),
  ...loadStatements(new URL('./waiting.sql', import.meta.url)),
  ...loadStatements(new URL('./webhooks.sql', import.meta.url)),
};

export interface SqliteLedger extends Ledger {
  /** Forgets the rows that are held: another connection of this process has written. */
  forget(): void;
  /**
   * Makes changes with one commit, each by calling a method of this ledger. Throws when none was made: one threw, the commit
   * failed, or a failure ended the transaction. A method that rejects undoes its own change only.
   */
  together<T>(changes: (() => T)[]): T[];
}

/** Opens the ledger of a data folder (`<data>/ledger.sqlite`), making both where they are missing. */
export async function openLedgerIn(data: string): Promise<SqliteLedger> {
  await mkdir(data, { recursive: true, mode: 0o700 });
  return await openSqliteLedger(join(data, 'ledger.sqlite'));
}

/**
 * Opens a ledger file, making it (readable by its owner only) where it is missing, at the newest schema. Throws when
 * it was written by a newer version or cannot be opened. A commit is on disk when a method resolves, and every read
 * sees what other processes committed before it.
 */
export async function openSqliteLedger(file: string): Promise<SqliteLedger> {
  // SQLite gives its journal files the mode of the main file, so making that one first is enough.
  closeSync(openSync(file, 'a', 0o600));
  const db = new DatabaseSync(file, { timeout: BUSY_MS, enableForeignKeyConstraints: true });
  try {
    await writeAhead(db);
    db.exec('pragma synchronous = full');
    migrate(db);
    return ledgerOf(db, file);
  } catch (error) {
    db.close();
    throw error;
  }
}

/** Two first openings at once: SQLite answers "busy" to one of them without waiting, so the waiting is done here. */
async function writeAhead(db: DatabaseSync): Promise<void> {
  for (let waited = 0; ; waited += 10) {
    try {
      db.exec('pragma journal_mode = wal');
      return;
    } catch (error) {
      if (waited >= BUSY_MS || !/locked|busy/.test(String(error))) throw error;
      await setTimeout(10);
    }
  }
}

/** The statements that change nothing. */
const READS = new Set([
  'client',
  'clients',
  'deliveries',
  'dueWebhooks',
  'gatherTimes',
  'groups',
  'highest',
  'identity',
  'keyUse',
  'keys',
  'nextReport',
  'oldestQueuedAt',
  'oldestReadable',
  'queuedReports',
  'report',
  'reportCounts',
  'reportStates',
  'reportsOf',
  'restaurant',
  'restaurantsById',
  'restaurantsNamed',
  'restaurantsOf',
  'restaurantsVersion',
  'task',
  'unfinishedTasks',
  'webhook',
  'seenTime',
]);
function ledgerOf(db: DatabaseSync, file: string): SqliteLedger {
  const prepared = new Map(Object.entries(SQL).map(([name, sql]) => [name, db.prepare(sql)]));
  const cache = createRowCache(db);
  const statement = (name: string): StatementSync => {
    if (!READS.has(name)) cache.empty();
    const found = prepared.get(name);
    if (!found) throw new Error(`no statement ${name}`);
    return found;
  };
  const groupRestaurants = openGroupRestaurants(statement);
  const { takeKey, ...keys } = keysOf(db, statement);
  // Looked up once: these two are read on every call of the API.
  const clientById = statement('client');
  const reportByGuid = statement('report');
  const changes = (name: string, values: Record<string, string | number>): number =>
    Number(statement(name).run(values).changes);

  return {
    async ensureGroup(group, now) {
      statement('ensureGroup').run({ group, now });
    },
    async groups() {
      return statement('groups')
        .all()
        .map((row) => String(row.name));
    },

    async addClient(client) {
      statement('addClient').run({ ...clientValues(client), revokedAt: client.revokedAt });
    },
    async putClient(client) {
      statement('putClient').run(clientValues(client));
    },
    async client(id) {
      return cache.getOrLoad(cache.clients, id, () => {
        const row = clientById.get({ id }) as ClientRow | undefined;
        return row && clientOf(row);
      });
    },
    async clients() {
      return (statement('clients').all() as unknown as ClientRow[]).map(clientOf);
    },
    async revokeClient(id, now) {
      return changes('revokeClient', { id, now }) === 1;
    },

    async keys() {
      return (statement('keys').all() as unknown as KeyRow[]).map(keyOf);
    },
    async rotateKey(key) {
      transaction(db, () => {
        statement('retireKeys').run({ now: key.createdAt });
        statement('addKey').run({ ...key });
      });
    },
    async dropKeys(retiredBefore) {
      statement('dropKeys').run({ retiredBefore });
    },

    async restaurant(guid) {
      const row = statement('restaurant').get({ guid }) as RestaurantRow | undefined;
      return row && restaurantOf(row);
    },
    async restaurantsOf(group, guids) {
      if (!guids) return groupRestaurants(group);
      const rows = statement('restaurantsNamed').all({ group, guids: JSON.stringify(guids) });
      return (rows as unknown as RestaurantRow[]).map(restaurantOf);
    },
    async restaurantsById(ids) {
      const rows = statement('restaurantsById').all({ ids: JSON.stringify(ids) });
      return (rows as unknown as RestaurantRow[]).map(restaurantOf);
    },
    async putRestaurant(restaurant) {
      return transaction(db, () => {
        const created = statement('restaurant').get({ guid: restaurant.guid }) === undefined;
        const [row] = statement('putRestaurant').all(restaurantValues(restaurant)) as unknown as RestaurantRow[];
        return row && { created, restaurant: restaurantOf(row) };
      });
    },

    async addReport({ plan, asked, cause, ...report }, use) {
      const { guid, group, clientId, kind, dialect, cost, lane, createdAt, expiresAt } = report;
      return transaction(db, () => {
        const stands = use && takeKey(use, createdAt);
        if (stands) return stands;
        statement('addReport').run({
          ...{ guid, group, clientId, kind, dialect, cost, lane, createdAt, expiresAt },
          plan: JSON.stringify(plan),
          asked: JSON.stringify(asked),
          requestId: cause?.requestId ?? null,
          traceparent: cause?.traceparent ?? null,
        });
        statement('addTurn').run({ group, lane });
        return undefined;
      });
    },
    async report(guid) {
      return cache.getOrLoad(cache.reports, guid, () => {
        const row = reportByGuid.get({ guid }) as ReportRow | undefined;
        return row && reportOf(row);
      });
    },
    async expireReports(now) {
      const rows = statement('expireReports').all({ now });
      return rows.map((row) => ({ guid: String(row.guid), attempt: Number(row.attempt) }));
    },
    async forgetReports(expiredBefore) {
      return changes('forgetReports', { expiredBefore });
    },
    async reportCounts() {
      return Object.fromEntries(
        statement('reportCounts')
          .all()
          .map((row) => [row.state, row.reports]),
      );
    },

    async oldestQueuedAt() {
      return (statement('oldestQueuedAt').get()?.queued_at ?? null) as number | null;
    },

    ...waitingOf(statement),
    ...webhooksOf(db, statement),
    ...queueOf(db, statement),
    ...leasesOf(db, statement),
    ...clockOf(db, statement),
    ...keys,
    ...identityOf(statement),
    ...tasksOf(statement),
    async copy(to) {
      return await copyLedger(file, to, String(SQL.completedReports), BUSY_MS);
    },

    forget: cache.empty,
    together(changes) {
      return transaction(db, () =>
        changes.map((change) => {
          // A full disk may end the transaction: the next changes would commit on their own.
          if (!db.isTransaction) throw new Error('the transaction has ended early');
          return change();
        }),
      );
    },
    async ping() {
      db.prepare('select max(version) from schema_version').get();
    },
    async close() {
      if (db.isOpen) db.close();
    },
  };
}

const clientValues = (client: Client) => ({
  id: client.id,
  name: client.name,
  group: client.group,
  scopes: JSON.stringify(client.scopes),
  dialect: client.dialect,
  secretHash: client.secretHash,
  createdAt: client.createdAt,
});

// `node:sqlite` cannot bind booleans.
const restaurantValues = (restaurant: Omit<Restaurant, 'id'>) => ({
  guid: restaurant.guid,
  group: restaurant.group,
  name: restaurant.name,
  timeZone: restaurant.timeZone,
  closeoutHour: restaurant.closeoutHour,
  locationName: restaurant.locationName,
  locationCode: restaurant.locationCode,
  currencyCode: restaurant.currencyCode,
  overtimeMultiplier: restaurant.overtimeMultiplier,
  active: Number(restaurant.active),
  testMode: Number(restaurant.testMode),
  archived: Number(restaurant.archived),
});
