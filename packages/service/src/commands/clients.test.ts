import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { promisify } from 'node:util';
import { PROCESS, UsageError } from '@daypart/cli';
import { decodeProtectedHeader } from 'jose';
import { createAccess } from '../access/access.ts';
import { openCredentials } from '../access/credentials.ts';
import { readConfig } from '../config/config.ts';
import { Problem } from '../contract/problems.ts';
import { DEFAULT_SCOPES, SCOPE_INGEST } from '../contract/words.ts';
import { openLedgerIn } from '../ledger/sqlite/sqlite.ts';
import { clientsCommand } from './clients.ts';
import { consoleLinkCommand } from './console-link.ts';
import { groupsCommand } from './groups.ts';
import { keysCommand } from './keys.ts';

const run = promisify(execFile);

async function withData(work: (data: string) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'daypart-commands-'));
  try {
    const data = join(folder, 'data');
    await (await openLedgerIn(data)).close();
    await work(data);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function lines(command: typeof clientsCommand, ...args: string[]): Promise<string[]> {
  const out: string[] = [];
  await command(args, (line) => out.push(line), PROCESS);
  return out;
}

/** Runs a command in a process of its own. */
async function elsewhere(name: 'clients' | 'keys', ...args: string[]): Promise<void> {
  const module = new URL(`./${name}.ts`, import.meta.url).href;
  const script = `import { PROCESS } from '@daypart/cli';
    import { ${name}Command } from '${module}';
    await ${name}Command(${JSON.stringify(args)}, console.log, PROCESS);`;
  await run(process.execPath, ['--disable-warning=ExperimentalWarning', '--input-type=module', '-e', script]);
}

const misuse = (message: RegExp) => (error: unknown) => error instanceof UsageError && message.test(error.message);

describe('daypart clients', () => {
  it('creates a client whose secret works, and shows it once', () =>
    withData(async (data) => {
      const requested = ['--group', 'blue', '--scopes', SCOPE_INGEST, '--dialect=live', '--name', 'back office'];
      const created = await lines(clientsCommand, 'create', '--data', data, ...requested);

      const shown = (name: string) => created.find((line) => line.startsWith(name))?.slice(11) ?? '';
      const ledger = await openLedgerIn(data);
      const { authenticate } = await openCredentials({ ledger, config: readConfig({}, {}), clock: Date.now });
      const client = await authenticate([{ id: shown('Client id'), secret: shown('Secret') }], '127.0.0.1');
      await ledger.close();
      assert.deepEqual(
        [client?.group, client?.scopes, client?.dialect, client?.name],
        ['blue', [SCOPE_INGEST], 'live', 'back office'],
      );
      assert.match(created.at(-1) ?? '', /secret is shown only once/);
      const listed = (await lines(clientsCommand, 'list', '--data', data)).join('\n');
      assert.ok(listed.includes(shown('Client id')) && !listed.includes(shown('Secret')) && !listed.includes('scrypt'));
    }));

  it('creates and lists as JSON, with the scopes for reports and loading if none is named', () =>
    withData(async (data) => {
      const [created = ''] = await lines(clientsCommand, 'create', '--group', 'blue', '--json', '--data', data);
      const [listed = ''] = await lines(clientsCommand, 'list', '--json', '--data', data);

      const { secret, ...client } = JSON.parse(created);
      const [{ createdAt, ...first }] = JSON.parse(listed);
      assert.deepEqual(client.scopes, [...DEFAULT_SCOPES]);
      assert.deepEqual(first, { ...client, revokedAt: null });
      assert.ok(secret.length === 43 && Number.isInteger(createdAt));
    }));

  it('lists in aligned columns', () =>
    withData(async (data) => {
      assert.match((await lines(clientsCommand, 'list', '--data', data))[0] ?? '', /^No clients yet/);
      await lines(clientsCommand, 'create', '--group', 'a-long-group-name', '--data', data);
      await lines(clientsCommand, 'create', '--group', 'b', '--name', 'till', '--data', data);

      const [heading = '', ...rows] = await lines(clientsCommand, 'list', '--data', data);

      const column = heading.indexOf('DIALECT');
      assert.equal(rows.length, 2);
      for (const row of rows) assert.equal(row.slice(column, column + 9), 'reference');
    }));

  it('revokes once, and fails for a client that is not there', () =>
    withData(async (data) => {
      const [created = ''] = await lines(clientsCommand, 'create', '--group', 'blue', '--json', '--data', data);
      const { id } = JSON.parse(created);

      assert.match((await lines(clientsCommand, 'revoke', id, '--data', data)).join(), /^Revoked/);
      assert.match((await lines(clientsCommand, 'revoke', id, '--data', data)).join(), /was already revoked/);
      await assert.rejects(
        lines(clientsCommand, 'revoke', 'client-x', '--data', data),
        (error) => error instanceof Error && !(error instanceof UsageError) && /no client client-x/.test(error.message),
      );
    }));

  it('rotates a secret: both work for a day, and a revoked client gets none', () =>
    withData(async (data) => {
      const [created = ''] = await lines(clientsCommand, 'create', '--group', 'blue', '--json', '--data', data);
      const { id, secret } = JSON.parse(created);
      const [rotated = ''] = await lines(clientsCommand, 'rotate', id, '--json', '--data', data);
      const next = JSON.parse(rotated);
      const [first, , told] = await lines(clientsCommand, 'rotate', id, '--data', data);

      assert.deepEqual([first, next.id, next.secret.length], [`Client id  ${id}`, id, 43]);
      assert.match(told ?? '', /^The previous secret is valid until \d{4}-\d\d-\d\d \d\d:\d\d UTC/);
      const ledger = await openLedgerIn(data);
      const works = async (value: string, ms: number) => {
        const clock = () => Date.now() + ms;
        const { authenticate } = await openCredentials({ ledger, config: readConfig({}, {}), clock });
        return (await authenticate([{ id, secret: value }], '127.0.0.1').catch(() => undefined)) !== undefined;
      };
      assert.deepEqual([await works(secret, 0), await works(next.secret, 0)], [false, true]);
      assert.equal(await works(next.secret, 25 * 3_600_000), false);
      await ledger.close();
      await lines(clientsCommand, 'revoke', id, '--data', data);
      await assert.rejects(lines(clientsCommand, 'rotate', id, '--data', data), /is revoked/);
      await assert.rejects(lines(clientsCommand, 'rotate', 'client-x', '--data', data), /no client client-x/);
    }));

  it('sets a webhook, shows its secret once, what it is, and takes it off', () =>
    withData(async (data) => {
      const created = await lines(clientsCommand, 'create', '--group', 'blue', '--json', '--data', data);
      const { id } = JSON.parse(created[0] ?? '');
      const webhook = (...args: string[]) => lines(clientsCommand, 'webhook', id, ...args, '--data', data);

      const first = await webhook('--url', 'https://example.com/hook');
      const moved = await webhook('--url', 'https://example.org/hook');
      const rotated = await webhook('--url', 'https://example.org/hook', '--rotate-secret');

      assert.match(first.join('\n'), /Secret {5}whsec_[A-Za-z0-9+/=]{44}\n/);
      assert.deepEqual(moved, [`Client id  ${id}`, 'Calls      https://example.org/hook']);
      assert.match(rotated[2] ?? '', /^Secret {5}whsec_/);
      assert.notEqual(rotated[2], first[2]);
      assert.deepEqual(await webhook(), ['Calls      https://example.org/hook']);
      await assert.rejects(webhook('--url', 'https://10.0.0.1/'), misuse(/--url: the host has no public address/));
      await assert.rejects(webhook('--url', 'http://example.com/'), misuse(/--url must begin with https/));
      assert.match((await webhook('--url', 'http://10.0.0.1/', '--webhook-private'))[1] ?? '', /http:\/\/10/);
      assert.deepEqual(await webhook('--off'), [`Removed: ${id} is not called any more.`]);
      assert.match((await webhook())[0] ?? '', /has no webhook/);
      await assert.rejects(lines(clientsCommand, 'webhook', 'nobody', '--off', '--data', data), /no client nobody/);
    }));

  it('sets the limits of a client, and with daypart groups those of a group and its name', () =>
    withData(async (data) => {
      await lines(clientsCommand, 'create', '--group', 'bistro', '--init', '--data', data);
      const [, row = ''] = await lines(clientsCommand, 'list', '--data', data);
      const id = row.split(' ')[0] ?? '';
      const quota = 'retrieval=off check=5/min,60/day';
      const set = await lines(clientsCommand, 'set', id, '--quota', quota, '--data', data);
      assert.deepEqual(set, [`Limits of ${id}: ${quota}`]);
      assert.ok((await lines(clientsCommand, 'list', '--data', data))[1]?.endsWith(quota));
      assert.match(
        (await lines(clientsCommand, 'set', id, '--quota', 'none', '--data', data))[0] ?? '',
        /no limits of its own/,
      );

      const name = ' Bistro\u00a0 Ltd';
      await lines(groupsCommand, 'set', 'bistro', '--name', name, '--quota', quota, '--data', data);
      await lines(groupsCommand, 'set', 'new', '--data', data);
      const [, ...rows] = await lines(groupsCommand, 'list', '--data', data);
      assert.deepEqual(
        rows.map((one) => one.split(/ {2,}/)),
        [
          ['bistro', 'Bistro Ltd', quota],
          ['new', 'new', '-'],
        ],
      );
      for (const wrong of [' \u00a0', 'x'.repeat(101)])
        await assert.rejects(
          lines(groupsCommand, 'set', 'bistro', '--name', wrong, '--data', data),
          /a text of 1 to 100 characters/,
        );
      for (const [command, ...args] of [
        [clientsCommand, 'create', '--group', 'bistro'],
        [consoleLinkCommand, '--group', 'bistro'],
      ] as const)
        await assert.rejects(
          lines(command, ...args, '--name', ' \u200d', '--data', data),
          /a text of 1 to 100 characters/,
        );
      await assert.rejects(
        lines(groupsCommand, 'remove', 'bistro', '--confirm', 'bistro', '--data', data),
        /the name of the group, Bistro Ltd/,
      );
    }));

  it('refuses misuse, and then leaves the data folder alone', () =>
    withData(async (data) => {
      const none = join(data, 'none');
      const cases: [string[], RegExp][] = [
        [[], /create, list, rotate, revoke, set or webhook/],
        [['crate'], /did you mean create/],
        [['create'], /needs --group/],
        [['create', '--group', ' '], /needs --group/],
        [['create', '--group', 'g', '--scopes', 'ingest:wrte'], /did you mean ingest:write/],
        [['create', '--group', 'g', '--scopes', ','], /--scopes takes/],
        [['create', '--group', 'g', '--dialect', 'old'], /--dialect takes reference, live/],
        [['create', '--group', 'g', 'more'], /unexpected more/],
        [['create', '--grup', 'g'], /did you mean --group/],
        [['list', '--group', 'g'], /unknown flag --group/],
        [['revoke'], /needs the id/],
        [['rotate'], /needs the id/],
        [['set', '--quota', 'check=5/min'], /needs the id/],
        [['set', 'a'], /needs --quota/],
        [['set', 'a', '--quota', 'check'], /LIMIT=CALLS/],
        [['set', 'a', '--quota', 'checks=5/min'], /Unknown field checks/],
        [['set', 'a', '--quota', 'check=5'], /check must be calls per s/],
        [['list', '--url', 'http://127.0.0.1:1/v1'], /not both/],
        [['revoke', 'a', 'b'], /unexpected b/],
        [['webhook'], /needs the id/],
        [['webhook', 'a', '--url', 'https://example.com', '--off'], /not both/],
        [['webhook', 'a', '--rotate-secret'], /needs --url/],
        [['list', '--off'], /unknown flag --off/],
      ];
      for (const [args, message] of cases) {
        await assert.rejects(lines(clientsCommand, ...args, '--data', none), misuse(message), args.join(' '));
      }
      assert.equal(existsSync(none), false);
    }));
});

describe('daypart keys', () => {
  it('rotates, and lists which key signs', () =>
    withData(async (data) => {
      assert.match((await lines(keysCommand, 'list', '--data', data)).join(), /^No keys yet/);
      await lines(keysCommand, 'rotate', '--data', data);
      const [told = ''] = await lines(keysCommand, 'rotate', '--data', data);

      const [heading, first = '', second = ''] = await lines(keysCommand, 'list', '--data', data);

      assert.match(heading ?? '', /^KEY +ALGORITHM +CREATED +STATE$/);
      assert.ok(told.includes(first.split(' ')[0] ?? 'none'));
      assert.match(first, /signs$/);
      assert.match(second, /verifies, retired/);
    }));

  it('refuses misuse', () =>
    withData(async (data) => {
      await assert.rejects(
        lines(keysCommand, '--data', data),
        misuse(/rotate, list, rotate-fingerprints or rotate-secrets/),
      );
      await assert.rejects(lines(keysCommand, 'rotat', '--data', data), misuse(/did you mean rotate/));
      await assert.rejects(lines(keysCommand, 'list', 'all', '--data', data), misuse(/unexpected all/));
    }));
});

describe('commands beside a running service', () => {
  it('take effect on it: a new client, a rotation, a revocation', () =>
    withData(async (data) => {
      const ledger = await openLedgerIn(data);
      let now = Date.now();
      const access = await createAccess({ ledger, config: readConfig({}, {}), clock: () => now });
      const tokenOf = async (id: string) => {
        const client = (await ledger.client(id)) ?? assert.fail();
        return (await access.issueToken(client, client.scopes, 'http://localhost')).accessToken;
      };

      await elsewhere('clients', 'create', '--group', 'blue', '--data', data);
      const [client] = await ledger.clients();
      const id = client?.id ?? assert.fail();
      const first = await tokenOf(id);
      await elsewhere('keys', 'rotate', '--data', data);
      now += 1000;
      const second = await tokenOf(id);

      assert.notEqual(decodeProtectedHeader(first).kid, decodeProtectedHeader(second).kid);
      for (const token of [first, second]) assert.equal((await access.verify(token)).clientId, id);
      await elsewhere('clients', 'revoke', id, '--data', data);
      for (const token of [first, second]) {
        await assert.rejects(
          access.verify(token),
          (error) => error instanceof Problem && error.code === 'token_invalid',
        );
      }
      await ledger.close();
    }));
});
