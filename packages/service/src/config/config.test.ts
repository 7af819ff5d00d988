import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { UsageError } from '@daypart/cli';
import { readCommand, readSettings } from '../commands/arguments.ts';
import { readConfig, SETTINGS, SettingError, type SettingName, variableOf } from './config.ts';
import { FORMER_NAMES } from './former-settings.ts';

const refusal = (work: () => unknown): string => {
  try {
    work();
  } catch (error) {
    assert.ok(error instanceof SettingError || error instanceof UsageError);
    return error.message;
  }
  return assert.fail('was accepted');
};

describe('settings', () => {
  it('have the defaults of the table', () => {
    const config = readConfig({}, {});
    assert.deepEqual(
      [config.data, config.host, config.port, config.sandbox, config.limits],
      ['./data', '127.0.0.1', 8080, false, 'on'],
    );
  });

  it('come from flags before variables before defaults', () => {
    const env = { DAYPART_PORT: '1', DAYPART_HOST: '::1', OTHER: 'x' };
    const config = readConfig(readCommand('serve', ['--port', '2']).settings, env, { data: './demo' });
    assert.deepEqual([config.port, config.host, config.data], [2, '::1', './demo']);
  });

  it('take flags with =, with a space, and switches alone', () => {
    const { settings, words } = readCommand('backup', ['--port=3', '--sandbox', 'word', '--data', 'x']);
    assert.deepEqual({ ...settings }, { port: '3', sandbox: 'on', data: 'x' });
    assert.deepEqual(words, ['word']);
    const serving = readCommand('serve', ['--sandbox', 'off', '--guest-scope', 'on', '--daily-report']).settings;
    assert.deepEqual({ ...serving }, { sandbox: 'off', guestScope: 'on', dailyReport: 'on' });
  });

  it('take an address to listen on as URLs write it, and the address that clients see', () => {
    const read = (text: string) => readConfig({ host: text, metricsHost: text }, {});
    assert.deepEqual([read('[::1]').host, read('[::1]').metricsHost, read('::').host], ['::1', '::1', '::']);
    const originOf = (publicUrl: string) => readConfig({ publicUrl }, {}).publicUrl;
    assert.deepEqual(
      ['https://reports.example.com', 'https://reports.example.com/', 'HTTP://Host:8080', ''].map(originOf),
      ['https://reports.example.com', 'https://reports.example.com', 'http://host:8080', undefined],
    );
    for (const url of ['http://host/?a=b', 'http://host/#a', 'http://user:word@host', 'host', 'ftp://host'])
      assert.match(
        refusal(() => originOf(url)),
        /--public-url must be an (address|http)/,
        url,
      );
  });

  it('take a base path, with which a public address agrees', () => {
    const read = (basePath: string, publicUrl = '') => readConfig({ basePath, publicUrl }, {});
    assert.deepEqual(
      ['', '/', 'day', '/day', '/day/', '/day/re_ports-2/'].map((path) => read(path).basePath),
      ['', '', '/day', '/day', '/day', '/day/re_ports-2'],
    );
    for (const url of ['https://host', 'https://host/', 'https://host/day', 'https://host/day/'])
      assert.equal(read('/day/', url).publicUrl, 'https://host/day', url);
    for (const path of ['/day', '/'])
      assert.match(
        refusal(() => read(path, 'https://host/reports/')),
        /--public-url has the path \/reports\/, but --base-path is \/(day\/)?: set both to the same path/,
      );
    for (const path of ['/a//b', '/a/../b', '/a b', '/é', '/a?b', 'https://host/a'])
      assert.match(
        refusal(() => read(path)),
        /--base-path must be a path such as \/reports\//,
        path,
      );
    for (const path of ['/v1', '/a/era', '/era/v1/'])
      assert.match(
        refusal(() => read(path)),
        /must not end like a base URL/,
      );
  });

  it('refuse a data folder whose path the engine cannot open', () => {
    for (const data of ['/tmp/why?/data', 'data?'])
      assert.match(
        refusal(() => readConfig({ data }, {})),
        /--data must be a path without \?/,
      );
    assert.equal(readConfig({ data: "/tmp/it's [1] #2" }, {}).data, "/tmp/it's [1] #2");
  });

  it('refuse unknown names with the nearest one', () => {
    assert.match(
      refusal(() => readCommand('serve', ['--prot', '1'])),
      /unknown flag --prot; did you mean --port\?/,
    );
    assert.match(
      refusal(() => readConfig({}, { DAYPART_SANDBX: '1' })),
      /DAYPART_SANDBX; did you mean DAYPART_SANDBOX\?/,
    );
  });

  it('take the three stores on servers together, or none of them', () => {
    const all = {
      DAYPART_LEDGER: 'postgres://daypart@db/daypart',
      DAYPART_FACTS: 'clickhouse://ch:8123/daypart',
      DAYPART_RESULTS: 's3://bucket/prefix?region=eu-central-1',
    };
    const config = readConfig({}, { ...all, DAYPART_ROLES: 'worker, api' });
    assert.deepEqual(
      [config.ledger, config.facts, config.results, config.roles],
      [...Object.values(all), ['api', 'worker']],
    );
    const { DAYPART_FACTS: _facts, ...two } = all;
    assert.match(
      refusal(() => readConfig({}, two)),
      /^DAYPART_FACTS is not set: /,
    );
    assert.match(
      refusal(() => readConfig({ facts: all.DAYPART_FACTS }, {})),
      /^DAYPART_LEDGER and DAYPART_RESULTS are not set: /,
    );
    assert.match(
      refusal(() => readConfig({}, { DAYPART_ROLES: 'api' })),
      /^DAYPART_ROLES is for stores on servers/,
    );
    const wrong = { DAYPART_LEDGER: 'mysql://root:secret@db/x', DAYPART_ROLES: 'api,gather', DAYPART_RESULTS: 's3:' };
    for (const [name, value] of Object.entries(wrong)) {
      const message = refusal(() => readConfig({}, { ...all, [name]: value }));
      assert.match(message, new RegExp(`^${name} must be `));
      assert.doesNotMatch(message, /secret/);
    }
    // A fault within an address is found at the start too, not when the store is opened.
    for (const [name, value, fault] of [
      ['DAYPART_FACTS', 'clickhouse://u:secret@h1,h2/db?cluter=main', 'has an unknown parameter cluter'],
      ['DAYPART_FACTS', 'clickhouse://u:secret@h1:x/db', 'must have hosts'],
      ['DAYPART_RESULTS', 's3://bucket/prefix?regoin=x', 'has an unknown parameter regoin'],
    ] as const) {
      const message = refusal(() => readConfig({}, { ...all, [name]: value }));
      assert.match(message, new RegExp(`^${name} ${fault}`));
      assert.doesNotMatch(message, /secret/);
    }
    assert.equal(
      readConfig({}, { ...all, DAYPART_FACTS: 'clickhouse://h1:1,h2:2/db?cluster=main' }).ledger,
      all.DAYPART_LEDGER,
    );
  });

  it('refuse bad values by the name they came under', () => {
    assert.match(
      refusal(() => readConfig({ port: '70000' }, {})),
      /^--port must be a whole number/,
    );
    assert.match(
      refusal(() => readConfig({}, { DAYPART_SUNSET: 'soon' })),
      /^DAYPART_SUNSET must be an ISO date/,
    );
    assert.match(
      refusal(() => readConfig({}, { DAYPART_BOOTSTRAP_CLIENT: 'a:b' })),
      /must be id:secret:group/,
    );
    assert.match(
      refusal(() => readCommand('serve', ['--port'])),
      /--port needs a value/,
    );
  });

  it('are read by their former names too, which are deprecated', () => {
    const former = readCommand('serve', [
      '--outside-issuer',
      'https://a.example.com',
      '--outside-dialect=live',
    ]).settings;
    const env = { DAYPART_OUTSIDE_AUDIENCE: 'a', DAYPART_OUTSIDE_ISSUER: 'https://b.example.com' };
    const config = readConfig(former, env);
    assert.deepEqual(
      [config.externalIssuer, config.externalAudience, config.externalDialect],
      ['https://a.example.com', 'a', 'live'],
    );
    assert.deepEqual(config.deprecated, [
      { former: '--outside-issuer', current: '--external-issuer' },
      { former: 'DAYPART_OUTSIDE_AUDIENCE', current: 'DAYPART_EXTERNAL_AUDIENCE' },
      { former: '--outside-dialect', current: '--external-dialect' },
    ]);

    const current = readConfig(
      {},
      { ...env, DAYPART_EXTERNAL_AUDIENCE: 'b', DAYPART_EXTERNAL_ISSUER: 'https://c.example.com' },
    );
    assert.deepEqual(
      [current.externalAudience, current.externalIssuer, current.deprecated],
      ['b', 'https://c.example.com', []],
    );
    assert.match(
      refusal(() => readConfig({}, { DAYPART_OUTSIDE_DIALECT: 'other' })),
      /^DAYPART_OUTSIDE_DIALECT must be/,
    );
    assert.match(
      refusal(() => readCommand('serve', ['--outside-isuer', 'x'])),
      /did you mean --external-issuer/,
    );
    for (const [former, name] of Object.entries(FORMER_NAMES)) {
      assert.ok(name in SETTINGS && !(former in SETTINGS));
    }
  });

  it('read the bootstrap client, whose secret may have colons', () => {
    const { bootstrapClient } = readConfig({}, { DAYPART_BOOTSTRAP_CLIENT: 'id:se:cret:group' });
    assert.deepEqual(bootstrapClient, { id: 'id', secret: 'se:cret', group: 'group' });
    const spaced = readConfig({}, { DAYPART_BOOTSTRAP_CLIENT: 'id: se:cret : my group ' }).bootstrapClient;
    assert.deepEqual(spaced, { id: 'id', secret: ' se:cret ', group: 'my group' });
    assert.match(
      refusal(() => readConfig({}, { DAYPART_BOOTSTRAP_CLIENT: 'id:secret: ' })),
      /must be id:secret:group$/,
    );
  });

  it('are not taken from what Kubernetes sets for a Service of this name, and a warning says so', () => {
    const env = {
      DAYPART_SERVICE_HOST: '10.0.0.7',
      DAYPART_SERVICE_PORT: '8080',
      DAYPART_SERVICE_PORT_HTTP: '8080',
      DAYPART_PORT: 'tcp://10.0.0.7:8080',
      DAYPART_PORT_8080_TCP: 'tcp://10.0.0.7:8080',
      DAYPART_PORT_8080_TCP_PROTO: 'tcp',
      DAYPART_PORT_8080_TCP_ADDR: '10.0.0.7',
      DAYPART_METRICS_SERVICE_HOST: '10.0.0.8',
      DAYPART_METRICS_PORT: 'tcp://10.0.0.8:9464',
    };
    const config = readConfig({}, env);
    assert.deepEqual([config.port, config.metricsPort, config.ignored], [8080, 9464, Object.keys(env)]);
    assert.equal(readConfig({ port: '1' }, env).port, 1);
    assert.deepEqual(readConfig({}, { DAYPART_PORT: '90' }).ignored, []);
    for (const wrong of ['DAYPART_HSOT', 'DAYPART_SERVICE_HOSTS', 'DAYPART_PORT_8080'])
      assert.match(
        refusal(() => readConfig({}, { [wrong]: 'x' })),
        /unknown setting/,
      );
    assert.match(
      refusal(() => readConfig({}, { DAYPART_PORT: 'http://x' })),
      /^DAYPART_PORT must be/,
    );
  });

  it('that are secret may be in files instead, and no others', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'daypart-secrets-'));
    try {
      const file = join(folder, 'bootstrap');
      await writeFile(file, 'id:sec ret:group\n');
      const env = { DAYPART_BOOTSTRAP_CLIENT_FILE: file };

      assert.deepEqual(readConfig({}, env).bootstrapClient, { id: 'id', secret: 'sec ret', group: 'group' });
      assert.equal(readConfig({ bootstrapClient: 'a:b:c' }, env).bootstrapClient?.id, 'a');
      assert.match(
        refusal(() => readConfig({}, { ...env, DAYPART_BOOTSTRAP_CLIENT: 'a:b:c' })),
        /^DAYPART_BOOTSTRAP_CLIENT and DAYPART_BOOTSTRAP_CLIENT_FILE are both set/,
      );
      assert.match(
        refusal(() => readConfig({}, { DAYPART_BOOTSTRAP_CLIENT_FILE: join(folder, 'none') })),
        /^DAYPART_BOOTSTRAP_CLIENT_FILE names a file that cannot be read/,
      );
      await writeFile(file, '\uFEFFid:sec ret:group\r\n');
      assert.deepEqual(readConfig({}, env).bootstrapClient, { id: 'id', secret: 'sec ret', group: 'group' });
      for (const empty of ['', '\n', '\uFEFF']) {
        await writeFile(file, empty);
        assert.equal(
          refusal(() => readConfig({}, env)),
          `DAYPART_BOOTSTRAP_CLIENT_FILE names an empty file: ${file}`,
        );
      }
      await writeFile(file, 'nothing of the kind');
      assert.match(
        refusal(() => readConfig({}, env)),
        /^DAYPART_BOOTSTRAP_CLIENT_FILE must be id:secret:group$/,
      );
      for (const name of Object.keys(SETTINGS) as SettingName[]) {
        const { secret = false }: { secret?: boolean } = SETTINGS[name];
        const unknown = () => readConfig({}, { [`${variableOf(name)}_FILE`]: '' });
        if (secret) unknown();
        else assert.match(refusal(unknown), /unknown setting/);
      }
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });

  it('leave the credentials of a command that calls a service alone', () => {
    const env = { DAYPART_CLIENT_ID: 'me', DAYPART_CLIENT_SECRET: 'secret' };
    assert.equal(readSettings({}, { env }).port, 8080);
  });
});
