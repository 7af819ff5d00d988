/**
 * The ledger: small rows that must never be lost (groups, clients, keys, restaurants, report requests).
 * Embedded form: SQLite. Every method is one transaction, durable when its promise resolves. Instants are
 * milliseconds since 1970 UTC and always passed in. Methods answer promises so that a server form can stand here too.
 */
import type { CurrencyTotals } from '../contract/totals.ts';
import type { Cause } from '../contract/trace.ts';
import type { Aggregate, Dialect, Span } from '../contract/words.ts';
import type { LeaseLedger, ReportFailure } from './lease.ts';
import type { ClockLedger } from './sqlite/clock.ts';
import type { WebhookLedger } from './webhook.ts';

export interface Client {
  id: string;
  name: string | null;
  group: string;
  scopes: string[];
  dialect: Dialect;
  /** `scrypt$N$salt$hash`; the secret itself is never stored. */
  secretHash: string;
  createdAt: number;
  revokedAt: number | null;
}

export interface SigningKey {
  kid: string;
  algorithm: string;
  /** Private JWK, JSON text. */
  privateJwk: string;
  publicJwk: string;
  createdAt: number;
  /** Set when a newer key took over; it verifies until its last tokens have ended. */
  retiredAt: number | null;
}

export interface Restaurant {
  /** Small integer that facts use; given by the ledger. */
  id: number;
  guid: string;
  group: string;
  name: string;
  timeZone: string;
  closeoutHour: number;
  locationName: string | null;
  locationCode: string | null;
  currencyCode: string | null;
  /** Decimal, e.g. 1.5. */
  overtimeMultiplier: number;
  active: boolean;
  testMode: boolean;
  archived: boolean;
}

export type ReportState = 'queued' | 'gathering' | 'completed' | 'failed' | 'expired' | 'cancelled';

/** What is short may be gathered beside what is long, never behind it. */
export type ReportLane = 'short' | 'long';

/** What a report is made of, resolved when it was asked for. */
export interface ReportPlan {
  span: Span;
  /** YYYYMMDD integers, both ends count. */
  startDate: number;
  endDate: number;
  aggregate: Aggregate;
  /** In the order of its family. */
  groups: string[];
  /** Ledger ids of the restaurants, resolved at creation. */
  restaurantIds: number[];
}

export interface ReportRequest {
  guid: string;
  group: string;
  clientId: string;
  kind: string;
  plan: ReportPlan;
  /** The POST that made it, without the base: what `replacement` shows. */
  asked: { path: string; body: unknown };
  /** The dialect of the client that asked: which form is rendered at gather time. */
  dialect: Dialect;
  /** What gathering and rendering is expected to take, in milliseconds. Decides the lane. */
  cost: number;
  lane: ReportLane;
  state: ReportState;
  /** Attempts begun, 0 while queued for the first time. A completed report's files are those of this attempt. */
  attempt: number;
  worker: string | null;
  leaseUntil: number | null;
  createdAt: number;
  queuedAt: number;
  completedAt: number | null;
  expiresAt: number;
  asOf: number | null;
  rows: number | null;
  bytes: number | null;
  /** The last load that the rows were computed from. Null, as the totals, of a report made before they were kept. */
  load: number | null;
  /** Control totals, one entry a currency. */
  totals: CurrencyTotals[] | null;
  /** The SHA-256, in base64, of files that were made with the report, by name. Null of one made before they were kept. */
  digests: Record<string, string> | null;
  failure: ReportFailure | null;
  /** The call that asked for it. Null of a report made before it was kept. */
  cause: Cause | null;
}

/** What an Idempotency-Key stands for: one request of one client on one path. */
export interface KeyUse {
  /** Clients of an outside issuer may have the same id in several groups. */
  group: string;
  clientId: string;
  /** Without the base and the query. */
  path: string;
  key: string;
  /** Tells the request from others under the same key. */
  fingerprint: string;
  /** JSON. */
  answer: unknown;
  /** When the key is free again. */
  endsAt: number;
}

/** Which data folder a ledger belongs to: maintenance/identity.ts. */
export interface LedgerIdentity {
  /** Random; the facts and the results of the folder carry it too. */
  id: string;
  /** What the facts are known to carry; null before they carried any. */
  epoch: string | null;
  /** Set while the facts are given it: after a kill they carry this one or `epoch`. */
  nextEpoch: string | null;
}

/** The highest numbers that a store has seen, 0 where it has seen none. */
export interface Highest {
  /** Of restaurants, as the ledger gives them. */
  restaurantId: number;
  /** Of loads, as the facts give them. */
  load: number;
}

/** A page of a group's reports; those left out are not asked for. */
export interface ReportPage {
  limit: number;
  /** Whatever should have expired by then counts as expired. */
  now: number;
  /** The last of the page before. */
  after?: Pick<ReportRequest, 'createdAt' | 'guid'> | undefined;
  kind?: string | undefined;
  states?: ReportState[] | undefined;
}

/** What a command asks of whoever holds the data folder. */
export interface Task {
  guid: string;
  kind: 'verify' | 'rebuild' | 'backup';
  /** `to`: the absolute path of a backup. */
  argument: { to?: string };
  /** `queued → running → done | failed`; `queued | running → cancelled`, `queued → failed` when nobody will run it. */
  state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
  createdAt: number;
  startedAt: number | null;
  finishedAt: number | null;
  /** JSON, of a task that is done. */
  result: unknown;
  /** A sentence for the one who asked. */
  failure: string | null;
}

/** What tells how long a report takes. */
export interface ReportSize {
  kind: string;
  span: Span;
  aggregate: Aggregate;
  /** YYYYMMDD integers, both ends count. */
  startDate: number;
  endDate: number;
  /** How many. */
  restaurants: number;
}

/** One that waits for its turn. */
export type QueuedReport = ReportSize & Pick<ReportRequest, 'guid' | 'group' | 'lane'>;

export interface Ledger extends ClockLedger, LeaseLedger, WebhookLedger {
  /** Adds the group unless it is there. */
  ensureGroup(group: string, now: number): Promise<void>;
  groups(): Promise<string[]>;

  addClient(client: Client): Promise<void>;
  /** Adds or replaces by id, un-revoked: the bootstrap client. */
  putClient(client: Client): Promise<void>;
  client(id: string): Promise<Client | undefined>;
  clients(): Promise<Client[]>;
  /** False when there is no such client or it was already revoked. */
  revokeClient(id: string, now: number): Promise<boolean>;

  /** Newest first. */
  keys(): Promise<SigningKey[]>;
  /** Adds the key and retires every other that was not retired, in one step. */
  rotateKey(key: SigningKey): Promise<void>;
  /** Removes keys retired before the instant. */
  dropKeys(retiredBefore: number): Promise<void>;

  restaurant(guid: string): Promise<Restaurant | undefined>;
  /** Of one group, by GUID; with `guids`, those of them that are the group's. A whole group may be asked for often: it is kept in memory. */
  restaurantsOf(group: string, guids?: string[]): Promise<readonly Restaurant[]>;
  /** Restaurants by ledger id, for gathering; by GUID. */
  restaurantsById(ids: number[]): Promise<Restaurant[]>;
  /**
   * Adds or replaces by GUID within the group. `created` tells which; `undefined` when the GUID is another group's,
   * and then nothing has changed. The given `id` is ignored.
   */
  putRestaurant(restaurant: Omit<Restaurant, 'id'>): Promise<{ created: boolean; restaurant: Restaurant } | undefined>;

  /**
   * Adds it in state `queued`, together with the use of a key. Answers the use that stands where the key was used before
   * (as of `createdAt`); then nothing was added.
   */
  addReport(
    report: Pick<
      ReportRequest,
      | 'guid'
      | 'group'
      | 'clientId'
      | 'kind'
      | 'plan'
      | 'asked'
      | 'dialect'
      | 'cost'
      | 'lane'
      | 'createdAt'
      | 'expiresAt'
    > &
      Partial<Pick<ReportRequest, 'cause'>>,
    use?: KeyUse,
  ): Promise<KeyUse | undefined>;
  report(guid: string): Promise<ReportRequest | undefined>;
  /** Newest first; of equally new ones the higher GUID. */
  reportsOf(group: string, page: ReportPage): Promise<ReportRequest[]>;
  /**
   * queued → gathering; one winner. Attempt counts up. Of the groups that wait, the one with the fewest gathering comes
   * first, then the one whose last claim is the longest ago; its oldest. The `short` lane takes short ones only, the
   * `long` lane (when left out) both. Undefined when nothing is queued for it.
   */
  claimReport(worker: string, now: number, leaseUntil: number, lane?: ReportLane): Promise<ReportRequest | undefined>;
  /** queued, gathering, completed, failed → cancelled. False when it was in none of them. */
  cancelReport(guid: string): Promise<boolean>;
  /** completed, failed, cancelled, queued → expired once `expiresAt` has passed. Answers guid and attempt of those, to remove their files. */
  expireReports(now: number): Promise<{ guid: string; attempt: number }[]>;
  /** Forgets expired requests whose `expiresAt` is before the instant. */
  forgetReports(expiredBefore: number): Promise<number>;
  /** Of those that are known, in no order. */
  reportStates(guids: string[]): Promise<Pick<ReportRequest, 'guid' | 'state' | 'attempt'>[]>;
  /** How long the reports that were completed last took to gather, newest first. */
  gatherTimes(limit: number): Promise<(ReportSize & { ms: number })[]>;
  /** Oldest first. */
  queuedReports(limit: number): Promise<QueuedReport[]>;
  /** How many are in each state. */
  reportCounts(): Promise<Partial<Record<ReportState, number>>>;
  /** When the one that has waited longest was queued; null when none is. */
  oldestQueuedAt(): Promise<number | null>;

  /** What the key was used for, unless that has ended. */
  keyUse(of: Pick<KeyUse, 'group' | 'clientId' | 'path' | 'key'>, now: number): Promise<KeyUse | undefined>;
  /** Writes the use down; answers the one that stands where the key was used before, which stays as it is. */
  addKeyUse(use: KeyUse, now: number): Promise<KeyUse | undefined>;
  /** Forgets uses that have ended. */
  forgetKeyUses(now: number): Promise<number>;

  /** Adds it in state `queued`. */
  addTask(task: Pick<Task, 'guid' | 'kind' | 'argument' | 'createdAt'>): Promise<void>;
  task(guid: string): Promise<Task | undefined>;
  /** Queued and running ones, oldest first. */
  unfinishedTasks(): Promise<Task[]>;
  /** queued → running, oldest first. Undefined when nothing is queued, or while another runs. */
  claimTask(now: number): Promise<Task | undefined>;
  /** running → done. False when it no longer runs: it was cancelled. */
  finishTask(guid: string, now: number, result: unknown): Promise<boolean>;
  /** queued, running → failed. False when it had ended before. */
  failTask(guid: string, now: number, failure: string): Promise<boolean>;
  /** queued, running → cancelled. False when it had ended before. */
  cancelTask(guid: string, now: number): Promise<boolean>;
  /** Forgets tasks that ended before the instant. */
  forgetTasks(before: number): Promise<number>;

  /** Undefined before the first start on its folder, and for a ledger of a version that had none. */
  identity(): Promise<LedgerIdentity | undefined>;
  identify(identity: LedgerIdentity): Promise<void>;
  /** Of the restaurants that it has, and of the loads that its reports saw. */
  highest(): Promise<Highest>;

  /**
   * Copies the ledger, as one commit left it and without its tasks and unfinished deliveries, to a file that must not be there; others read and
   * write meanwhile. Answers the reports that are completed in the copy.
   */
  copy(file: string): Promise<{ guid: string; attempt: number }[]>;

  /** Throws when the ledger cannot be read. */
  ping(): Promise<void>;
  close(): Promise<void>;
}
