/** From the request to the rows: waiting, rate limits, repeated requests. */
import {
  AT_ONCE,
  CREATE,
  DAY,
  equal,
  inProgress,
  ok,
  pause,
  problem,
  RETRIEVE,
  refusal,
  type Scenarios,
  timed,
} from './scenario.ts';

export const waiting: Scenarios = {
  'a report is created once, retrieved once, and has the rows and the time of the service': async (world) => {
    const { guid, asOf, rows } = await world.client().metrics.report(DAY);

    equal(rows, world.setup.metrics, 'rows');
    ok(/^[0-9a-f-]{36}$/.test(guid) && !Number.isNaN(Date.parse(asOf ?? '')), `${guid} as of ${asOf}`);
    equal((await world.calls()).length, 3, 'calls, with the token');
  },

  'it waits while the answer is 202, as long as it is told to, and tells how it goes': async (world) => {
    await world.rules({
      ...RETRIEVE,
      faults: [{ answer: inProgress(AT_ONCE) }, { answer: inProgress({ 'retry-after': '1' }) }],
    });
    const states: string[] = [];
    const onProgress = ({ state }: { state: string }): void => void (states.at(-1) === state || states.push(state));

    let rows: unknown[] = [];
    const ms = await timed(async () => {
      ({ rows } = await world.client().metrics.report(DAY, { onProgress }));
    });

    equal(rows, world.setup.metrics, 'rows');
    ok(ms >= 1000, `it took ${ms} ms`);
    equal(states, ['creating', 'waiting', 'reading'], 'states');
    equal((await world.calls('GET')).length, 3, 'retrievals');
  },

  'a state that it does not know means waiting': async (world) => {
    await world.rules({ ...RETRIEVE, faults: [{ answer: inProgress(AT_ONCE, 'RESTING') }] });

    const { rows } = await world.client().metrics.report(DAY);

    equal(rows, world.setup.metrics, 'rows');
  },

  'one look says that a report is not there yet, in which state, and when to look again': async (world) => {
    await world.rules({ ...RETRIEVE, faults: [{ answer: inProgress({ 'retry-after': '7' }, 'RESTING') }] });
    const daypart = world.client();
    const guid = await daypart.metrics.create(DAY);

    const first = await daypart.metrics.retrieve(guid);
    await daypart.metrics.report(DAY);
    const second = await daypart.metrics.retrieve(guid);

    equal(first, { ready: false, guid, reportStatus: 'RESTING', retryAfterMs: 7000 }, 'first look');
    ok(second.ready, 'the second look finds it');
    equal(second.rows, world.setup.metrics, 'rows');
  },

  'a 429 is waited for, at the create and at the retrieval': async (world) => {
    const limited = { answer: problem(429, 'rate_limited', {}, { 'retry-after': '1' }) };
    await world.rules({ ...CREATE, faults: [limited] }, { ...RETRIEVE, faults: [limited] });

    const ms = await timed(async () => equal((await world.client().metrics.report(DAY)).rows, world.setup.metrics));

    ok(ms >= 2000, `it took ${ms} ms`);
    equal((await world.calls('POST', /metrics/)).length, 2, 'creates');
  },

  'a 429 that asks for more time than there is, is told at once': async (world) => {
    await world.rules({ ...CREATE, always: { answer: problem(429, 'rate_limited', {}, { 'retry-after': '3600' }) } });

    const error = await refusal<InstanceType<typeof world.sdk.RateLimitError>>(
      world.client().metrics.report(DAY, { timeoutMs: 5000 }),
    );

    ok(error instanceof world.sdk.RateLimitError, String(error));
    equal([error.name, error.status, error.retryAfterMs], ['RateLimitError', 429, 3_600_000]);
    equal((await world.calls('POST', /metrics/)).length, 1, 'creates');
  },

  'a 429 that says to come back at once is not taken at its word': async (world) => {
    await world.rules({ ...CREATE, always: { answer: problem(429, 'rate_limited', {}, AT_ONCE) } });

    const error = await refusal(world.client({ maxRetries: 1 }).metrics.report(DAY));

    ok(error instanceof world.sdk.RateLimitError, String(error));
    equal((await world.calls('POST', /metrics/)).length, 2, 'creates');
  },

  'a 409 is answered with a new request, and the report is that one': async (world) => {
    const failed = problem(409, 'report_failed', {
      replacement: { method: 'POST', path: '/v1/metrics/day', body: { startBusinessDate: '20260310' } },
    });
    await world.rules({ ...RETRIEVE, faults: [{ answer: failed }] });
    const attempts = new Set<number>();

    const { guid, rows } = await world
      .client()
      .metrics.report(DAY, { onProgress: ({ attempt }) => void attempts.add(attempt) });

    const creates = await world.calls('POST', /metrics/);
    equal(rows, world.setup.metrics, 'rows');
    equal([...attempts], [1, 2], 'attempts');
    equal(creates.length, 2, 'creates');
    equal(JSON.parse(creates[1]?.answered ?? ''), guid, 'guid');
    ok(creates[0]?.answered !== creates[1]?.answered, 'the guids are two');
  },

  'a 409 that comes again and again ends, after as many requests as the caller allows': async (world) => {
    await world.rules({ ...RETRIEVE, always: { answer: problem(409, 'report_failed') } });

    const usual = await refusal(world.client().metrics.report(DAY));
    const three = (await world.calls('POST', /metrics/)).length;
    const strict = await refusal(world.client().checks.report(DAY, { maxNewGuids: 0 }));

    ok(usual instanceof world.sdk.ReportFailedError && strict instanceof world.sdk.ReportFailedError, String(usual));
    equal([usual.code, usual.requestId], ['report_failed', 'request-report_failed']);
    ok(usual.guid !== undefined, 'it names the guid');
    equal(three, 3, 'creates');
    equal((await world.calls('POST', /check/)).length, 1, 'creates without new guids');
  },

  'the deadline ends the wait with the guid, and the report can be retrieved later': async (world) => {
    await world.rules({ ...RETRIEVE, always: { answer: inProgress({ 'retry-after': '1' }) } });
    const daypart = world.client();

    let error: Awaited<ReturnType<typeof refusal>> | undefined;
    const ms = await timed(async () => {
      error = await refusal(daypart.metrics.report(DAY, { timeoutMs: 700 }));
    });
    ok(error instanceof world.sdk.DeadlineError, String(error));
    ok(ms >= 600 && ms < 10_000, `it took ${ms} ms`);
    await world.rules();
    const rows: unknown[] = [];
    for await (const row of daypart.metrics.rows(error.guid ?? '')) rows.push(row);

    equal(rows, world.setup.metrics, 'rows');
  },

  'the deadline ends an answer that comes too slowly': async (world) => {
    await world.rules({ ...RETRIEVE, always: { bytesPerSecond: 2000 } });

    const error = await refusal(world.client().checks.report(DAY, { timeoutMs: 1500 }));

    ok(error instanceof world.sdk.DeadlineError, String(error));
  },

  'a caller who gives up gets the reason as it is, and nothing is sent any more': async (world) => {
    await world.rules({ ...RETRIEVE, always: { answer: inProgress(AT_ONCE) } });
    const reason = { mine: true };
    const controller = new AbortController();
    setTimeout(() => controller.abort(reason), 400);

    const thrown = await refusal<unknown>(world.client().metrics.report(DAY, { signal: controller.signal }));
    const before = (await world.calls()).length;
    await pause(400);

    ok(thrown === reason, 'the reason is the very same');
    equal((await world.calls()).length, before, 'calls afterwards');
  },

  'a caller who gave up before sends nothing': async (world) => {
    const error = await refusal<DOMException>(world.client().metrics.report(DAY, { signal: AbortSignal.abort() }));

    equal(error.name, 'AbortError');
    equal((await world.calls()).length, 0, 'calls');
  },
};
