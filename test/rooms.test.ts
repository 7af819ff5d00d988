/** The shape of the project: rooms import only what the picture allows, and nothing is left undocumented. */
import assert from 'node:assert/strict';
import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { FAMILIES } from '../packages/service/src/families/index.ts';
import { roomsOf } from '../scripts/rooms.ts';
import { type Running, startJourney } from './journeys/service.ts';
import { sourceFiles } from './source-files.ts';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const SOURCE = join(ROOT, 'packages/service/src');

/**
 * Rooms, or single files of them, that each room may import besides itself and what is `COMMON`. Rooms with routes have
 * `http`.
 */
const ALLOWED: Record<string, string[]> = {
  contract: [],
  families: [],
  config: [],
  storage: [],
  // Why a store cannot be reached becomes a problem here.
  http: ['ledger', 'facts', 'results', 'files'],
  ledger: [],
  access: ['http', 'ledger'],
  facts: ['files'],
  files: [],
  threads: [],
  jobs: [],
  results: ['facts', 'files', 'ledger'],
  restaurants: ['http', 'access', 'ledger', 'facts', 'ingest'],
  ingest: ['http', 'access', 'ledger', 'facts'],
  import: ['http', 'access', 'ledger', 'facts', 'ingest', 'restaurants'],
  // What `requests/` and `deliver/` share with the worker in one process: its signals, and its estimates of the wait.
  gather: ['http/store-problem.ts', 'ledger', 'facts', 'results', 'files', 'jobs'],
  requests: ['http', 'access', 'ledger', 'facts', 'results', 'gather'],
  // A dataset is gathered again when the tag of `GET /restaurants` changes.
  deliver: ['http', 'access', 'ledger', 'facts', 'results', 'files', 'requests', 'gather', 'restaurants/loaded.ts'],
  observability: ['http', 'access', 'ledger', 'facts', 'results'],
  // A webhook describes a report as `GET /reports/{guid}` does, by the same function.
  webhooks: ['http', 'access', 'ledger', 'requests', 'jobs'],
  // Files that a point of sale writes are imported as those of people.
  connections: ['http', 'access', 'ledger', 'facts', 'ingest', 'import', 'restaurants', 'jobs'],
  'docs-site': ['http'],
  console: ['http', 'docs-site'],
  admin: ['http', 'access', 'ledger'],
  maintenance: ['ledger', 'facts', 'results', 'files', 'jobs'],
  openapi: ['http'],
  demo: ['ledger', 'facts', 'ingest'],
};
const COMMON = ['contract', 'families', 'storage', 'threads', 'config/config.ts', 'nice.ts', 'kept.ts', 'version.ts'];

function* sources(folder: string): Generator<string> {
  for (const entry of readdirSync(folder, { withFileTypes: true })) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* sources(path);
    else if (/(?<!\.test)\.tsx?$/.test(path)) yield path;
  }
}

/** Rooms of the console that each may import besides itself; `screens` import all. */
const CONSOLE: Record<string, string[]> = {
  model: [],
  data: ['model'],
  charts: ['model'],
  widgets: ['model', 'charts'],
  features: ['model', 'data', 'charts', 'widgets'],
};

/** The files of ours that a text imports, as it names them. */
const importsOf = (text: string): string[] =>
  [...text.matchAll(/(?:from |import\()'(\.[^']+)'/g)].map(([, target = '']) => target);

/** The files that each source file of the packages imports, by an expression that finds what it names. */
const importGraph = (naming: RegExp): Map<string, string[]> =>
  new Map(
    sourceFiles().map(({ path, text }) => [
      path,
      [...text.matchAll(naming)].map(([, target = '']) => relative(ROOT, resolve(ROOT, dirname(path), target))),
    ]),
  );

/** All that can be reached from one, over any number of others. */
function reachedFrom(
  graph: ReadonlyMap<string, readonly string[]>,
  from: string,
  seen = new Set<string>(),
): Set<string> {
  for (const next of graph.get(from) ?? []) if (!seen.has(next)) reachedFrom(graph, next, seen.add(next));
  return seen;
}

/** Circles of files that exist only in types, and why they are not taken apart. */
const TYPE_CIRCLES: { files: RegExp; why: string }[] = [
  { files: /service\/src\/config\/(former-settings|config)\.ts$/, why: 'a former name is of a setting of the table' },
  {
    files: /service\/src\/ledger\/(lease|report|delivery|webhook)\.ts$/,
    why: 'a lease is of a report, a delivery of a webhook',
  },
  { files: /service\/src\/docs-site\/(guides|layout|words)\.ts$/, why: 'a guide has the headings that its page shows' },
  { files: /service\/src\/import\/(belonging|day)\.ts$/, why: 'what is judged are the tables of the day' },
  { files: /service\/src\/restaurants\/(reference-routes|routes)\.ts$/, why: 'the routes of one resource' },
  {
    files: /service\/src\/facts\/duckdb\/[\w/-]+\.ts$/,
    why: 'statements, the types of their rows, and the steps of a merge',
  },
];

/** The files of other rooms that each room imports: `ingest/read.ts → facts/order.ts`. */
function importsBetweenRooms(): Map<string, { room: string; what: string }[]> {
  const found = [...sources(SOURCE)].flatMap((file) =>
    importsOf(readFileSync(file, 'utf8')).map((target) => {
      const [from, to] = [relative(SOURCE, file), relative(SOURCE, resolve(dirname(file), target))];
      return { from, to, room: from.split('/')[0] ?? '', other: to.split('/')[0] ?? '' };
    }),
  );
  const between = found.filter(({ from, to, room, other }) => room !== other && from.includes('/') && to.includes('/'));
  return new Map(
    [...Map.groupBy(between, ({ room }) => room)].map(([room, all]) => [
      room,
      all.map(({ from, to, other }) => ({ room: other, what: `${from} → ${to}` })),
    ]),
  );
}

describe('the rooms', () => {
  it('import only what the picture allows', () => {
    const wrong: string[] = [];
    for (const [room, allowed] of Object.entries(ALLOWED)) {
      for (const file of sources(join(SOURCE, room))) {
        for (const target of importsOf(readFileSync(file, 'utf8'))) {
          const other = relative(SOURCE, resolve(dirname(file), target));
          const permitted = [room, ...COMMON, ...allowed].some((one) => other === one || other.startsWith(`${one}/`));
          if (!permitted) wrong.push(`${relative(SOURCE, file)} → ${other}`);
        }
      }
    }
    assert.deepEqual(wrong, []);
  });

  it('of the console import downwards: what draws from its properties asks the service nothing', () => {
    const source = join(ROOT, 'packages/console/src');
    const wrong = Object.entries(CONSOLE).flatMap(([room, allowed]) =>
      [...sources(join(source, room))].flatMap((file) =>
        importsOf(readFileSync(file, 'utf8'))
          .map((target) => relative(source, resolve(dirname(file), target)))
          .filter((other) => ![room, ...allowed].some((one) => other.startsWith(`${one}/`)))
          .map((other) => `${relative(source, file)} → ${other}`),
      ),
    );
    assert.deepEqual(wrong, []);
  });

  it('lie above each other: no import leads back to a room that imports it, directly or through others', () => {
    const imports = importsBetweenRooms();
    const graph = new Map([...imports].map(([room, all]) => [room, all.map(({ room: other }) => other)]));
    const back = [...imports].flatMap(([room, all]) =>
      all.filter(({ room: other }) => reachedFrom(graph, other).has(room)).map(({ what }) => what),
    );

    assert.ok(imports.size > 20);
    assert.deepEqual(back, []);
  });

  it('have no circle of files, but of types that belong to each other', () => {
    const graph = importGraph(/(?:from |import\()'(\.[^']+)'/g);
    const back = [...graph].flatMap(([path, targets]) =>
      targets.filter((target) => reachedFrom(graph, target).has(path)).map((target) => [path, target] as const),
    );
    const isArgued = (path: string, target: string): boolean =>
      TYPE_CIRCLES.some(({ files }) => [path, target].every((one) => files.test(one)));

    assert.ok(back.length < graph.size);
    assert.deepEqual(
      back.filter(([path, target]) => !isArgued(path, target)).map(([path, target]) => `${path} → ${target}`),
      [],
    );
  });

  it('have no circle of files that need each other to be loaded', () => {
    const values = importGraph(/^(?:import|export)(?! type\b)[^;']*?from '(\.[^']+)'/gm);
    assert.deepEqual(
      [...values.keys()].filter((path) => reachedFrom(values, path).has(path)),
      [],
    );
  });

  it('need no command: the package of the command line is imported where commands are read and run', () => {
    const wrong = [...sources(SOURCE)].flatMap((file) => {
      const importer = relative(SOURCE, file);
      const isCommand = importer.startsWith('commands/') || ['program.ts', 'main.ts'].includes(importer);
      const named = readFileSync(file, 'utf8').match(/'@daypart\/cli(\/[^']*)?'/g) ?? [];
      return isCommand ? [] : named.map((name) => `${importer} → ${name}`);
    });
    assert.deepEqual(wrong, []);
  });

  it('know no engine: a folder of a store is imported by the one place that opens it', () => {
    const engines = [
      join('ledger', 'sqlite'),
      join('ledger', 'postgres'),
      join('facts', 'duckdb'),
      join('facts', 'clickhouse'),
      join('results', 'folder'),
      join('results', 's3'),
    ];
    // DuckDB merges and renders what ClickHouse has, in each node.
    const runsOn = new Map([[join('facts', 'clickhouse'), join('facts', 'duckdb')]]);
    const engineOf = (path: string): string | undefined => engines.find((engine) => path.startsWith(`${engine}/`));
    const wrong = [...sources(SOURCE)].flatMap((file) => {
      const importer = relative(SOURCE, file);
      const text = readFileSync(file, 'utf8');
      const found = importsOf(text)
        .map((target) => relative(SOURCE, resolve(dirname(file), target)))
        .filter((target) => {
          const [own, other] = [engineOf(importer), engineOf(target)];
          return other !== undefined && other !== own && other !== runsOn.get(own ?? '');
        });
      const named = engineOf(importer) ? [] : text.match(/node:sqlite|@duckdb|ledger\.sqlite|facts\.duckdb/g);
      return [...found, ...(named ?? [])].map((what) => `${importer} → ${what}`);
    });

    assert.deepEqual(
      wrong.filter((one) => !/^(server-|move-)?stores\.ts /.test(one)),
      [],
    );
  });

  it('take the parts of the ledger that they use: only the wiring has it whole', () => {
    const whole = [...sources(SOURCE)]
      .filter((file) => /^import .*\bLedger\b.* from '.*ledger\/ledger\.ts';$/m.test(readFileSync(file, 'utf8')))
      .map((file) => relative(SOURCE, file));

    assert.deepEqual(whole.sort(), ['commands/ledger.ts', 'mount-routes.ts', 'server-stores.ts', 'stores.ts']);
  });

  it('are loaded by the command that needs them alone: a report at a terminal waits for no DuckDB', () => {
    const importedBy = (file: string): (string | undefined)[] =>
      [...readFileSync(join(SOURCE, file), 'utf8').matchAll(/^import .* from '(.+)';$/gm)].map(([, target]) => target);

    // The settings of the service, and with them the schemas of its reports, come with program.ts when another command
    // runs.
    assert.deepEqual(importedBy('main.ts'), ['@daypart/cli', './version.ts']);
    assert.deepEqual(importedBy('program.ts'), ['@daypart/cli', './commands/commands.ts', './version.ts']);
    assert.deepEqual(importedBy('commands/commands.ts'), [
      '@daypart/cli',
      './connect-test-flags.ts',
      './setting-flags.ts',
    ]);
  });

  it('of the command for reports need no code of the service', () => {
    const cli = join(ROOT, 'packages/cli/src');
    const allowed = /^(node:|\.\/|\.\.\/(?!\.)|@daypart\/client(\/text)?$|fastest-levenshtein$|string-width$)/;
    const wrong = [...sources(cli)].flatMap((file) =>
      [...readFileSync(file, 'utf8').matchAll(/(?:^(?:import|export|\}) .*?from |import\()'([^'\n]+)'/gm)]
        .filter(
          ([, target = '']) =>
            !allowed.test(target) || (!resolve(dirname(file), target).startsWith(cli) && target.startsWith('.')),
        )
        .map(([, target]) => `${relative(cli, file)} → ${target}`),
    );

    assert.deepEqual(wrong, []);
  });

  it('have a first file that says in one to five lines what they are: the file named as the room, or its index.ts', () => {
    const rooms = ['service', 'cli', 'client', 'console'].flatMap((name) => roomsOf(`packages/${name}/src`));
    assert.ok(rooms.length > 30);
    assert.deepEqual(
      rooms.filter(({ file, docstring, lines }) => !file || !docstring.includes('.') || lines > 5),
      [],
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
    // The AWS SDK reads HOME, which sdk.ts sets where there is none.
    const allowed = ['config/config.ts', 'commands/demo.ts', 'results/s3/sdk.ts'];
    assert.deepEqual(
      readers.map((file) => relative(SOURCE, file)).filter((file) => !allowed.includes(file)),
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

  it('name the kind and the limits of every family', () => {
    const rowOf = (file: string, start: string): string =>
      readFileSync(join(ROOT, file), 'utf8')
        .split('\n')
        .find((line) => line.startsWith(start)) ?? '';
    const namesOf = (row: string): string[] => [...row.matchAll(/`([\w-]+)`/g)].map(([, name = '']) => name);
    const families = Object.values(FAMILIES);
    const limits = families.flatMap((family) => Object.keys(family.limits));

    assert.deepEqual(namesOf(rowOf('docs/pagination.md', '| `kind`')), ['kind', ...Object.keys(FAMILIES)]);
    const limited = namesOf(rowOf('docs/operations.md', '| `daypart_limited_requests_total`')).slice(2);
    assert.deepEqual(limited.sort(), [...new Set(['retrieval', ...limits])].sort());
  });

  it('name every route', () => {
    const text = readFileSync(join(ROOT, 'docs/api.md'), 'utf8');
    const missing = running.service.routes
      .filter(({ method }) => method !== 'HEAD')
      .map(({ url }) => url.replace(/^\/(era\/)?v1/, '{base}'))
      .filter((url) => !text.includes(` ${url}\``));
    assert.deepEqual(missing, []);
  });
});
