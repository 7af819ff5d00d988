/** The packed client in Node and in a browser: the same scenarios, through a proxy that breaks things. */
import assert from 'node:assert/strict';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import { stripTypeScriptTypes } from 'node:module';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { chromium } from 'playwright-core';
import { createClient } from '../../packages/service/src/access/clients.ts';
import type { Dialect } from '../../packages/service/src/contract/words.ts';
import { CHROMIUM, named, skip } from '../docs/browser.ts';
import {
  ask,
  BISTRO,
  NOW,
  plainOrder,
  postOrders,
  putRestaurant,
  type Running,
  startJourney,
} from '../journeys/service.ts';
import { type Packed, packClient, ROOT, run } from './packed.ts';
import { type FaultProxy, startProxy } from './proxy.ts';
import { SCENARIOS } from './scenarios/run.ts';
import type { Setup } from './scenarios/scenario.ts';

const NODE_20 = join(ROOT, 'test/node-20/node_modules/.bin/node');
const SECOND = 'b1500000-0000-4000-8000-000000000002';
const ORDERS = 150;
const HEAP_MEGABYTES = 56;
/** A browser has no such bound; there it is the same path, and shorter. */
const MANY_IN_BROWSER = 20_000;

/** The versions of Node that the scenarios can run in. */
export const NODES = { 'Node 20': NODE_20, 'Node 24': process.execPath } as const;

/** A service with orders on 18 dates, 150 of them on the 10th, and what it answers to plain requests. */
async function prepare(running: Running): Promise<Setup> {
  const token = await running.login('g');
  await putRestaurant(running, token, BISTRO);
  await putRestaurant(running, token, SECOND, { name: 'Zweites 食堂', timeZone: 'Asia/Tokyo', closeoutHour: 0 });
  const options = [{ name: 'Dine In' }, { name: 'Naïve, "take" out' }, { name: '持ち帰り 🍜' }];
  const order = (businessDate: number, nth: number): object =>
    plainOrder({ businessDate, diningOption: options[nth % 3], displayNumber: String(nth) });
  for (const restaurant of [BISTRO, SECOND]) {
    const dates = Array.from({ length: 18 }, (_, day) => order(20260301 + day, day));
    await postOrders(running, token, restaurant, dates);
  }
  await postOrders(
    running,
    token,
    BISTRO,
    Array.from({ length: ORDERS }, (_, nth) => order(20260310, nth)),
  );

  const rows = async (path: string, json: object): Promise<unknown[]> => {
    const guid = await ask(running, token, path, json);
    const answer = await running.call('GET', `/${path.split('/')[1]}/${guid}`, {
      token,
      headers: { prefer: 'wait=30' },
    });
    assert.equal(answer.status, 200, answer.text);
    return answer.body;
  };
  const credentials = async (dialect: Dialect) => {
    const { id, secret } = await createClient(running.service.stores.ledger, { group: 'g', dialect }, NOW);
    return { clientId: id, clientSecret: secret };
  };
  const day = { startBusinessDate: 20260310 };
  const weeks = [1, 8, 15].map((first) => ({
    startBusinessDate: 20260300 + first,
    endBusinessDate: 20260300 + Math.min(first + 6, 18),
  }));
  return {
    reference: await credentials('reference'),
    live: await credentials('live'),
    restaurant: BISTRO,
    metrics: await rows('/metrics/day', day),
    byDiningOption: await rows('/metrics/day', { ...day, groupBy: ['DINING_OPTION'] }),
    checks: await rows('/check/day', day),
    span: (await Promise.all(weeks.map((week) => rows('/metrics/week', week)))).flat(),
  };
}

/** The scenarios as plain modules, beside the client's project, since neither Node 20 nor a browser reads types. */
async function writeScenarios(folder: string): Promise<string[]> {
  const from = join(ROOT, 'test/client/scenarios');
  await mkdir(folder, { recursive: true });
  const names = await readdir(from);
  return await Promise.all(
    names.map(async (name) => {
      const text = stripTypeScriptTypes(await readFile(join(from, name), 'utf8'));
      const target = join(folder, name.replace(/\.ts$/, '.js'));
      await writeFile(target, text.replaceAll(/(from '\.\/\w+)\.ts'/g, "$1.js'"));
      return target;
    }),
  );
}

const RUNNER = `import * as sdk from '@daypart/client';
import { runScenarios } from './scenarios/run.js';
const [origin, many] = process.argv.slice(2);
console.log(JSON.stringify({ version: process.version, outcomes: await runScenarios(sdk, origin, Number(many)) }));
`;

interface Ran {
  version: string;
  /** By the name of the scenario: `ok`, or what went wrong. */
  outcomes: Record<string, string>;
}

/** Runs the scenarios in a page of the proxy; `broken` are the errors that no script caught. */
async function inChromium(origin: string): Promise<Ran & { broken: string[] }> {
  const browser = await chromium.launch({ executablePath: CHROMIUM, args: ['--no-sandbox'] });
  try {
    const page = await browser.newPage();
    const broken: string[] = [];
    page.on('pageerror', (error) => broken.push(String(error)));
    await page.goto(`${origin}/page.html`);
    const outcomes: Ran['outcomes'] = await page.evaluate(
      `Promise.all([import('/client/index.js'), import('/scenarios/run.js')])
        .then(([sdk, { runScenarios }]) => runScenarios(sdk, location.origin, ${MANY_IN_BROWSER}))`,
    );
    return { version: browser.version(), outcomes, broken };
  } finally {
    await browser.close();
  }
}

/**
 * Tests of the scenarios in versions of Node, with answers of `many` rows of 520 bytes, and in Chromium if `browser`.
 */
export function checkRuntimes(names: (keyof typeof NODES)[], many: number, browser: boolean): void {
  describe('the packed client', { concurrency: true }, () => checkIn(names, many, browser));
}

function checkIn(names: (keyof typeof NODES)[], many: number, browser: boolean): void {
  let running: Running;
  let packed: Packed;
  let setup: Setup;
  let modules: string[];
  const proxies: FaultProxy[] = [];
  const startOwnProxy = async (): Promise<FaultProxy> => {
    const files: Record<string, string> = {
      '/page.html': join(packed.project, 'page.html'),
      '/client/index.js': join(packed.folder, 'dist/index.js'),
    };
    for (const file of modules) files[`/scenarios/${file.slice(file.lastIndexOf('/') + 1)}`] = file;
    const proxy = await startProxy(running.service.origin, files, setup);
    proxies.push(proxy);
    return proxy;
  };
  before(async () => {
    [running, packed] = await Promise.all([startJourney({ waitSeconds: 1 }), packClient()]);
    setup = await prepare(running);
    modules = await writeScenarios(join(packed.project, 'scenarios'));
    await writeFile(join(packed.project, 'run.js'), RUNNER);
    await writeFile(join(packed.project, 'page.html'), '<!doctype html><title>The client</title>');
  });
  after(async () => {
    await Promise.all(proxies.map((proxy) => proxy.stop()));
    await running?.stop();
    await packed?.remove();
  });

  const expected = Object.fromEntries(Object.keys(SCENARIOS).map((name) => [name, 'ok']));

  async function inNode(node: string): Promise<Ran> {
    const { origin } = await startOwnProxy();
    const args = [`--max-old-space-size=${HEAP_MEGABYTES}`, join(packed.project, 'run.js'), origin, String(many)];
    const { stdout } = await run(node, args, { cwd: packed.project, env: {}, maxBuffer: 1e8 });
    return JSON.parse(stdout);
  }

  for (const name of names) {
    it(`does what it says in ${name}`, async (t) => {
      const { version, outcomes } = await inNode(NODES[name]);

      t.diagnostic(`the client: ${Object.keys(outcomes).length} scenarios in Node ${version}`);
      assert.match(version, new RegExp(`^v${name.split(' ')[1]}\\.`));
      assert.deepEqual(outcomes, expected);
    });
  }

  if (!browser) return;
  it(named('does what it says in Chromium'), { skip }, async (t) => {
    const { origin } = await startOwnProxy();
    const { version, outcomes, broken } = await inChromium(origin);

    t.diagnostic(`the client: ${Object.keys(outcomes).length} scenarios in Chromium ${version}`);
    assert.deepEqual(outcomes, expected);
    assert.deepEqual(broken, []);
  });
}
