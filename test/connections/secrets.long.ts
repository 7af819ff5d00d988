/**
 * Law: whatever the point of sale does, neither credentials and tokens nor what is known of guests and their cards is
 * in any log, row or file; the credentials are there encrypted alone.
 */
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import { DuckDBInstance } from '@duckdb/node-api';
import { isRefusal } from '../../packages/service/src/connections/failures.ts';
import { memberState } from '../../packages/service/src/connections/states.ts';
import { openLog } from '../../packages/service/src/log.ts';
import { small } from '../upstream/caller.ts';
import { GUEST_MARKS } from '../upstream/documents.ts';
import type { Fault } from '../upstream/faults.ts';
import { passDisturbed } from './disturbed.ts';
import { openLiveRig } from './live-rig.ts';

const FAULTS: readonly Fault[] = [
  { kind: 'status', status: 400, message: 'rehearsal-group-secret Quillfeather' },
  { kind: 'status', status: 401 },
  { kind: 'status', status: 403 },
  { kind: 'status', status: 404 },
  { kind: 'status', status: 503 },
  { kind: 'throttle', seconds: 5 },
  { kind: 'disconnect' },
  { kind: 'cut' },
  { kind: 'truncated' },
  { kind: 'text' },
  { kind: 'html' },
  { kind: 'repeatPage' },
  { kind: 'emptyPage' },
  { kind: 'date', seconds: 10_000 },
  { kind: 'redirect', to: 'http://10.0.0.1/rehearsal-group-secret' },
];

/** Everything that a file of facts has, as text: what it stores is compressed. */
async function textOfFacts(file: string): Promise<string> {
  const instance = await DuckDBInstance.create(file, { access_mode: 'READ_ONLY' });
  const connection = await instance.connect();
  const tables = await connection.runAndReadAll('select table_name from duckdb_tables()');
  const texts: string[] = [];
  for (const [name] of tables.getRows()) {
    const rows = await connection.runAndReadAll(`select to_json(t) from "${name}" t`);
    texts.push(`${name}\n`, ...rows.getRows().map(([row]) => String(row)));
  }
  connection.closeSync();
  instance.closeSync();
  return texts.join('\n');
}

it('secrets and guests are nowhere but encrypted, in all faults', async (t) => {
  const lines: string[] = [];
  const tokens = new Set<string>();
  let sent = '';
  const live = await openLiveRig({
    restaurants: [small(0), small(5)],
    backfillDays: 1,
    days: 4,
    log: openLog('debug', { write: (line) => void lines.push(line) }),
    onExchange({ headers }, { body }) {
      for (const [name, value] of Object.entries(headers))
        if (name.toLowerCase() === 'authorization') tokens.add(value.replace(/^Bearer /, ''));
      for (const mark of GUEST_MARKS) if (!sent.includes(mark) && body.includes(mark)) sent += mark;
    },
  });
  t.after(() => live.close());
  const { rig, guids, upstream } = live;
  const shown: string[] = [];
  const look = async (): Promise<void> => {
    const connection = await rig.connection();
    for (const guid of guids) {
      const streams = [...(await rig.streams(guid)).values()];
      const restaurant = await rig.member(guid);
      const state = memberState({ connection, restaurant, streams }, 'UTC', rig.now());
      shown.push(JSON.stringify({ state, restaurant, streams, connection }));
    }
  };
  for (let hour = 0; hour < 3; hour++) {
    const { faulty } = await passDisturbed(live, { hours: 1, killMs: 20 * 60_000, faults: FAULTS });
    assert.ok(faulty > 0);
    await look();
  }
  const [client] = upstream.world.clients;
  const { clientId = '', clientSecret = '' } = client ?? {};
  // The name of what the credentials were replaced by is refused, too.
  Object.assign(client ?? {}, { clientSecret: 'another' });
  upstream.world.change({ endTokens: true });
  await live.pass(async () => isRefusal((await rig.connection()).reason ?? ''));
  await look();

  assert.equal(sent.length, GUEST_MARKS.join('').length, 'the point of sale sends guests');
  assert.ok(tokens.size > 0 && lines.length > 0);
  const marks = [...GUEST_MARKS, clientId, clientSecret, ...tokens];
  const { folder } = rig.engine;
  await rig.engine.facts.close();
  const facts = await textOfFacts(join(folder, 'facts', 'facts.duckdb'));
  assert.ok(facts.length > 100_000, `the facts have ${facts.length} characters`);
  const texts: [string, string][] = [
    ['log', lines.join('')],
    ['states', shown.join('\n')],
    ['facts', facts],
  ];
  for (const file of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(file.parentPath, file.name);
    if (file.isFile()) texts.push([path, (await readFile(path)).toString('latin1')]);
  }
  const found = texts.flatMap(([name, text]) =>
    marks.filter((mark) => text.includes(mark)).map((mark) => `${mark} in ${name}`),
  );
  assert.deepEqual(found, []);
  assert.match((await rig.connection()).credentials ?? '', /^eyJ/);
});
