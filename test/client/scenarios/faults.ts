/** Faults between the client and the service, and errors at either end. */
import { AT_ONCE, CREATE, collect, DAY, equal, ok, problem, RETRIEVE, refusal, type Scenarios } from './scenario.ts';

const html = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Log in to the network</html>' };

export const faults: Scenarios = {
  '500, 503 and 504 are tried again': async (world) => {
    const failing = [500, 503, 504].map((status) => ({ answer: problem(status, `failure_${status}`, {}, AT_ONCE) }));
    await world.rules({ ...RETRIEVE, faults: failing }, { ...CREATE, faults: failing.slice(0, 2) });

    const { rows } = await world.client().metrics.report(DAY);

    equal(rows, world.setup.metrics, 'rows');
    equal((await world.calls('GET')).length, 4, 'retrievals');
  },

  'a service that goes on failing is given up, with what to quote': async (world) => {
    await world.rules({ ...RETRIEVE, always: { answer: problem(500, 'internal_error', {}, AT_ONCE) } });

    const error = await refusal(world.client({ maxRetries: 2 }).metrics.report(DAY));

    ok(error instanceof world.sdk.ServerError && error instanceof world.sdk.DaypartError, String(error));
    equal([error.name, error.status, error.code], ['ServerError', 500, 'internal_error']);
    equal(error.requestId, 'request-internal_error');
    ok(error.next.length > 0 && error.guid !== undefined, 'it says what to do, and about which report');
    equal((await world.calls('GET')).length, 3, 'retrievals');
  },

  'a create whose answer was lost is repeated under its key, so that there is one report': async (world) => {
    await world.rules({ ...CREATE, faults: [{ cut: 'after' }] });

    const { guid, rows } = await world.client().metrics.report(DAY);

    const [lost, second] = await world.calls('POST', /metrics/);
    equal(rows, world.setup.metrics, 'rows');
    ok(lost !== undefined && second !== undefined, 'two creates');
    ok(Boolean(lost.headers['idempotency-key']), 'there is a key');
    equal(second.headers['idempotency-key'], lost.headers['idempotency-key'], 'key');
    equal([lost.answered, second.answered], [`"${guid}"`, `"${guid}"`], 'guids');
  },

  'an answer to a create that breaks off is asked for again, under its key': async (world) => {
    await world.rules({ ...CREATE, faults: [{ cutAfter: 5 }] });

    const { rows } = await world.client().metrics.report(DAY);

    const keys = (await world.calls('POST', /metrics/)).map(({ headers }) => headers['idempotency-key']);
    equal(rows, world.setup.metrics, 'rows');
    equal([keys.length, new Set(keys).size], [2, 1], 'creates and keys');
  },

  'rows of a service that does not name its snapshot are never mixed': async (world) => {
    const check = (nth: number) => ({ ...(world.setup.checks[0] as object), orderNumber: nth });
    const body = (...nths: number[]) => JSON.stringify(nths.map(check));
    const cut = { answer: { status: 200, body: body(0, 1, 2).slice(0, -1) } };
    const moved = { answer: { status: 200, body: body(9, 0, 1, 2, 3) } };
    const daypart = world.client();
    const guid = await daypart.checks.create(DAY);
    await world.rules({ ...RETRIEVE, faults: [cut, moved, cut, moved] });

    const error = await refusal(collect(daypart.checks.rows(guid)));
    const { rows } = await daypart.checks.report(DAY);

    ok(error instanceof world.sdk.UnexpectedAnswerError, String(error));
    equal(rows, [9, 0, 1, 2, 3].map(check), 'rows of a report, which are read anew');
  },

  'nothing is left at a signal after any call, nor kept waiting after an abort in the middle of a body': async (
    world,
  ) => {
    const controller = new AbortController();
    const { signal } = controller;
    let listeners = 0;
    const add = signal.addEventListener.bind(signal);
    const remove = signal.removeEventListener.bind(signal);
    signal.addEventListener = (...all: Parameters<typeof add>) => {
      listeners++;
      add(...all);
    };
    signal.removeEventListener = (...all: Parameters<typeof remove>) => {
      listeners--;
      remove(...all);
    };
    const daypart = world.client();

    const { guid } = await daypart.metrics.report(DAY, { signal });
    await daypart.metrics.retrieve(guid, {}, { signal });
    await collect(daypart.metrics.rows(guid, { signal }));
    await (await daypart.metrics.open(guid, {}, { signal })).text();
    await daypart.restaurants.list({ signal });
    await daypart.reports.list({}, { signal });
    await collect(daypart.reports.events(guid, { signal }));
    await daypart.reports.delete(guid, { signal });
    equal(listeners, 0, 'listeners');
    await world.rules({ path: 'restaurants-information$', always: { bytesPerSecond: 20 } });
    setTimeout(() => controller.abort('enough'), 300);
    equal(await refusal<unknown>(daypart.restaurants.list({ signal })), 'enough', 'reason');
  },

  'a retrieval that is cut off before its answer is tried again': async (world) => {
    await world.rules({ ...RETRIEVE, faults: [{ cut: 'before' }] });

    const { rows } = await world.client().checks.report(DAY);

    equal(rows, world.setup.checks, 'rows');
  },

  'a connection that is always cut off is given up': async (world) => {
    await world.rules({ ...CREATE, always: { cut: 'before' } });

    const error = await refusal(world.client({ maxRetries: 0 }).metrics.report(DAY));

    ok(error instanceof world.sdk.ConnectionError, String(error));
    ok(error.cause !== undefined && error.status === undefined, 'it has its cause');
  },

  'lines that break off twice are read on without a row lost or repeated': async (world) => {
    await world.rules({ ...RETRIEVE, faults: [{ cutAfter: 20_003 }, { cutAfter: 50_001 }] });

    const rows = world.client().checks.rows(DAY);

    equal(await collect(rows), world.setup.checks, 'rows');
    // Chromium's own cache resumes an answer that was cut off, with further calls.
    const bodies = (await world.calls('GET')).map(({ bytes }) => bytes);
    ok(bodies[0] === 20_003 && bodies.length >= 3, `bytes of the answers: ${bodies}`);
  },

  'a JSON array that breaks off is read on too': async (world) => {
    const deafTo = ['accept'];
    await world.rules({
      ...RETRIEVE,
      faults: [
        { deafTo, cutAfter: 33_333 },
        { deafTo, cutAfter: 0 },
      ],
      always: { deafTo },
    });

    const { rows } = await world.client().checks.report(DAY);

    equal(rows, world.setup.checks, 'rows');
    ok((await world.calls('GET')).length >= 3, 'it was retrieved three times');
  },

  'an answer that always breaks off is given up, and says how far it came': async (world) => {
    await world.rules({ ...RETRIEVE, always: { cutAfter: 0 } });

    const error = await refusal(world.client({ maxRetries: 1 }).checks.report(DAY));

    ok(error instanceof world.sdk.ConnectionError, String(error));
    ok(error.guid !== undefined, 'it names the guid');
  },

  'a slow answer is read as it comes': async (world) => {
    await world.rules({ ...RETRIEVE, faults: [{ delayMs: 300, bytesPerSecond: 200_000 }] });

    const { rows } = await world.client().checks.report(DAY);

    equal(rows, world.setup.checks, 'rows');
  },

  'what is no report is told as that, wherever it comes from': async (world) => {
    const { UnexpectedAnswerError } = world.sdk;
    const daypart = world.client({ maxRetries: 0 });
    const guid = await daypart.metrics.create(DAY);
    await world.rules({ ...CREATE, always: { answer: html } }, { ...RETRIEVE, always: { answer: html } });

    const errors = [
      await refusal(daypart.metrics.create(DAY)),
      await refusal(daypart.metrics.retrieve(guid)),
      await refusal(collect(daypart.metrics.rows(guid))),
    ];

    for (const error of errors) ok(error instanceof UnexpectedAnswerError, String(error));
  },

  'a record of another kind is no record': async (world) => {
    await world.rules({ ...RETRIEVE, always: { checks: 3 } });

    const error = await refusal(world.client().metrics.report(DAY));

    ok(error instanceof world.sdk.UnexpectedAnswerError, String(error));
  },

  'an error of the live shape is read': async (world) => {
    const errors = [{ status: 400, code: 10013, message: 'No such date', fieldName: null }, null];
    await world.rules({ ...CREATE, always: { answer: problem(400, 'x', { errors }) } });

    const error = await refusal<InstanceType<typeof world.sdk.InvalidRequestError>>(world.client().metrics.report(DAY));

    equal(error.errors, [{ pointer: '', message: 'No such date' }], 'errors');
  },

  'a wrong field is named, and not sent again': async (world) => {
    const error = await refusal<InstanceType<typeof world.sdk.InvalidRequestError>>(
      world.client().metrics.report({ range: 'month', start: 20260101, end: 20260210 }),
    );

    ok(error instanceof world.sdk.InvalidRequestError, String(error));
    equal([error.status, error.code, error.errors[0]?.pointer], [400, 'span_too_long', '/endBusinessDate']);
    equal((await world.calls('POST', /metrics/)).length, 1, 'creates');
  },

  'a guid that there is not, is not found': async (world) => {
    const error = await refusal(collect(world.client().checks.rows('0d000000-0000-4000-8000-00000000dead')));

    ok(error instanceof world.sdk.NotFoundError, String(error));
    equal([error.status, error.guid], [404, '0d000000-0000-4000-8000-00000000dead']);
  },
};
