/**
 * What openapi-typescript makes of `/openapi.json?dialect=` is usable with openapi-fetch: right names compile, wrong
 * ones do not.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import type { Dialect } from '../../packages/service/src/contract/words.ts';
import { ask, BISTRO, plainOrder, postOrders, putRestaurant, type Running, startJourney } from '../journeys/service.ts';

const run = promisify(execFile);
const TSC = fileURLToPath(new URL('../../node_modules/.bin/tsc', import.meta.url));
const GENERATOR = join(dirname(fileURLToPath(import.meta.resolve('openapi-typescript/package.json'))), 'bin/cli.js');
const COMPILER = {
  target: 'es2022',
  module: 'nodenext',
  strict: true,
  noEmit: true,
  types: [],
  lib: ['es2022', 'dom', 'dom.iterable'],
  allowImportingTsExtensions: true,
  noUncheckedIndexedAccess: true,
};

/** A client as a reader of the description writes it: prints what it reads of each row of a report. */
const program = (read: string): string => `
import createClient from 'openapi-fetch';
import type { components, paths } from './daypart.ts';

declare const process: { argv: string[] };
const [, , baseUrl = '', token = '', guid = ''] = process.argv;
const daypart = createClient<paths, 'application/json' | 'application/problem+json'>({ baseUrl, headers: { authorization: \`Bearer \${token}\` } });
const { data, error } = await daypart.GET('/metrics/{reportRequestGuid}', {
  params: { path: { reportRequestGuid: guid }, query: { fetchRestaurantNames: true }, header: { Prefer: 'wait=10' } },
});
if (error) throw new Error(error.message);
if (!Array.isArray(data)) throw new Error(data.message);
for (const row of data) {
  const count: number = ${read};
  console.log(row.restaurantName?.toUpperCase(), count.toFixed(1));
}
// Its own properties must have types that those of any name allow: generators that write an interface of both do not compile otherwise.
type Totals = NonNullable<components['schemas']['ReportStatus']['controlTotals']>[number];
type Own = Pick<Totals, 'currencyCode' | 'rows'>;
const ofAnyName = (totals: Own): Record<string, Totals[string]> => ({ ...totals });
const { data: status } = await daypart.GET('/reports/{reportRequestGuid}', { params: { path: { reportRequestGuid: guid } } });
for (const totals of status?.controlTotals ?? []) {
  const rows: number | null = totals.rows;
  console.log(Object.keys(ofAnyName(totals)).length > 2, rows?.toFixed(0));
}
// Paths of the origin are not under the base URL.
const atOrigin = createClient<paths>({ baseUrl: new URL(baseUrl).origin });
const { data: version } = await atOrigin.GET('/version');
console.log(version?.name);
`;

describe('types that are generated from the description', () => {
  let running: Running;
  let guid: string;
  let folder: string;
  before(async () => {
    running = await startJourney();
    const token = await running.login('g');
    await putRestaurant(running, token, BISTRO);
    await postOrders(running, token, BISTRO, [plainOrder({}, { paymentStatus: 'OPEN' })]);
    guid = await ask(running, token, '/metrics/day', { startBusinessDate: '20260310' });
    folder = await mkdtemp(join(tmpdir(), 'daypart-types-'));
    const client = dirname(fileURLToPath(import.meta.resolve('openapi-fetch/package.json')));
    await symlink(dirname(client), join(folder, 'node_modules'));
  });
  after(async () => {
    await running?.stop();
    if (folder) await rm(folder, { recursive: true, force: true });
  });

  /** Generates types for the dialect and compiles two programs against them; answers what the compiler complains of. */
  async function compile(
    dialect: Dialect,
    right: string,
    wrong: string,
  ): Promise<{ at: string; complaints: string[] }> {
    const at = join(folder, dialect);
    await mkdir(at);
    const description = `${running.service.origin}/openapi.json?dialect=${dialect}`;
    await run(process.execPath, [GENERATOR, description, '--output', join(at, 'daypart.ts')]);
    await writeFile(join(at, 'right.ts'), program(right));
    await writeFile(join(at, 'wrong.ts'), program(wrong));
    await writeFile(join(at, 'package.json'), '{"type":"module"}');
    const files = ['right.ts', 'wrong.ts'];
    await writeFile(join(at, 'tsconfig.json'), JSON.stringify({ compilerOptions: COMPILER, files }));
    const complaints = await run(TSC, ['-p', at], { cwd: at }).then(
      () => '',
      ({ stdout }: { stdout: string }) => stdout,
    );
    return { at, complaints: complaints.split('\n').filter((line) => line !== '' && !line.startsWith(' ')) };
  }

  const cases: [Dialect, string, string][] = [
    ['reference', 'openOrderCount', 'openOrdersCount'],
    ['live', 'openOrdersCount', 'openOrderCount'],
  ];
  for (const [dialect, right, wrong] of cases) {
    it(`have one record for ${dialect}: row.${right} compiles and has its value, row.${wrong} does not compile`, async () => {
      const { at, complaints } = await compile(dialect, `row.${right}`, `row.${wrong}`);

      assert.equal(complaints.length, 1, complaints.join('\n'));
      assert.match(complaints[0] ?? '', new RegExp(`^wrong\\.ts.*'${wrong}' does not exist`));
      const token = await running.login('g', { dialect });
      const { stdout } = await run(process.execPath, [join(at, 'right.ts'), running.service.baseUrl, token, guid]);
      assert.equal(stdout, 'BISTRO 1.0\ntrue 1\ndaypart\n');
    });
  }
});
