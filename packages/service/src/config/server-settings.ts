/** The settings of stores on servers, and of the roles of a node. */

import { readBucketAddress, serverAddress } from '../storage/store-address.ts';
import { type Setting, setting, whole } from './setting.ts';

/** What a node does: answers calls, gathers reports, or calls webhooks and cleans up. */
const ROLES = ['api', 'worker', 'maintenance'] as const;
export type Role = (typeof ROLES)[number];

/** The address of a store; empty means none. Messages do not repeat it, since it may contain a password. */
const storeUrl =
  (check: (value: string) => unknown) =>
  (value: string): string | undefined => {
    if (value === '') return undefined;
    check(value);
    return value;
  };

function checkLedger(value: string): void {
  if (!/^postgres(ql)?:\/\//.test(value) || !URL.canParse(value))
    throw new Error('must be an address such as postgres://daypart@db.example.com/daypart');
}

function roles(value: string): readonly Role[] {
  const named = value.split(',').map((word) => word.trim());
  const known = ROLES.filter((role) => named.includes(role));
  if (known.length === 0 || known.length < new Set(named).size)
    throw new Error(`must be some of ${ROLES.join(', ')}, separated by commas`);
  return known;
}

const store = (check: (value: string) => unknown, help: string): Setting<string | undefined> =>
  setting<string | undefined>({
    parse: storeUrl(check),
    default: undefined,
    defaultText: 'in the data folder',
    help,
    secret: true,
  });

export const serverSettings = {
  ledger: store(
    checkLedger,
    'PostgreSQL database of the ledger, postgres://user@host/database, for several nodes; with --facts and --results',
  ),
  facts: store(
    serverAddress,
    'ClickHouse database of the facts, clickhouse://user@host:8123/database, or replicas, clickhouse://user@host1,host2/database?cluster=NAME; with --ledger and --results',
  ),
  results: store(
    readBucketAddress,
    'S3 bucket of the reports, s3://bucket/prefix?region=REGION&endpoint=URL&pathStyle=true; with --ledger and --facts',
  ),
  resultsCache: setting({
    parse: whole(1, 1024 * 1024 * 1024),
    default: 10_240,
    help: 'Megabytes of the data folder for files of the bucket of --results',
  }),
  roles: setting<readonly Role[]>({
    parse: roles,
    default: ROLES,
    defaultText: ROLES.join(','),
    help: 'What this node does, with --ledger: api answers calls, worker gathers reports, maintenance calls webhooks and cleans up',
  }),
};

interface ServerConfig {
  ledger: string | undefined;
  facts: string | undefined;
  results: string | undefined;
  roles: readonly Role[];
}

/** The addresses of the stores, if they are on servers. */
export interface StoreAddresses {
  ledger: string;
  facts: string;
  results: string;
}

/** The addresses of the three stores; undefined if they are in the data folder. Throws Error if only some are set. */
export function storeAddresses({ ledger, facts, results }: Omit<ServerConfig, 'roles'>): StoreAddresses | undefined {
  if (ledger !== undefined && facts !== undefined && results !== undefined) return { ledger, facts, results };
  const missing = Object.entries({ ledger, facts, results }).flatMap(([name, url]) => (url === undefined ? name : []));
  if (missing.length === 3) return undefined;
  const named = missing.map((name) => `DAYPART_${name.toUpperCase()}`).join(' and ');
  throw new Error(
    `${named} ${missing.length === 1 ? 'is' : 'are'} not set: the ledger, the facts and the results are all on servers, or all in the data folder`,
  );
}

/** Throws Error if the settings of the stores contradict each other. */
export function checkServerConfig(config: ServerConfig): void {
  if (storeAddresses(config) || config.roles.length === ROLES.length) return;
  throw new Error('DAYPART_ROLES is for stores on servers: one process does everything on a data folder');
}
