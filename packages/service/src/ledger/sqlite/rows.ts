/** What the SQLite tables hold, and the ledger's nouns made of it. */
import type { Dialect } from '../../contract/words.ts';
import type { Client } from '../client.ts';
import type { ReportLane, ReportRequest, ReportState } from '../report.ts';
import type { Restaurant } from '../restaurant.ts';
import type { SigningKey } from '../signing-key.ts';

export interface ClientRow {
  id: string;
  name: string | null;
  management_group: string;
  scopes: string;
  dialect: Dialect;
  secret_hash: string;
  created_at: number;
  revoked_at: number | null;
}

export interface KeyRow {
  kid: string;
  algorithm: string;
  private_jwk: string;
  public_jwk: string;
  created_at: number;
  retired_at: number | null;
}

export interface RestaurantRow {
  id: number;
  guid: string;
  management_group: string;
  name: string;
  time_zone: string;
  closeout_hour: number;
  location_name: string | null;
  location_code: string | null;
  currency_code: string | null;
  overtime_multiplier: number;
  active: number;
  test_mode: number;
  archived: number;
}

export interface ReportRow {
  guid: string;
  management_group: string;
  client_id: string;
  kind: string;
  plan: string;
  asked: string;
  dialect: Dialect;
  cost: number;
  lane: ReportLane;
  state: ReportState;
  attempt: number;
  worker: string | null;
  lease_until: number | null;
  created_at: number;
  queued_at: number;
  completed_at: number | null;
  expires_at: number;
  as_of: number | null;
  row_count: number | null;
  byte_count: number | null;
  load_id: number | null;
  totals: string | null;
  digests: string | null;
  failure: string | null;
  request_id: string | null;
  traceparent: string | null;
}

export const clientOf = (row: ClientRow): Client => ({
  id: row.id,
  name: row.name,
  group: row.management_group,
  scopes: JSON.parse(row.scopes),
  dialect: row.dialect,
  secretHash: row.secret_hash,
  createdAt: row.created_at,
  revokedAt: row.revoked_at,
});

export const keyOf = (row: KeyRow): SigningKey => ({
  kid: row.kid,
  algorithm: row.algorithm,
  privateJwk: row.private_jwk,
  publicJwk: row.public_jwk,
  createdAt: row.created_at,
  retiredAt: row.retired_at,
});

export const restaurantOf = (row: RestaurantRow): Restaurant => ({
  id: row.id,
  guid: row.guid,
  group: row.management_group,
  name: row.name,
  timeZone: row.time_zone,
  closeoutHour: row.closeout_hour,
  locationName: row.location_name,
  locationCode: row.location_code,
  currencyCode: row.currency_code,
  overtimeMultiplier: row.overtime_multiplier,
  active: row.active === 1,
  testMode: row.test_mode === 1,
  archived: row.archived === 1,
});

export const reportOf = (row: ReportRow): ReportRequest => ({
  guid: row.guid,
  group: row.management_group,
  clientId: row.client_id,
  kind: row.kind,
  plan: JSON.parse(row.plan),
  asked: JSON.parse(row.asked),
  dialect: row.dialect,
  cost: row.cost,
  lane: row.lane,
  state: row.state,
  attempt: row.attempt,
  worker: row.worker,
  leaseUntil: row.lease_until,
  createdAt: row.created_at,
  queuedAt: row.queued_at,
  completedAt: row.completed_at,
  expiresAt: row.expires_at,
  asOf: row.as_of,
  rows: row.row_count,
  bytes: row.byte_count,
  load: row.load_id,
  totals: row.totals === null ? null : JSON.parse(row.totals),
  digests: row.digests === null ? null : JSON.parse(row.digests),
  failure: row.failure === null ? null : JSON.parse(row.failure),
  cause:
    row.request_id === null || row.traceparent === null
      ? null
      : { requestId: row.request_id, traceparent: row.traceparent },
});
