/** What a release says of itself: one version, its changes, what it consists of, and how it is installed. */
import assert from 'node:assert/strict';
import { cp, mkdir, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { describe, it } from 'node:test';
import { renderStart } from '../packages/service/src/docs-site/start.ts';
import { reportNouns } from '../packages/service/src/families/index.ts';
import { describeRoutes } from '../packages/service/src/openapi/openapi.ts';
import { VERSION } from '../packages/service/src/version.ts';
import { changesOf } from '../scripts/release.ts';
import { type LockFile, sbomOf } from '../scripts/sbom.ts';
import { setVersion, versionsIn } from '../scripts/version.ts';
import { FILES, ROOT, readText } from './docs/markdown.ts';

describe('a release', () => {
  it('has one version in all of its files, which is set by a command', async () => {
    const all = versionsIn(ROOT);
    assert.deepEqual(
      all.filter(({ version }) => version !== VERSION),
      [],
    );
    const folder = await mkdtemp(join(tmpdir(), 'daypart-version-'));
    try {
      for (const file of new Set(all.map((one) => one.file))) {
        await mkdir(dirname(join(folder, file)), { recursive: true });
        await cp(join(ROOT, file), join(folder, file));
      }
      setVersion(folder, '7.8.9');
      assert.deepEqual(
        versionsIn(folder),
        all.map(({ file }) => ({ file, version: '7.8.9' })),
      );
      const texts = await Promise.all(
        ['packages/service/package.json', 'package-lock.json'].map((name) => readFile(join(folder, name), 'utf8')),
      );
      for (const text of texts) assert.ok(!text.includes(`"${VERSION}"`));
      assert.throws(() => setVersion(folder, 'v8'), /v8 is no version/);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  it('has the section of its version as its changes, a candidate what is unreleased', () => {
    const text =
      '# Changelog\n\n## Unreleased\n\n- new\n\n## 1.0.0 - 2027-01-31\n\n### Added\n\n- one\n\n## 0.2.0\n\n- old\n';
    assert.equal(changesOf(text, '1.0.0'), '# Daypart 1.0.0\n\n### Added\n\n- one\n');
    assert.equal(changesOf(text, '1.1.0-rc.1'), '# Daypart 1.1.0-rc.1\n\n- new\n');
    assert.equal(changesOf(text, '0.2.0'), '# Daypart 0.2.0\n\n- old\n');
    assert.throws(() => changesOf(text, '1.1.0'), /no section 1\.1\.0/);
  });

  it('lists what the service installs, and only that', async () => {
    const lock = JSON.parse(await readFile(join(ROOT, 'package-lock.json'), 'utf8')) as LockFile;
    const sbom = sbomOf(lock, { path: 'packages/service', name: 'daypart' }, '2026-11-26T00:00:00.000Z');
    const names = sbom.components.map(({ group, name }) => (group ? `${group}/${name}` : name));
    for (const name of ['fastify', '@daypart/client', '@duckdb/node-api', '@duckdb/node-bindings-darwin-arm64', 'ajv'])
      assert.ok(names.includes(name), name);
    for (const name of ['@biomejs/biome', 'typescript', 'playwright-core', 'preact', '@aws-sdk/client-s3'])
      assert.ok(!names.includes(name), name);
    assert.equal(sbom.metadata.component.version, VERSION);
    const references = new Set(sbom.components.map((component) => component['bom-ref']));
    assert.equal(references.size, sbom.components.length);
    for (const { ref, dependsOn } of sbom.dependencies) {
      assert.ok(ref === sbom.metadata.component['bom-ref'] || references.has(ref), ref);
      for (const one of dependsOn) assert.ok(references.has(one), one);
    }
    for (const component of sbom.components) {
      assert.match(component.purl, /^pkg:npm\/(%40[\w.-]+\/)?[\w.-]+@\d+\.\d+\.\d+/);
      assert.ok(component.group === '@daypart' || /^[0-9a-f]{128}$/.test(component.hashes?.[0]?.content ?? ''));
      assert.ok(component.group === '@daypart' || component.licenses, component.purl);
    }
  });

  it('says of each package, on the first page of the docs and in the description all kinds of reports', () => {
    const nouns = reportNouns().split(/, | and /);
    assert.ok(nouns.length > 5);
    const address = { origin: 'http://a.example', bases: ['/v1'], dialect: 'reference' } as const;
    const texts: [string, string][] = [
      ...['cli/package.json', 'client/package.json', 'service/package.json', 'service/README.md'].map(
        (file): [string, string] => [file, readText(`packages/${file}`)],
      ),
      ['/docs', /<p class="lead">.*?<\/p>/s.exec(renderStart(address.origin, 0).html)?.[0] ?? ''],
      ['/openapi.json', JSON.stringify(describeRoutes([], address).info)],
    ];
    for (const [where, text] of texts)
      assert.deepEqual(
        nouns.filter((noun) => !text.replace(/\s+/g, ' ').includes(noun)),
        [],
        where,
      );
  });

  it('says at the beginning of the page about nodes what has to be installed beside it', () => {
    const [before = ''] = readText('docs/scaling.md').split('\n## ');
    assert.match(before, /npm install \.\/daypart-1\*\.tgz @aws-sdk\/client-s3/);
    assert.match(before, /npm install --no-save @aws-sdk\/client-s3/);
  });

  it('is installed from its files: no page says to install a name that is in no registry', () => {
    const byName = /npm (?:install|i|add)\b[^\n`]* (?:@daypart\/\w+|daypart)(?:@[\w.]+)?(?=[\s`]|$)/gm;
    for (const [text, found] of [
      ['npm install daypart', 1],
      ['`npm i -g @daypart/cli@1.0.0`', 1],
      ['npm install --prefix /opt/daypart ./daypart-1*.tgz', 0],
    ] as const)
      assert.equal([...text.matchAll(byName)].length, found, text);
    const all = FILES.flatMap((file) => [...readText(file).matchAll(byName)].map(([text]) => `${file}: ${text}`));
    assert.deepEqual(all, []);
  });
});
