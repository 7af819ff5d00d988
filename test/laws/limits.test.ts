/** For any sequence of calls, every header and every 429 equals a plain count of the calls. */
import assert from 'node:assert/strict';
import { after, before, it } from 'node:test';
import fc from 'fast-check';
import { readConfig } from '../../packages/service/src/config/config.ts';
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
import { LAWS } from './laws.ts';

const SETTINGS = {
  limitRetrieval: '3/s,8/min',
  limitMetrics: '2/min,5/h',
  limitLongMetrics: '2/h',
  limitCheck: '2/min,4/day',
};
const { limitRetrieval, limitMetrics, limitLongMetrics, limitCheck } = readConfig(SETTINGS, {});
/** The same numbers, read by nothing of the service: name, calls, milliseconds. */
const WINDOWS: Record<string, [string, number, number][]> = {
  retrieval: [
    ['retrieval-second', 3, 1000],
    ['retrieval-minute', 8, 60_000],
  ],
  metrics: [
    ['metrics-minute', 2, 60_000],
    ['metrics-hour', 5, 3_600_000],
  ],
  long: [['long-metrics-hour', 2, 3_600_000]],
  check: [
    ['check-minute', 2, 60_000],
    ['check-day', 4, 86_400_000],
  ],
};
const DAY_MS = 86_400_000;
/** Access tokens last 31 days at the most, and every case has a day of its own. */
const CASES_PER_LOGIN = 25;

let running: Running;
let tokens: string[] = [];
let now = NOW;
let cases = 0;
const guids = { metrics: '', check: '' };

interface Call {
  limit: keyof typeof WINDOWS | undefined;
  method: string;
  path: () => string;
  /** When it is not refused. */
  status: number;
  json?: unknown;
  base?: '/era/v1';
  anonymous?: boolean;
}
const DAY = { startBusinessDate: 20260310 };
const WEEK = { startBusinessDate: 20260310, endBusinessDate: 20260311 };
const sandbox = (status: number): Call => ({
  limit: 'retrieval',
  method: 'GET',
  path: () => `/check/00000000-0000-4000-8000-000000000${status}`,
  status,
});
const CALLS: Call[] = [
  { limit: 'retrieval', method: 'GET', path: () => `/metrics/${guids.metrics}`, status: 200 },
  { limit: 'retrieval', method: 'HEAD', path: () => `/metrics/${guids.metrics}`, status: 200 },
  { limit: 'retrieval', method: 'GET', path: () => `/metrics/day/${guids.metrics}`, status: 200, base: '/era/v1' },
  // Streamed past the framework.
  { limit: 'retrieval', method: 'GET', path: () => `/check/${guids.check}`, status: 200 },
  { limit: 'retrieval', method: 'GET', path: () => `/metrics/${guids.check}`, status: 404 },
  { limit: 'retrieval', method: 'GET', path: () => '/metrics/decade/x', status: 404 },
  { limit: 'retrieval', method: 'GET', path: () => '/check/x?fetchRestaurantNames=1', status: 400 },
  ...[202, 401, 403, 404, 409, 410, 412, 500, 503, 504].map(sandbox),
  { limit: 'metrics', method: 'POST', path: () => '/metrics/day', status: 200, json: DAY },
  { limit: 'metrics', method: 'POST', path: () => '/metrics/week', status: 400, json: [] },
  { limit: 'long', method: 'POST', path: () => '/metrics', status: 200, json: WEEK, base: '/era/v1' },
  { limit: 'long', method: 'POST', path: () => '/metrics/year', status: 400, json: { unknown: 1 } },
  { limit: 'check', method: 'POST', path: () => '/check/day', status: 200, json: DAY },
  { limit: undefined, method: 'POST', path: () => '/metrics/decade', status: 404, json: DAY },
  { limit: undefined, method: 'GET', path: () => `/metrics/${guids.metrics}`, status: 401, anonymous: true },
  { limit: undefined, method: 'GET', path: () => `/reports/${guids.metrics}`, status: 200 },
];

const moves = fc.oneof(
  { weight: 3, arbitrary: fc.integer({ min: 1, max: 1500 }) },
  fc.integer({ min: 1, max: 70_000 }),
  fc.integer({ min: 1, max: 4_000_000 }),
);
const steps = fc.array(
  fc.oneof(
    fc.record({ move: moves }),
    { weight: 6, arbitrary: fc.record({ call: fc.nat(CALLS.length - 1), client: fc.nat(1) }) },
    // A burst: what reaches the limits.
    fc.record({ call: fc.constantFrom(0, 3, 5, 12, 14, 16), client: fc.constant(0), times: fc.constantFrom(3, 5, 9) }),
    // The calls of a minute or an hour, a second or a minute apart.
    fc.record({
      call: fc.constantFrom(0, 12, 16),
      client: fc.constant(0),
      times: fc.constant(6),
      apart: fc.constantFrom(500, 40_000),
    }),
  ),
  { maxLength: 12 },
);

const advance = (ms: number): void => {
  running.advance(ms);
  now += ms;
};

before(async () => {
  running = await startJourney({
    limits: 'on',
    limitRetrieval,
    limitMetrics,
    limitLongMetrics,
    limitCheck,
    sandbox: true,
    reportDays: 3650,
    tokenSeconds: 31 * 86400,
    sunset: new Date('2100-01-01'),
  });
  const token = await running.login('group');
  await putRestaurant(running, token, BISTRO);
  const orders = Array.from({ length: 200 }, () => plainOrder());
  await postOrders(running, token, BISTRO, orders);
  guids.metrics = await ask(running, token, '/metrics/day', DAY);
  guids.check = await ask(running, token, '/check/day', DAY);
  for (const [kind, guid] of Object.entries(guids)) {
    const { status } = await running.call('GET', `/${kind}/${guid}`, { token, headers: { prefer: 'wait=30' } });
    assert.equal(status, 200);
  }
});
after(() => running.stop());

it('the limits on answers are what a plain count of the calls says', async () => {
  await fc.assert(
    fc.asyncProperty(steps, async (taken) => {
      advance(DAY_MS - (now % DAY_MS));
      if (cases++ % CASES_PER_LOGIN === 0) tokens = [await running.login('group'), await running.login('group')];
      const counted: { of: string; at: number }[] = [];

      for (const step of taken) {
        if ('move' in step) {
          advance(step.move);
          continue;
        }
        for (let i = 0; i < ('times' in step ? step.times : 1); i++) {
          if ('apart' in step) advance(step.apart);
          const call = CALLS[step.call] as Call;
          const { status, headers } = await running.call(call.method, call.path(), {
            token: call.anonymous ? undefined : tokens[step.client],
            json: call.json,
            base: call.base ?? '/v1',
          });

          // Clients of one group share its limits.
          const of = String(call.limit);
          const windows = call.limit ? (WINDOWS[call.limit] ?? []) : [];
          const room = ([, quota, ms]: [string, number, number]): number =>
            quota - counted.filter((one) => one.of === of && Math.floor(one.at / ms) === Math.floor(now / ms)).length;
          const end = ([, , ms]: [string, number, number]): number => Math.ceil((ms - (now % ms)) / 1000);
          const full = windows.filter((window) => room(window) === 0);
          if (full.length === 0) counted.push({ of, at: now });
          assert.equal(status, full.length > 0 ? 429 : call.status);
          if (full.length > 0) assert.equal(headers.get('retry-after'), String(Math.max(...full.map(end))));
          const told = windows.map((window) => `"${window[0]}";r=${room(window)};t=${end(window)}`).join(', ');
          assert.equal(headers.get('ratelimit'), told || null);
          const policy = windows.map(([name, quota, ms]) => `"${name}";q=${quota};w=${ms / 1000}`).join(', ');
          assert.equal(headers.get('ratelimit-policy'), policy || null);
        }
      }
    }),
    { numRuns: LAWS },
  );
});
