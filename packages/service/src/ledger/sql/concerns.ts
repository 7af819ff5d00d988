/** All concerns of a ledger, but what is peculiar to its engine. */
import type { Ledger } from '../ledger.ts';
import { auditLedger } from './audit.ts';
import { clientLedger } from './client.ts';
import { clockLedger } from './clock.ts';
import { connectionLedger } from './connection.ts';
import { deliveryLedger } from './delivery.ts';
import { identityLedger } from './folder-identity.ts';
import { formLedger } from './form.ts';
import { groupLedger, groupRemovalLedger } from './group.ts';
import { idempotencyLedger } from './idempotency-key.ts';
import { importLedger } from './import-run.ts';
import { fingerprintKeyLedger, signingKeyLedger } from './keys.ts';
import { leaseLedger } from './lease.ts';
import { queueLedger } from './queue.ts';
import { reportLedger } from './report.ts';
import { daypartLedger, restaurantLedger } from './restaurant.ts';
import type { RowCache } from './row-cache.ts';
import { sessionLedger } from './session.ts';
import type { Sql, Values } from './statements.ts';
import { taskLedger } from './task.ts';
import { webhookLedger } from './webhook.ts';

/** What an engine adds to its statements. */
export interface Engine extends Pick<Ledger, 'now' | 'claimReports' | 'compact'> {
  /** Adds a report with these values where it waits for its turn, within a transaction or in one of its own. */
  enqueue(sql: Sql, values: Values): Promise<void>;
  /**
   * Deletes the rows of a group in tables that only this engine has, within the transaction that deletes the others.
   */
  dropMore?(sql: Sql, group: string): Promise<void>;
}

/** The methods of all concerns over an engine. */
export function concernsOver(sql: Sql, cache: RowCache, { enqueue, dropMore, ...engine }: Engine) {
  return {
    ...auditLedger(sql),
    ...clientLedger(sql, cache),
    ...clockLedger(sql, cache),
    ...connectionLedger(sql),
    ...daypartLedger(sql),
    ...deliveryLedger(sql),
    ...fingerprintKeyLedger(sql),
    ...formLedger(sql),
    ...groupLedger(sql, cache),
    ...groupRemovalLedger(sql, cache, dropMore),
    ...idempotencyLedger(sql),
    ...identityLedger(sql),
    ...importLedger(sql),
    ...leaseLedger(sql, cache),
    ...queueLedger(sql),
    ...reportLedger(sql, cache, enqueue),
    ...restaurantLedger(sql),
    ...sessionLedger(sql),
    ...signingKeyLedger(sql),
    ...taskLedger(sql),
    ...webhookLedger(sql),
    ...engine,
  };
}
