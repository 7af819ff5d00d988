/** What `npm publish` would send: its size, its files, its entry points, its types. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { cp, mkdir, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { checkPackage, createPackageFromTarballData } from '@arethetypeswrong/core';
import { publint } from 'publint';
import { formatMessage } from 'publint/utils';
import { NODE_20 } from '../packages/pack.ts';
import { type Packed, packClient, ROOT, run } from './packed.ts';

const LARGEST = 14_000;
/** What other packages show loaded text with, and what sources are written with: neither loads the client. */
const LARGEST_OTHER = 1000;
const read = (path: string): Promise<string> => readFile(path, 'utf8');

describe('the packed client', () => {
  let packed: Packed;
  before(async () => {
    packed = await packClient();
  });
  after(() => packed?.remove());

  it(`is less than ${LARGEST} bytes of gzipped JavaScript, and less than ${LARGEST_OTHER} for each other entry`, async (t) => {
    const names = (await readdir(packed.folder, { recursive: true })).filter((name) => /\.[cm]?js$/.test(name));

    const sizeOf = async (name: string): Promise<number> =>
      gzipSync(await readFile(join(packed.folder, name)), { level: 9 }).length;
    assert.deepEqual(names.sort(), ['dist/index.js', 'dist/source.js', 'dist/text.js']);
    for (const name of names) {
      const bytes = await sizeOf(name);
      t.diagnostic(`${name}: ${bytes} bytes gzipped`);
      assert.ok(bytes < (name === 'dist/index.js' ? LARGEST : LARGEST_OTHER), `${name} has ${bytes} bytes`);
    }
  });

  it('is modules, types, a map that holds its sources, the licence and a README, and no test', async () => {
    const names = (await readdir(packed.folder, { recursive: true })).filter((name) => /\.\w+$|^[A-Z]+$/.test(name));
    const map = JSON.parse(await read(join(packed.folder, 'dist/index.js.map')));

    assert.deepEqual(names.filter((name) => !name.endsWith('.d.ts')).sort(), [
      'LICENSE',
      'README.md',
      'dist/index.js',
      'dist/index.js.map',
      'dist/source.js',
      'dist/source.js.map',
      'dist/text.js',
      'dist/text.js.map',
      'package.json',
    ]);
    assert.deepEqual(
      names.filter((name) => name.includes('test')),
      [],
    );
    assert.equal(map.sources.length, map.sourcesContent.length);
    assert.ok(map.sourcesContent.every((text: unknown) => typeof text === 'string' && text.length > 0));
    assert.equal(await read(join(packed.folder, 'LICENSE')), await read(join(ROOT, 'LICENSE')));
  });

  it('has no dependencies, runs nothing when it is installed, and does not use Node', async () => {
    const manifest = JSON.parse(await read(join(packed.folder, 'package.json')));
    const code = await read(join(packed.folder, 'dist/index.js'));

    assert.deepEqual(
      Object.keys(manifest).filter((key) => /dependencies/i.test(key)),
      [],
    );
    assert.deepEqual(
      Object.keys(manifest.scripts).filter((key) => /install|^prepare$/.test(key)),
      [],
    );
    assert.doesNotMatch(code, /\bnode:|\bprocess\.|\bBuffer\b|\brequire\(|\bimport\b/);
  });

  it('calls a service in the oldest Node that it supports; what else it does there is in runtimes.long.ts', async () => {
    const server = createServer((request, response) => {
      const { authorization } = request.headers;
      response.setHeader('content-type', 'application/json').end(JSON.stringify([{ authorization }]));
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    const script = join(packed.project, 'oldest.js');
    await writeFile(
      script,
      `import { Daypart } from '@daypart/client';
const client = new Daypart({ baseUrl: process.argv[2], token: 't' });
console.log(process.version, JSON.stringify(await client.restaurants.list()));
`,
    );
    try {
      const { stdout } = await run(NODE_20, [script, `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`]);

      assert.match(stdout, /^v20\.\S+ \[\{"authorization":"Bearer t"\}\]\n$/);
    } finally {
      server.closeAllConnections();
      server.close();
    }
  });

  it('has nothing for publint to say', async () => {
    const tarball = await readFile(packed.tarball);

    const { messages, pkg } = await publint({
      pack: { tarball: new Uint8Array(tarball).buffer },
      level: 'suggestion',
      strict: true,
    });

    assert.deepEqual(
      messages.map((message) => formatMessage(message, pkg)),
      [],
    );
  });

  it('has correct types however it is resolved, except by require() of an ES module', async () => {
    const analysis = await checkPackage(createPackageFromTarballData(await readFile(packed.tarball)));

    assert.ok(analysis.types);
    // Modules only: `require` of one works from Node 20.19 on, and TypeScript says so where it does not.
    assert.deepEqual(
      analysis.problems.map((problem) => ({ ...problem })),
      [
        { kind: 'CJSResolvesToESM', entrypoint: '.', resolutionKind: 'node16-cjs' },
        // TypeScript's oldest resolution reads no `exports`: it finds the client, but no other entry.
        ...['./source', './text'].flatMap((entrypoint) => [
          { kind: 'NoResolution', entrypoint, resolutionKind: 'node10' },
          { kind: 'CJSResolvesToESM', entrypoint, resolutionKind: 'node16-cjs' },
        ]),
      ],
    );
  });

  const BROWSER = { lib: ['es2022', 'dom'], types: [] };
  const old = createRequire(createRequire(import.meta.url).resolve('@arethetypeswrong/core')).resolve('typescript');
  const compilers: [string, string, string, object][] = [
    ["in a browser, by Node's resolution", '', 'nodenext', BROWSER],
    ['with exact optional properties', '', 'nodenext', { ...BROWSER, exactOptionalPropertyTypes: true }],
    ["by a bundler's resolution", '', 'bundler', { ...BROWSER, module: 'esnext', noUncheckedIndexedAccess: true }],
    ['in Node without the DOM', '', 'nodenext', { lib: ['es2022'], types: ['node'] }],
    ['with TypeScript 5.6', join(dirname(old), 'tsc.js'), 'nodenext', BROWSER],
  ];
  for (const [name, compiler, moduleResolution, options] of compilers) {
    it(`has types that say what was asked for, ${name}`, async () => {
      const folder = join(packed.project, `types-${name.replace(/\W+/g, '-')}`);
      await mkdir(join(folder, 'node_modules/@types'), { recursive: true });
      for (const part of ['@types/node', 'undici-types'])
        await symlink(join(ROOT, 'node_modules', part), join(folder, 'node_modules', part));
      await cp(join(ROOT, 'test/client/types.ts'), join(folder, 'types.ts'));
      const compilerOptions = {
        target: 'es2022',
        module: 'nodenext',
        moduleResolution,
        strict: true,
        noEmit: true,
        noUnusedLocals: false,
        skipLibCheck: false,
        ...options,
      };
      await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions, files: ['types.ts'] }));
      const [command, args] = compiler ? [process.execPath, [compiler]] : [join(ROOT, 'node_modules/.bin/tsc'), []];

      const { stdout } = await run(command, [...args, '-p', folder], { cwd: folder }).catch((error) => error);

      assert.equal(stdout, '');
    });
  }
});
