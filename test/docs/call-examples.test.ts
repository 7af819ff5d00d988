/** The calls that the reference shows in each language: all are correct programs, and some are run. */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { promisify } from 'node:util';
import { createClient } from '../../packages/service/src/access/clients.ts';
import { readDocument } from '../../packages/service/src/docs-site/document.ts';
import { callExamples } from '../../packages/service/src/docs-site/examples-of-calls.ts';
import { NOW, startJourney } from '../journeys/service.ts';
import { ROOT, readText } from './markdown.ts';

const run = promisify(execFile);
const operations = readDocument(JSON.parse(readText('docs/openapi.json')));

/** Compiles each of the texts that it reads, and prints those that are not Python. */
const COMPILE = `import json, sys
for name, text in json.load(sys.stdin).items():
    try:
        compile(text, name, "exec")
    except SyntaxError as error:
        print(name, error)
`;

describe('the calls that the reference shows', () => {
  let folder: string;
  const texts = (language: string, origin: string): [string, string][] =>
    operations.map((operation): [string, string] => [
      operation.id,
      callExamples(operation, origin).find((one) => one.language === language)?.text ?? '',
    ]);

  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daypart-calls-'));
    await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
    await writeFile(join(folder, 'package.json'), '{"private":true,"type":"module"}');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  it('are shell that bash reads', async () => {
    const script = texts('curl', 'http://127.0.0.1:8080').map(([, text]) => text);
    await writeFile(join(folder, 'calls.sh'), script.join('\n'));

    assert.ok(script.every((text) => text.startsWith('curl ')));
    await run('bash', ['-n', join(folder, 'calls.sh')]);
  });

  it('are Python that compiles', async () => {
    const child = run('python3', ['-c', COMPILE]);
    child.child.stdin?.end(JSON.stringify(Object.fromEntries(texts('python', 'http://127.0.0.1:8080'))));

    assert.equal((await child).stdout, '');
  });

  it('are TypeScript that is right for @daypart/client', async () => {
    for (const [id, text] of texts('typescript', 'http://127.0.0.1:8080'))
      await writeFile(join(folder, `${id}.ts`), `${text}\nexport {};\n`);
    const options = {
      strict: true,
      noEmit: true,
      module: 'nodenext',
      target: 'es2024',
      types: ['node'],
      paths: { '@daypart/client': [join(ROOT, 'packages/client/src/index.ts')] },
      skipLibCheck: true,
      allowImportingTsExtensions: true,
    };
    await writeFile(join(folder, 'tsconfig.json'), JSON.stringify({ compilerOptions: options, include: ['*.ts'] }));

    const { stdout } = await run('tsc', ['-p', folder], { cwd: folder }).catch((error: { stdout: string }) => error);
    assert.equal(stdout, '');
  });

  it('work, in each language', async () => {
    const running = await startJourney();
    try {
      const { origin, stores } = running.service;
      const client = await createClient(stores.ledger, { group: 'g' }, NOW);
      const env = {
        PATH: process.env.PATH ?? '',
        TOKEN: await running.login('g'),
        CLIENT_ID: client.id,
        CLIENT_SECRET: client.secret,
      };
      const textOf = (language: string): string =>
        texts(language, origin).find(([id]) => id === 'listRestaurants')?.[1] ?? '';
      await writeFile(join(folder, 'live.ts'), textOf('typescript'));

      const curl = await run('bash', ['-c', textOf('curl')], { env });
      const python = await run('python3', ['-c', textOf('python')], { env });
      const script = await run('node', [join(folder, 'live.ts')], { env });

      assert.equal(curl.stdout, '[]');
      assert.equal(python.stdout, '200 []\n');
      assert.equal(script.stdout, '[]\n');
    } finally {
      await running.stop();
    }
  });
});
