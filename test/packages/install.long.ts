/** What `npm publish` would send, installed by npm into empty folders outside of the checkout, and used there. */
import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { DEMO_RESTAURANTS } from '../../packages/service/src/demo/restaurants.ts';
import { ENVIRONMENT, install, NODE_20, type PackageName, type Packed, packOnce, ROOT, run } from './pack.ts';

const NAMES: readonly PackageName[] = ['client', 'cli', 'service'];
const read = (path: string): Promise<string> => readFile(path, 'utf8');

/** A process without the checkout's variables, whose home is in the folder. */
const environmentIn = (folder: string): NodeJS.ProcessEnv => ({ PATH: ENVIRONMENT.PATH, HOME: join(folder, 'home') });

/** The restaurants that have reported the last date. */
const REPORTED = DEMO_RESTAURANTS.filter(({ reportsLate }) => !reportsLate).length;

/** Starts the demo by npx and answers what it printed, once it has printed everything. */
async function startDemo(folder: string): Promise<{ child: ChildProcess; printed: string }> {
  const args = ['--no-install', 'daypart', 'demo', '--port', '0', '--metrics-port', 'off', '--engine-memory', '512'];
  const child = spawn('npx', args, { cwd: folder, env: environmentIn(folder), detached: true });
  let [printed, err] = ['', ''];
  child.stderr?.on('data', (piece) => {
    err += piece;
  });
  for await (const piece of child.stdout as AsyncIterable<Buffer>) {
    printed += piece;
    if (printed.includes('Stop with Ctrl-C')) return { child, printed };
  }
  throw new Error(`the demo ended: ${err}`);
}

async function stop(child: ChildProcess | undefined): Promise<void> {
  if (child?.pid === undefined || child.exitCode !== null) return;
  const closed = once(child, 'exit');
  // npx, its shell and the service: they are one group.
  process.kill(-child.pid, 'SIGTERM');
  await closed;
}

describe('the packed packages', () => {
  let packed: Packed;
  const unpacked = new Map<PackageName, string>();
  before(async () => {
    packed = await packOnce();
    for (const name of NAMES) {
      const folder = join(packed.folder, 'unpacked', name);
      await mkdir(folder, { recursive: true });
      await run('tar', ['-xzf', packed.tarballs[name], '-C', folder, '--strip-components=1']);
      unpacked.set(name, folder);
    }
  });
  after(() => packed?.remove());

  it('have JavaScript, types and maps that hold their sources, a README and the licence, and no source of ours', async () => {
    for (const name of NAMES) {
      const folder = unpacked.get(name) ?? '';
      const all = (await readdir(folder, { recursive: true })).filter((file) => !file.startsWith('node_modules'));
      const modules = all.filter((file) => file.startsWith('dist/') && file.endsWith('.js'));

      assert.ok(modules.length > 0, name);
      assert.deepEqual(
        all.filter((file) => /\.ts$/.test(file) && !file.endsWith('.d.ts')),
        [],
        name,
      );
      assert.ok(
        all.every((file) => !file.includes('.test.')),
        name,
      );
      for (const file of modules.filter((one) => !one.includes('docs-site/static'))) {
        const map = JSON.parse(await read(join(folder, `${file}.map`)));
        assert.equal(map.sources.length, map.sourcesContent.length, `${name}/${file}`);
        assert.ok(all.includes(file.replace(/\.js$/, '.d.ts')), `${name}/${file} has types`);
      }
      assert.equal(await read(join(folder, 'LICENSE')), await read(join(ROOT, 'LICENSE')));
      assert.match(await read(join(folder, 'README.md')), /^# /);
    }
  });

  it('are of one version, run nothing when they are installed, and the service has what its commands for reports need', async () => {
    const manifests = await Promise.all(
      NAMES.map(async (name) => JSON.parse(await read(join(unpacked.get(name) ?? '', 'package.json')))),
    );
    const [client, cli, service] = manifests;

    assert.deepEqual(new Set(manifests.map(({ version }) => version)), new Set([client.version]));
    assert.deepEqual(
      manifests.flatMap(({ scripts }) => Object.keys(scripts)).filter((script) => /install|^prepare$/.test(script)),
      [],
    );
    // npm installs nothing for packages that come inside another.
    assert.deepEqual({ ...service.dependencies, ...cli.dependencies }, service.dependencies);
  });

  it('have nothing for publint to say', async () => {
    for (const name of NAMES) {
      const tarball = new Uint8Array(await readFile(packed.tarballs[name])).buffer;
      const { messages, pkg } = await publint({ pack: { tarball }, level: 'warning', strict: true });
      assert.deepEqual(
        messages.map((message) => formatMessage(message, pkg)),
        [],
        name,
      );
    }
  });

  it('have correct types for ES modules, if they export any', async () => {
    for (const name of ['client', 'cli'] as const) {
      const analysis = await checkPackage(createPackageFromTarballData(await readFile(packed.tarballs[name])));
      assert.ok(analysis.types);
      const wrong = analysis.problems.filter(
        (problem) =>
          problem.kind !== 'CJSResolvesToESM' &&
          // The resolution of before 2021 does not know `exports`.
          !('resolutionKind' in problem && problem.resolutionKind === 'node10'),
      );
      assert.deepEqual(wrong, [], name);
    }
  });

  describe('in empty folders', () => {
    let alone: string;
    let folder: string;
    let demo: { child: ChildProcess; printed: string } | undefined;
    const lines = (word: string): string[] =>
      [...(demo?.printed.matchAll(/^\$ (.*)$/gm) ?? [])]
        .map(([, line = '']) => line)
        .filter((line) => line.includes(word));
    before(async () => {
      folder = await install(packed.tarballs.service);
      alone = await install(packed.tarballs.cli, packed.tarballs.client);
      demo = await startDemo(folder);
    });
    after(async () => {
      await stop(demo?.child);
      for (const one of [folder, alone])
        if (one) await rm(one, { recursive: true, force: true, maxRetries: 10, retryDelay: 300 });
    });
    const paste = async (commands: string[]): Promise<string> => {
      const options = { cwd: folder, env: environmentIn(folder) };
      return (await run('bash', ['--norc', '-ec', commands.join('\n')], options)).stdout;
    };
    const variables = (): Record<string, string> => ({
      DAYPART_URL: /Base URL +(\S+)/.exec(demo?.printed ?? '')?.[1] ?? '',
      DAYPART_CLIENT_ID: /Client id +(\S+)/.exec(demo?.printed ?? '')?.[1] ?? '',
      DAYPART_CLIENT_SECRET: /Client secret +(\S+)/.exec(demo?.printed ?? '')?.[1] ?? '',
    });

    it('`npx daypart demo` of the one file of the service prints commands that fetch a token, a report and its records', async () => {
      const records = JSON.parse(await paste(lines('curl')));

      assert.equal(records.length, REPORTED);
      // One of them may be closed on the date.
      assert.ok(
        records.filter(({ netSalesAmount }: { netSalesAmount: number }) => netSalesAmount > 0).length >= REPORTED - 1,
      );
    });

    it('the command of the service shows reports, and its pages have the guides', async () => {
      const text = await paste(lines('npx'));
      const table = await paste([`${lines('report').at(-1)} --format table`]);
      const page = await fetch(`${new URL(variables().DAYPART_URL ?? '').origin}/docs/loading`);

      const rows: { businessDate: string }[] = JSON.parse(text.slice(text.indexOf('[')));
      const dates = new Set(rows.map(({ businessDate }) => businessDate));
      // The demo ends with the last date that has ended everywhere: for some hours a day that is one before yesterday.
      assert.ok(dates.size === 7 || dates.size === 6, `${dates.size} dates`);
      assert.match(table, /^Sales metrics /);
      assert.equal(page.status, 200);
      assert.match(await page.text(), /<h1/);
    });

    it('`@daypart/cli` shows a report on Node 20, without an engine', async () => {
      const env = { ...environmentIn(alone), ...variables() };
      const bin = join(alone, 'node_modules/.bin/daypart');
      const version = await run(NODE_20, ['--version']);
      const { stdout } = await run(NODE_20, [bin, 'report', 'metrics', '--last-7-days', '--format', 'table'], { env });
      const help = await run(NODE_20, [bin, '--help'], { env });

      assert.match(version.stdout, /^v20\./);
      assert.match(stdout, /^Sales metrics .*8 restaurants\n/);
      assert.match(stdout, /^Total /m);
      assert.doesNotMatch(help.stdout, /daypart serve/);
      assert.ok(!(await readdir(join(alone, 'node_modules'))).includes('@duckdb'));
    });

    it('`@daypart/client` brings rows to a script on Node 20', async () => {
      const script = join(alone, 'script.mjs');
      await writeFile(
        script,
        `import { Daypart } from '@daypart/client';
        const { DAYPART_URL: baseUrl, DAYPART_CLIENT_ID: clientId, DAYPART_CLIENT_SECRET: clientSecret, DATE } = process.env;
        const daypart = new Daypart({ baseUrl, clientId, clientSecret });
        const { rows } = await daypart.metrics.report({ range: 'day', start: DATE });
        console.log(rows.length);`,
      );
      const date = /"startBusinessDate":"(\d+)"/.exec(demo?.printed ?? '')?.[1] ?? '';
      const { stdout } = await run(NODE_20, [script], { env: { ...environmentIn(alone), ...variables(), DATE: date } });

      assert.equal(stdout.trim(), String(REPORTED));
    });

    it('`daypart` is the command of the service if both packages are installed', async () => {
      const both = await install(packed.tarballs.cli, packed.tarballs.client, packed.tarballs.service);
      try {
        const { stdout } = await run('npx', ['--no-install', 'daypart', '--help'], {
          cwd: both,
          env: environmentIn(both),
        });
        assert.match(stdout, /daypart serve/);
      } finally {
        await rm(both, { recursive: true, force: true });
      }
    });
  });
});
