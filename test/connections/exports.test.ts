/** Folders of exports over SFTP: what is read of a server, and what it cannot do to the service. */
import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { FolderContext } from '../../packages/service/src/connections/folder-source.ts';
import { makeKeyPair } from '../../packages/service/src/connections/key-pair.ts';
import { exportsWith } from '../../packages/service/src/connections/sources/exports/exports.ts';
import { loadSsh2 } from '../../packages/service/src/connections/sources/exports/ssh2.ts';
import { beginConnection } from '../../packages/service/src/http/public-request.ts';
import { type SftpStandIn, startSftp } from '../upstream/sftp.ts';

const DAY = fileURLToPath(new URL('../golden/plain-day/20260310', import.meta.url));
const FILES = [
  'CheckDetails',
  'ItemSelectionDetails',
  'ModifiersSelectionDetails',
  'OrderDetails',
  'PaymentDetails',
  'TimeEntries',
];

describe('exports over SFTP', () => {
  const { publicKey, privateKey } = makeKeyPair();
  const source = exportsWith({ idleMs: 300, wholeMs: 5000, mostEntries: 1000 });
  let folder: string;
  let server: SftpStandIn;
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daypart-sftp-'));
    for (const [location, date] of [
      ['185129', '20260310'],
      ['185129', '20260309'],
      ['185130', '20260310'],
    ] as const)
      await cp(DAY, join(folder, location, date), { recursive: true, preserveTimestamps: true });
    await mkdir(join(folder, '185129', 'not-a-date'));
    await mkdir(join(folder, '185129', '20261399'));
    server = await startSftp(folder);
    server.accepts = publicKey;
  });
  after(async () => {
    await server.close();
    await rm(folder, { recursive: true, force: true });
  });
  afterEach(() => {
    server.rule = () => undefined;
    server.more.clear();
    server.accepts = publicKey;
  });

  const context = (changes: Record<string, string> = {}, allowPrivate = true): FolderContext => ({
    credentials: Object.assign({ user: 'exports', privateKey, hostKey: server.hostKey }, changes),
    signal: new AbortController().signal,
    dial: () => beginConnection(new URL(`sftp://127.0.0.1:${server.port}`), server.port, allowPrivate),
  });
  /** What fetching the first date answers. */
  async function fetchFirst(): Promise<string> {
    const [day] = await source.days(context(), '185129');
    const path = await mkdtemp(join(tmpdir(), 'daypart-fetched-'));
    try {
      assert.ok(day);
      await source.fetch(context(), '185129', day, path);
      return 'fetched';
    } catch (error) {
      return (error as { code?: string }).code ?? String(error);
    } finally {
      await rm(path, { recursive: true, force: true });
    }
  }

  it('list the folders of restaurants, their dates, and the files of an import', async () => {
    const unpinned = Object.assign(context(), { credentials: { user: 'exports', privateKey } });
    const { folders, hostKey } = await source.folders(unpinned);
    assert.deepEqual([folders, hostKey], [['185129', '185130'], server.hostKey]);

    const days = await source.days(context(), '185129');
    assert.deepEqual(
      days.map(({ date }) => date),
      [20260309, 20260310],
    );
    assert.deepEqual(
      days[0]?.files.map(({ name }) => name),
      FILES.map((name) => `${name}.csv`),
    );
  });

  it('are copied as they are', async () => {
    const [, day] = await source.days(context(), '185129');
    const path = await mkdtemp(join(tmpdir(), 'daypart-fetched-'));
    assert.ok(day);
    await source.fetch(context(), '185129', day, path);
    for (const name of await readdir(path))
      assert.deepEqual(await readFile(join(path, name)), await readFile(join(DAY, name)));
    assert.equal((await readdir(path)).length, FILES.length);
    await rm(path, { recursive: true });
  });

  it('are read from the confirmed server with the accepted key only', async () => {
    const logins = server.logins;
    const other = context({ hostKey: 'SHA256:AAAA' });
    await assert.rejects(source.folders(other), {
      code: 'host_key_changed',
      message: new RegExp(server.hostKey.replace(/[+/]/g, '.')),
    });
    assert.equal(server.logins, logins);
    server.accepts = makeKeyPair().publicKey;
    await assert.rejects(source.folders(context()), { code: 'key_refused' });
    await assert.rejects(async () => source.folders(context({}, false)), { name: 'NotPublic' });
  });

  it('have no links and no names that lead out of the folder', async () => {
    server.more.set('/', [
      { filename: '..', mode: 0o040755 },
      { filename: '../../etc', mode: 0o040755 },
      { filename: '.ssh', mode: 0o040700 },
      { filename: '185131', mode: 0o120777 },
    ]);
    server.more.set('/185129/20260309', [
      { filename: 'MenuExport/../../../x.json', mode: 0o100644 },
      { filename: 'MenuExport_1.json', mode: 0o120777 },
      { filename: 'PaymentDetails.csv', mode: 0o100644 },
      { filename: 'passwords.txt', mode: 0o100644 },
    ]);
    assert.deepEqual((await source.folders(context())).folders, ['185129', '185130']);
    const [day] = await source.days(context(), '185129');
    assert.equal(day?.files.length, FILES.length);
  });

  it('end with an error when the server drops, stalls, truncates, refuses, or lists for ever', async () => {
    const cases = [
      ['OPENDIR', 'drop', 'upstream_unreachable'],
      ['OPENDIR', 'stall', 'upstream_unreachable'],
      ['OPENDIR', 'deny', 'no_permission'],
      ['OPENDIR', 'fail', 'upstream_error'],
      ['READDIR', 'endless', 'upstream_changed'],
    ] as const;
    for (const [op, fault, code] of cases) {
      server.rule = (call) => (call.op === op ? fault : undefined);
      await assert.rejects(source.days(context(), '185129'), { code }, `${op} ${fault}`);
    }
    for (const [fault, code] of [
      ['drop', 'upstream_unreachable'],
      ['stall', 'upstream_unreachable'],
      ['truncate', 'upstream_error'],
      ['fail', 'upstream_error'],
    ] as const) {
      server.rule = (call) => (call.op === 'READ' && call.path.includes('Payment') ? fault : undefined);
      assert.equal(await fetchFirst(), code, fault);
    }
    server.rule = () => undefined;
    assert.equal(await fetchFirst(), 'fetched');
    await assert.rejects(source.days(context(), '185139'), { code: 'restaurant_unknown' });
  });

  it('are not taken if they change while they are read', async () => {
    const changed = join(folder, '185129/20260309/TimeEntries.csv');
    const before = await readFile(changed);
    server.rule = ({ op, path }) => {
      if (op === 'OPEN' && path.includes('TimeEntries'))
        server.more.set('/185129/20260309', [{ filename: 'MenuExport_1.json', mode: 0o100644 }]);
      return undefined;
    };
    assert.equal(await fetchFirst(), 'upstream_error');
    assert.deepEqual(await readFile(changed), before);
  });

  it('end at once when reading is aborted', async () => {
    server.calls = [];
    server.rule = () => 'stall';
    const abort = new AbortController();
    const reading = source.folders(Object.assign(context(), { signal: abort.signal }));
    while (!server.calls.some(({ op }) => op === 'OPENDIR')) await new Promise(setImmediate);
    const reason = new Error('enough');
    abort.abort(reason);
    await assert.rejects(reading, reason);
  });

  it('say which package is missing', async () => {
    await assert.rejects(loadSsh2(folder, 'ssh2-is-not-here'), {
      code: 'package_missing',
      message: /npm install ssh2 --ignore-scripts/,
    });
  });
});
