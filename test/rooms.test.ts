/** The shape of the project: rooms import only what the picture allows, and nothing is left undocumented. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Running, startJourney } from './journeys/service.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = join(ROOT, 'packages/service/src');

/** What each room may import besides itself, `problems.ts`, `operation.ts`, `config.ts`, `full.ts`, `sql.ts`, `sibling.ts`, `version.ts`, `contract/` and `families/`. */
const ALLOWED: Record<string, string[]> = {
  contract: [],
  families: [],
  ledger: [],
  access: ['ledger'],
  facts: [],
  results: ['facts'],
  restaurants: ['access', 'ledger', 'facts', 'ingest'],
  ingest: ['access', 'ledger', 'facts'],
  import: ['ledger', 'facts', 'ingest'],
  gather: ['access', 'ledger', 'facts', 'results'],
  deliver: ['access', 'ledger', 'facts', 'results', 'gather'],
  observability: ['ledger', 'facts', 'results'],
  // A webhook tells of a report what `GET /reports/{guid}` does, by the same function.
  webhooks: ['access', 'ledger', 'deliver'],
  'docs-site': [],
  maintenance: ['ledger', 'facts', 'results'],
  openapi: [],
  demo: ['ledger', 'facts', 'ingest'],
  // Calls a service as anyone does, through the client; nothing of one.
  terminal: ['../../client'],
};
const COMMON = [
  'problems.ts',
  'operation.ts',
  'config.ts',
  'full.ts',
  'sql.ts',
  'sibling.ts',
  'version.ts',
  'contract',
  'families',
];

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (path.endsWith('.ts') && !path.endsWith('.test.ts')) yield path;
  }
}

describe('the rooms', () => {
  it('import only what the picture allows', () => {
    const wrong: string[] = [];
    for (const [room, allowed] of Object.entries(ALLOWED)) {
      for (const file of sources(join(SOURCE, room))) {
        for (const [, target = ''] of readFileSync(file, 'utf8').matchAll(/from '(\.[^']+)'/g)) {
          const [other = ''] = relative(SOURCE, resolve(dirname(file), target)).split('/');
          const inClient =
            other === '..' &&
            allowed.includes('../../client') &&
            /^\.\.\/\.\.\/client\/src\/index\.ts$/.test(relative(SOURCE, resolve(dirname(file), target)));
          if (!inClient && other !== room && !COMMON.includes(other) && !allowed.includes(other))
            wrong.push(`${relative(SOURCE, file)} → ${other}`);
        }
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('are loaded by the command that needs them alone: a report at a terminal waits for no DuckDB', () => {
    const imported = [...readFileSync(join(SOURCE, 'main.ts'), 'utf8').matchAll(/^import .* from '(.+)';$/gm)];

    assert.deepEqual(
      imported.map(([, target]) => target),
      ['fastest-levenshtein', './config.ts', './terminal/commands.ts', './terminal/plain.ts', './version.ts'],
    );
  });

  it('have a rule each, and settings come from the environment in one place', () => {
    const rooms = readdirSync(SOURCE, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    const known = [...Object.keys(ALLOWED), 'commands'];
    assert.deepEqual(
      rooms.map(({ name }) => name).filter((name) => !known.includes(name)),
      [],
    );
    const readers = [...sources(SOURCE)].filter((file) => /process\.env/.test(readFileSync(file, 'utf8')));
    assert.deepEqual(
      readers
        .map((file) => relative(SOURCE, file))
        .filter((file) => !['config.ts', 'commands/demo.ts', 'terminal/profiles.ts'].includes(file)),
      [],
    );
  });
});

describe('the docs', () => {
  let running: Running;
  before(async () => {
    running = await startJourney();
  });
  after(() => running.stop());

  it('name every route', () => {
    const text = readFileSync(join(ROOT, 'docs/api.md'), 'utf8');
    const missing = running.service.routes
      .filter(({ method }) => method !== 'HEAD')
      .map(({ url }) => url.replace(/^\/(era\/)?v1/, '{base}'))
      .filter((url) => !text.includes(` ${url}\``));
    assert.deepEqual(missing, []);
  });
});
