/** Tokens, both endpoints for them, both bases, both dialects. */
import {
  CREATE,
  collect,
  DAY,
  equal,
  ok,
  pause,
  problem,
  RETRIEVE,
  refusal,
  type Scenarios,
  TOKEN,
} from './scenario.ts';

const LOGIN = { method: 'POST', path: '/authentication/v1/authentication/login$' };
const ended = problem(401, 'invalid_token', {}, { 'www-authenticate': 'Bearer error="invalid_token"' });

export const access: Scenarios = {
  'calls at the same time share one token': async (world) => {
    const daypart = world.client();

    const reports = await Promise.all(Array.from({ length: 5 }, () => daypart.metrics.report(DAY)));

    for (const { rows } of reports) equal(rows, world.setup.metrics, 'rows');
    equal((await world.calls('POST', /oauth/)).length, 1, 'tokens');
    equal((await world.calls('POST', /metrics/)).length, 5, 'creates');
  },

  'a token is kept while it lasts, and renewed before it ends': async (world) => {
    await world.rules({ ...TOKEN, always: { expiresIn: 5 } });
    const daypart = world.client();
    const list = (): Promise<unknown> => daypart.reports.list({ limit: 1 });

    await list();
    await list();
    const early = (await world.calls('POST', /oauth/)).length;
    await pause(4100);
    await Promise.all([list(), list()]);

    equal([early, (await world.calls('POST', /oauth/)).length], [1, 2], 'tokens');
    ok(
      // A browser asks again for an answer that it has, which is then 304.
      (await world.calls('GET')).every(({ status }) => status < 400),
      'none was refused',
    );
  },

  'a token whose life is not told is kept until it is refused': async (world) => {
    await world.rules({ ...TOKEN, always: { expiresIn: 0 } }, { ...RETRIEVE, faults: [{}, { answer: ended }] });
    const daypart = world.client();

    await daypart.metrics.report(DAY);
    const before = (await world.calls('POST', /oauth/)).length;
    await daypart.metrics.report(DAY);

    equal([before, (await world.calls('POST', /oauth/)).length], [1, 2], 'tokens');
  },

  'a token that is refused in mid-way is fetched anew, once': async (world) => {
    await world.rules({ ...RETRIEVE, faults: [{ answer: ended }] });

    const { rows } = await world.client().metrics.report(DAY);

    const [first, second] = await world.calls('GET');
    equal(rows, world.setup.metrics, 'rows');
    equal((await world.calls('POST', /oauth/)).length, 2, 'tokens');
    equal([first?.status, second?.status], [401, 200], 'answers');
  },

  'a token that is always refused is told, after one new login': async (world) => {
    await world.rules({ ...CREATE, always: { answer: ended } });

    const error = await refusal(world.client().metrics.report(DAY));

    ok(error instanceof world.sdk.AuthenticationError, String(error));
    equal([error.status, error.code], [401, 'invalid_token']);
    equal((await world.calls('POST', /oauth/)).length, 2, 'tokens');
    equal((await world.calls('POST', /metrics/)).length, 2, 'creates');
  },

  'a wrong secret is told, at either endpoint, and never again tried': async (world) => {
    const clientSecret = 'wrong';

    const oauth = await refusal(world.client({ clientSecret }).metrics.report(DAY));
    const login = await refusal(world.client({ clientSecret, auth: 'login' }).metrics.report(DAY));

    for (const error of [oauth, login]) ok(error instanceof world.sdk.AuthenticationError, String(error));
    equal((await world.calls()).length, 2, 'calls');
  },

  'a secret goes nowhere else, wherever the endpoint sends it': async (world) => {
    const elsewhere = { answer: { status: 307, headers: { location: `${world.origin}/elsewhere` } } };
    await world.rules({ ...LOGIN, always: elsewhere }, { ...TOKEN, always: elsewhere });

    const login = await refusal(world.client({ auth: 'login' }).metrics.report(DAY));
    const oauth = await refusal(world.client().metrics.report(DAY));

    for (const error of [login, oauth]) ok(error instanceof world.sdk.UnexpectedAnswerError, String(error));
    equal((await world.calls('POST', /elsewhere/)).length, 0, 'calls elsewhere');
    equal((await world.calls()).length, 2, 'calls');
  },

  'a token function that hangs is forgotten with the last who waits for it': async (world) => {
    let request = 0;
    const token = (): Promise<string> =>
      ++request === 1 ? new Promise(() => undefined) : Promise.reject(new Error('mine'));
    const daypart = world.client({ clientId: undefined, clientSecret: undefined, token });

    const hung = await refusal(daypart.metrics.report(DAY, { timeoutMs: 200 }));
    const second = await refusal<Error>(daypart.metrics.report(DAY, { timeoutMs: 5000 }));

    ok(hung instanceof world.sdk.DeadlineError, String(hung));
    equal([second.message, request], ['mine', 2], 'second call');
  },

  'a token that no header can hold is refused at once, without being told': async (world) => {
    const daypart = world.client({ clientId: undefined, clientSecret: undefined, token: 'top\nsecret' });

    const error = await refusal<Error>(daypart.metrics.report(DAY));

    ok(error instanceof TypeError && !String(error).includes('secret'), String(error));
    equal((await world.calls()).length, 0, 'calls');
  },

  'a token endpoint that is down for a moment is asked again': async (world) => {
    await world.rules({ ...TOKEN, faults: [{ cut: 'before' }, { cutAfter: 20 }] });

    equal((await world.client().metrics.report(DAY)).rows, world.setup.metrics, 'rows');
  },

  "a token of one's own is used as it is, and a function is asked again when it is refused": async (world) => {
    const { clientId, clientSecret } = world.setup.reference;
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
    });
    const answer = await fetch(`${world.origin}/oauth/token`, { method: 'POST', body });
    const { access_token: token } = (await answer.json()) as { access_token: string };
    const mine = { clientId: undefined, clientSecret: undefined };
    await world.rules({ ...RETRIEVE, faults: [{ answer: ended }] });
    let request = 0;
    const fresh = async (): Promise<string> => {
      request++;
      return token;
    };

    const { rows } = await world.client({ ...mine, token: fresh }).metrics.report(DAY);
    const functionAsked = request;
    await world.rules({ ...RETRIEVE, faults: [{ answer: ended }] });
    const error = await refusal(world.client({ ...mine, token }).metrics.report(DAY));

    equal(rows, world.setup.metrics, 'rows');
    ok(functionAsked >= 2, `it was asked ${functionAsked} times`);
    ok(error instanceof world.sdk.AuthenticationError, String(error));
    equal((await world.calls('POST', /oauth/)).length, 0, 'tokens');
  },

  'the login of the live system and its dialect give the same rows, under either base': async (world) => {
    for (const base of ['/v1', '/era/v1']) {
      await world.rules();
      const daypart = world.client({ ...world.setup.live, auth: 'login', baseUrl: `${world.origin}${base}` });

      const metrics = await daypart.metrics.report({ ...DAY, groupBy: ['DINING_OPTION'] });
      const checks = await daypart.checks.report(DAY);

      equal(metrics.rows, world.setup.byDiningOption, `metrics under ${base}`);
      equal(checks.rows, world.setup.checks, `checks under ${base}`);
      equal((await world.calls('POST', /login$/)).length, 1, 'logins');
      ok(
        (await world.calls()).every(({ path }) => path.startsWith(`${base}/`) || path.endsWith('/login')),
        'all calls stay under the base',
      );
    }
  },

  'a service that holds no answer, knows JSON alone and says nothing beside it is read as well': async (world) => {
    const plain = {
      deafTo: ['accept', 'prefer', 'idempotency-key'],
      strip: ['x-report-as-of', 'x-report-rows', 'retry-after', 'etag', 'ratelimit', 'ratelimit-policy'],
    };
    await world.rules(
      {
        ...RETRIEVE,
        faults: [{ answer: { status: 202, body: '{"message":"…","reportStatus":"IN_PROGRESS"}' } }],
        always: plain,
      },
      { ...CREATE, always: plain },
      { ...LOGIN, always: plain },
    );
    const daypart = world.client({ ...world.setup.live, auth: 'login', baseUrl: `${world.origin}/era/v1/` });

    const rows = daypart.checks.rows(DAY);

    equal(await collect(rows), world.setup.checks, 'rows');
    equal(rows.asOf, null, 'asOf');
  },
};
