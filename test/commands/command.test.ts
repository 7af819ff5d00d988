/** The `daypart` command as users run it: real processes, exit codes, signals. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { after, before, describe, it } from 'node:test';
import { run } from './in-process.ts';
import { serve, run as spawn, start, stop, tokenOf } from './process.ts';

describe('the daypart command', () => {
  let data: string;
  before(async () => {
    data = await mkdtemp(join(tmpdir(), 'daypart-command-'));
  });
  after(() => rm(data, { recursive: true, force: true }));

  it('prints its version and its usage', async () => {
    const [version, help, alone, serve, create, clients] = await Promise.all(
      [['--version'], ['--help'], [], ['serve', '--help'], ['help', 'clients', 'create'], ['clients', '--help']].map(
        (args) => (args[0] === '--version' ? spawn : run)(args),
      ),
    );
    assert.ok(version && help && alone && serve && create && clients);
    for (const { code, err } of [version, help, alone, serve, create, clients]) assert.deepEqual([code, err], [0, '']);
    assert.match(version.out, /^\d+\.\d+\.\d+(?:-rc\.\d+)?\n$/);
    assert.match(help.out, /daypart report metrics\|checks[\s\S]*daypart serve[\s\S]*Exit codes/);
    assert.equal(alone.out, help.out);
    assert.match(serve.out, /^daypart serve: [\s\S]*--token-seconds VALUE[\s\S]*Examples/);
    assert.match(create.out, /^daypart clients create: [\s\S]*--group GROUP[\s\S]*Examples/);
    assert.doesNotMatch(create.out, /--token-seconds VALUE|daypart clients list:/);
    assert.match(clients.out, /daypart clients create: [\s\S]*daypart clients list: /);
  });

  it('shows the names of clients without what a terminal would obey, and as JSON as they are', async () => {
    const name = 'till\u001b]0;mine\u0007\u009b2J\u202e';
    const folder = join(data, 'names');
    await run(['clients', 'create', '--group', 'g', '--name', 'till', '--data', folder, '--init']);
    // As versions have stored it that took any name.
    const ledger = new DatabaseSync(join(folder, 'ledger.sqlite'));
    ledger.prepare('update client set name = ?').run(name);
    ledger.close();

    const table = await run(['clients', 'list', '--data', folder]);
    const json = await run(['clients', 'list', '--json', '--data', folder]);

    assert.match(table.out, /till�]0;mine��2J�/);
    // biome-ignore lint/suspicious/noControlCharactersInRegex: there must be none
    for (const { out } of [table, json]) assert.doesNotMatch(out, /[\u001b\u0007\u007f-\u009f\u202e]/);
    assert.equal(JSON.parse(json.out)[0].name, name);
  });

  it('makes no data folder but for clients create --init, serve and demo', async () => {
    const folder = join(data, 'no ne');
    for (const args of [
      ['clients', 'list'],
      ['clients', 'create', '--group', 'g'],
      ['clients', 'revoke', 'x'],
      ['keys', 'list'],
      ['keys', 'rotate'],
      ['facts', 'verify'],
    ]) {
      const { code, err } = await run([...args, '--data', folder]);
      assert.equal(code, 1, args.join(' '));
      assert.match(err, /no ne is not a data folder: it has no ledger\.sqlite; name one with --data/);
      assert.equal(/--init/.test(err), args[1] === 'create');
    }
    await assert.rejects(stat(folder));

    const made = await run(['clients', 'create', '--group', 'g', '--init', '--data', folder]);
    const list = await run(['clients', 'list', '--data', folder]);

    assert.deepEqual([made.code, list.code, list.out.split('\n').length], [0, 0, 3], made.err + list.err);
  });

  it('says how to make credentials on any host while there are none, with the folder, and serves metrics where configured', async () => {
    const folder = join(data, 'with space');
    /** Serves until it has said `last`, or a moment longer than it has said where its metrics are. */
    const hint = async (last: string | undefined, ...more: string[]): Promise<{ out: string; err: string }> => {
      const args = ['serve', '--port', '0', '--metrics-port', '0', '--engine-memory', '256', '--data', folder, ...more];
      const child = start(args, { DAYPART_PORT: 'tcp://10.0.0.7:8080', DAYPART_SERVICE_HOST: '10.0.0.7' });
      let [out, err, request] = ['', '', false];
      child.stderr?.on('data', (chunk) => {
        err += chunk;
      });
      for await (const chunk of child.stdout ?? []) {
        out += chunk;
        const [, metrics] = /OpenMetrics on (\S+)\n/.exec(out) ?? [];
        if (!metrics || request || (last !== undefined && !out.includes(last))) continue;
        request = true;
        assert.match(await (await fetch(metrics)).text(), /daypart_reports/);
        setTimeout(() => void stop(child), 300);
      }
      return { out, err };
    };

    const first = await hint('clients create --group', '--host', '0.0.0.0', '--metrics-host', '127.0.0.2');
    await run(['clients', 'create', '--group', 'g', '--data', folder]);
    const second = await hint(undefined);

    assert.ok(first.out.includes(`daypart clients create --group NAME --data '${folder}'\n`), first.out);
    assert.match(first.out, /OpenMetrics on http:\/\/127\.0\.0\.2:\d+\/metrics/);
    assert.match(first.err, /ignored DAYPART_PORT, DAYPART_SERVICE_HOST: Kubernetes sets them/);
    assert.doesNotMatch(second.out, /clients create/);
  });

  it('exits 2 when misused, with the nearest name', async () => {
    const cases: [string[], Record<string, string>, RegExp][] = [
      [['clients'], {}, /clients needs create, list, rotate, revoke, set or webhook/],
      [['serv'], {}, /did you mean serve/],
      [['serve', '--sandbx'], {}, /did you mean --sandbox/],
      [['serve', '--port', 'x'], {}, /--port must be a whole number/],
      [['serve', 'extra'], {}, /unexpected extra/],
      [['serve'], { DAYPART_SNSET: '2030-01-01' }, /DAYPART_SNSET; did you mean DAYPART_SUNSET/],
      [['clients', 'create'], {}, /--group/],
      [['clients', 'create', '--group', 'g', '--scopes', 'ingest:wirte'], {}, /ingest:write/],
      [['clients', 'crate'], {}, /create/],
    ];
    await Promise.all(
      cases.map(async ([args, env, message], at) => {
        const { code, err } = await (at === 0 ? spawn : run)(args, { DAYPART_DATA: data, ...env });
        assert.equal(code, 2, args.join(' '));
        assert.match(err, message);
      }),
    );
  });

  it('makes, lists and revokes clients beside a running service, which sees it at once', async () => {
    const { child, base } = await serve(['--data', data]);
    try {
      const made = await run([
        'clients',
        'create',
        '--group',
        'g',
        '--name',
        'BI',
        '--dialect',
        'live',
        '--json',
        '--data',
        data,
      ]);
      assert.equal(made.code, 0, made.err);
      const { id, secret } = JSON.parse(made.out);
      const response = await tokenOf(base, id, secret);
      assert.equal(response.status, 200);
      const { access_token: token } = (await response.json()) as { access_token: string };
      const read = () => fetch(`${base}/restaurants-information`, { headers: { authorization: `Bearer ${token}` } });
      assert.equal((await read()).status, 200);

      const listed = await run(['clients', 'list', '--data', data]);
      assert.match(listed.out, new RegExp(`${id}.*g.*`));
      assert.ok(!listed.out.includes(secret));
      assert.equal((await run(['clients', 'revoke', id, '--data', data])).code, 0);

      assert.equal((await read()).status, 401);
      assert.equal((await tokenOf(base, id, secret)).status, 401);
      assert.equal((await run(['clients', 'revoke', 'nobody', '--data', data])).code, 1);
      assert.equal((await run(['keys', 'rotate', '--data', data])).code, 0);
    } finally {
      assert.equal(await stop(child), 0);
    }
  });

  it('refuses a second service on the same data folder, and a port that is taken', async () => {
    const { child, base } = await serve(['--data', data]);
    try {
      const second = await run(['serve', '--data', data, '--port', '0']);
      assert.equal(second.code, 1);
      assert.match(second.err, /another daypart service is running on the data folder/);
      const other = join(data, 'other');
      const taken = await run(['serve', '--data', other, '--port', new URL(base).port, '--metrics-port', 'off']);
      assert.equal(taken.code, 1);
      assert.match(taken.err, /is taken/);
    } finally {
      await stop(child);
    }
  });

  it('warns once about a host without TLS, and keeps its folder private', async () => {
    const folder = join(data, 'open');
    const child = start([
      'serve',
      '--data',
      folder,
      '--host',
      '0.0.0.0',
      '--port',
      '0',
      '--metrics-port',
      'off',
      '--engine-memory',
      '512',
    ]);
    let err = '';
    child.stderr?.on('data', (chunk) => {
      err += chunk;
    });
    await once(child.stdout as NodeJS.ReadableStream, 'data');
    assert.equal(await stop(child, 'SIGINT'), 0);
    assert.equal(err.split('without TLS').length, 2, err);
    assert.equal((await stat(folder)).mode & 0o777, 0o700);
  });
});
