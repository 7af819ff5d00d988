/**
 * `npm start`: what the demo prints works when it is pasted. Its two years are loaded by test/packages/install.long.ts;
 * here it had run ten days ago.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { addDays, dateIn } from '../../packages/service/src/contract/dates.ts';
import { DEMO_RESTAURANTS } from '../../packages/service/src/demo/restaurants.ts';
import { clockEnvironment } from '../clock.ts';
import { run as runHere } from './in-process.ts';
import { start, stop } from './process.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const run = promisify(execFile);

describe('the demo', () => {
  let folder: string;
  let demo: ReturnType<typeof start>;
  let printed = '';
  let warned = '';
  /** Has the port that OpenMetrics would have. */
  const other = createServer();
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'daypart-demo-'));
    const data = join(folder, 'data');
    await mkdir(data, { mode: 0o700 });
    const loadedTo = addDays(dateIn('UTC', Date.now()), -10);
    await writeFile(
      join(data, 'demo.json'),
      JSON.stringify({ clientId: 'demo', secret: 'a-secret-of-before', loadedTo, trade: 2 }),
    );
    await once(other.listen(0, '127.0.0.1'), 'listening');
    demo = start(['demo', '--data', data, '--port', '0', '--metrics-port', `${(other.address() as AddressInfo).port}`]);
    demo.stderr?.on('data', (piece) => {
      warned += piece;
    });
    for await (const piece of demo.stdout as AsyncIterable<Buffer>) {
      printed += piece;
      if (printed.includes('Stop with Ctrl-C')) break;
    }
  });
  after(async () => {
    other.close();
    await stop(demo);
    await rm(folder, { recursive: true, force: true });
  });

  /** Runs the lines that were printed with a prompt before them, in the folder that `npm start` runs in. */
  async function paste(lines: string[]): Promise<string> {
    const env = { PATH: process.env.PATH, HOME: folder, ...clockEnvironment() };
    const { stdout } = await run('bash', ['--norc', '-ec', lines.join('\n')], { cwd: ROOT, env });
    return stdout;
  }

  const reported = DEMO_RESTAURANTS.filter(({ reportsLate }) => !reportsLate);

  it('prints lines of curl, the last of which answers a record for every restaurant that has reported', async () => {
    const lines = [...printed.matchAll(/^\$ (.*\bcurl\b.*)$/gm)].map(([, line = '']) => line);

    const records = JSON.parse(await paste(lines));

    assert.equal(lines.length, 3);
    assert.deepEqual(
      records.map((record: { restaurantName: string }) => record.restaurantName).sort(),
      reported.map(({ name }) => name).sort(),
    );
    // One of them may be closed on the date.
    const selling = records.filter((record: { netSalesAmount: number }) => record.netSalesAmount > 0);
    assert.ok(selling.length >= reported.length - 1);
  });

  it('prints a login and a report for a terminal, whose rows are a week of every restaurant', async () => {
    const lines = [...printed.matchAll(/^\$ (.*\bdaypart\b.*)$/gm)].map(([, line = '']) => line);

    // Not a terminal: rows instead of a table.
    const text = await paste(lines);

    assert.equal(lines.length, 2);
    assert.match(text, /^Logged in to http:\/\/127\.0\.0\.1:\d+\/v1 as demo, 8 restaurants\.$/m);
    const rows: { businessDate: string; restaurantGuid: string }[] = JSON.parse(text.slice(text.indexOf('[')));
    const dates = new Set(rows.map(({ businessDate }) => businessDate));
    // The demo ends with the last date that has ended everywhere: for some hours a day that is one before yesterday.
    assert.ok(dates.size === 7 || dates.size === 6, `${dates.size} dates`);
    assert.equal(new Set(rows.map(({ restaurantGuid }) => restaurantGuid)).size, DEMO_RESTAURANTS.length);
  });

  it('refuses a folder with other restaurants than it would load, before anything of it is read', async () => {
    const data = join(folder, 'earlier');
    await mkdir(data);
    await writeFile(join(data, 'demo.json'), JSON.stringify({ clientId: 'demo', secret: 'old', loadedTo: 20260301 }));
    const refused = await runHere(['demo', '--data', data]);
    assert.equal(refused.code, 2);
    assert.match(refused.err, /earlier has the sample restaurants of an earlier version: remove it/);
    assert.deepEqual(await readdir(data), ['demo.json']);
  });

  it('says in prose that the port of the metrics is taken, and logs nothing', () => {
    assert.match(warned, /^Warning: 127\.0\.0\.1 port \d+ is taken, or not of this machine: no OpenMetrics; choose /m);
    assert.doesNotMatch(warned, /^\{/m);
  });

  it('prints where the docs are', async () => {
    const answer = await fetch(/http:\S+\/docs$/m.exec(printed)?.[0] ?? '');

    assert.equal(answer.status, 200);
    assert.match(await answer.text(), /<h1/);
  });
});
