/**
 * The declared row types of the facts on servers match the answers of the engines: the same columns, of the same types.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { migrateFacts } from '../../packages/service/src/facts/clickhouse/clickhouse.ts';
import { LOG_ROW_TYPES, type LogStatement } from '../../packages/service/src/facts/clickhouse/load-log/row-types.ts';
import { SERVER_ROW_TYPES, type ServerStatement } from '../../packages/service/src/facts/clickhouse/row-types.ts';
import { serverPart, serverText } from '../../packages/service/src/facts/clickhouse/server.ts';
import { wholeRow } from '../../packages/service/src/facts/duckdb/row-readers.ts';
import { STORED_ORDER } from '../../packages/service/src/facts/duckdb/row-types.ts';
import { loadMarkedStatements } from '../../packages/service/src/storage/sql.ts';
import { withClient } from '../postgres.ts';
import { type FactsServers, readColumns, startServers } from './servers.ts';

const GUID = "'0d000000-0000-4000-8000-000000000001'";
const ALL = { restaurants: 'true', dates: 'true', visible: 'true' };
const DAYS = {
  days: serverPart('loadedDays', { ...ALL, notPromoted: '', promoted: '' }),
  hasData: serverPart('hasData'),
};
/** Words of every statement of ClickHouse whose columns are its own. */
const WORDS: Partial<Record<ServerStatement, Record<string, string>>> = {
  shards: {},
  version: {},
  identity: {},
  ping: {},
  versions: {
    table: 'orders',
    key: 'order_guid',
    date: 'business_date',
    columns: Object.keys(STORED_ORDER).join(),
    restaurants: '1',
    dates: '20260310',
    guids: GUID,
    versions: `(1, ${GUID}, 1)`,
    positive: '',
  },
  found: { restaurants: '1', guids: GUID, visible: 'true' },
  loaded: DAYS,
  lastDates: { ...DAYS, until: '20260310' },
  restaurantRows: { table: 'orders', ids: '1' },
  listsVersion: ALL,
  highest: ALL,
  highestNumber: { tables: serverPart('highestIn', { table: 'orders', column: 'load' }) },
  rowsOfLoads: { tables: serverPart('rowsIn', { table: 'orders', column: 'load', from: '0', to: '1' }) },
  slices: { tables: serverPart('slicesOf', { table: 'orders', restaurants: '500' }) },
  missingPlaces: ALL,
  deltas: { ...ALL, notPromoted: '' },
  filled: { tables: serverPart('tableRows', { table: 'orders' }) },
  placesByKind: {},
};
/** Values of the statements of the load log that answer rows. */
const VALUES: Record<LogStatement, unknown[]> = {
  begin: ['holder', [1], ['orders'], 1000, null],
  seen: [],
  commit: ['holder', [1], 1],
  abort: ['holder', [1], true],
  committed: [[1]],
  toSweep: [1],
  renew: ['holder', [1], 1000, null],
  nextPromotion: [],
  toRetire: [1],
  losePromotions: [1],
  since: [0, [1]],
  last: [],
  counted: [0],
  ping: [],
};

/** Values by the types of ClickHouse and PostgreSQL; of columns that have words, a word. */
const SAMPLES: readonly (readonly [type: RegExp, value: unknown])[] = [
  [/^U?Int(8|16|32|64)$/, 7],
  [/^String$/, 'text'],
  [/^Bool$/, true],
  [/^(int4|int8)$/, 7],
  [/^int8\[\]$/, [7]],
  [/^text$/, 'text'],
];
const WORD_OF: Record<string, string> = { status: 'counted' };

function sampleOf(name: string, type: string): unknown {
  if (name in WORD_OF) return WORD_OF[name];
  const sample = SAMPLES.find(([pattern]) => pattern.test(type));
  assert.ok(sample, `a value of ${type} for ${name}`);
  return sample[1];
}

const ofColumns = <T>(columns: readonly { name: string; type: string }[], value: (name: string, type: string) => T) =>
  Object.fromEntries(columns.map(({ name, type }) => [name, value(name, type)]));

describe('the row types of the facts on servers', () => {
  let servers: FactsServers;
  let addresses: Awaited<ReturnType<FactsServers['newDatabase']>>;
  before(async () => {
    servers = await startServers();
    addresses = await servers.newDatabase();
    await migrateFacts(addresses.url, addresses.ledgerUrl);
  });
  after(() => servers.close());

  it('are the columns that ClickHouse answers, and null only where it may answer null', async () => {
    const own = Object.entries(SERVER_ROW_TYPES).filter(([, read]) => read !== wholeRow);
    assert.deepEqual(Object.keys(WORDS).sort(), own.map(([name]) => name).sort());
    for (const [name, read] of own) {
      const text = serverText(name, WORDS[name as ServerStatement]).replaceAll(/\{\w+:String\}/g, "'orders'");
      const answered = (await readColumns(addresses.url, text)).map(({ name: column, type }) => {
        const [, inner] = /^Nullable\((.*)\)$/.exec(type) ?? [];
        return { name: column, type: inner ?? type, isNullable: inner !== undefined };
      });
      const row = ofColumns(answered, sampleOf);
      read(row);
      for (const { name: column, isNullable } of answered) {
        const withNull = () => read({ ...row, [column]: null });
        if (isNullable) withNull();
        else assert.throws(withNull, TypeError, `${name}.${column} is never null`);
      }
    }
  });

  it('are the columns that the load log answers', async () => {
    const statements = loadMarkedStatements(
      new URL('../../packages/service/src/facts/clickhouse/load-log/log.sql', import.meta.url),
    );
    const types = new Map<number, string>([
      [pg.types.builtins.INT4, 'int4'],
      [pg.types.builtins.INT8, 'int8'],
      [1016, 'int8[]'],
      [pg.types.builtins.TEXT, 'text'],
    ]);
    await withClient(addresses.ledgerUrl, async (client) => {
      for (const [name, read] of Object.entries(LOG_ROW_TYPES)) {
        await client.query('begin');
        const { fields } = await client.query(statements[name]?.sql ?? '', VALUES[name as LogStatement]);
        await client.query('rollback');
        read(
          ofColumns(
            fields.map((field) => ({ name: field.name, type: `${types.get(field.dataTypeID)}` })),
            sampleOf,
          ),
        );
      }
    });
  });
});
