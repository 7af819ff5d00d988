/** Labor reports over HTTP: what creates and retrievals refuse, their limits, the sandbox, and what changed. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { BISTRO, DATE, DAY, ENTRIES, fill } from './labor-example.ts';
import { ask, type Running, startJourney } from './service.ts';

describe('creating and retrieving labor', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney({ limits: 'live', sandbox: true });
    token = await running.login('g');
    await fill(running, token);
  });
  after(() => running.stop());

  it('refuses what does not go together, naming the field', async () => {
    const own = await running.login('g');
    const cases: [string, object, string, string][] = [
      ['/labor/day', { ...DAY, groupBy: ['JOB', 'EMPLOYEE'] }, 'invalid_group', '/groupBy'],
      ['/labor/day', { ...DAY, groupBy: ['JOB', 'JOB'] }, 'invalid_group', '/groupBy/1'],
      ['/labor/day', { ...DAY, groupBy: ['JOB', 'employee'] }, 'invalid_group', '/groupBy/1'],
      ['/labor/day', { startDate: DATE }, 'unknown_field', '/startDate'],
      ['/labor/week', DAY, 'invalid_body', '/endBusinessDate'],
      ['/labor/day?aggregateBy=DAY', DAY, 'unknown_parameter', 'aggregateBy'],
      ['/labor', { ...DAY, endBusinessDate: '20260321' }, 'date_in_future', '/endBusinessDate'],
    ];
    for (const [path, json, code, pointer] of cases) {
      const { status, body } = await running.call('POST', path, { token: own, json });
      assert.deepEqual([status, body.code, body.errors?.[0].pointer], [400, code, pointer], path);
    }
    const two = await running.call('POST', '/labor/day', { token: own, json: cases[0]?.[1] });
    const meant = await running.call('POST', '/labor/day', { token: own, json: { startDate: DATE } });
    assert.match(two.body.message, /groupBy/);
    assert.match(meant.body.message, /Did you mean startBusinessDate\?/);
  });

  it('has no other ranges, no path by range, and finds a GUID under its own kind only', async () => {
    const guid = await ask(running, token, '/labor/day', DAY);
    const statuses = await Promise.all([
      running.call('POST', '/labor/quarter', { token, json: DAY }),
      running.call('GET', `/labor/day/${guid}`, { token }),
      running.call('GET', `/metrics/${guid}`, { token }),
    ]);

    assert.deepEqual(
      statuses.map(({ status, body }) => [status, body.code]),
      [
        [404, 'route_not_found'],
        [404, 'route_not_found'],
        [404, 'report_of_another_kind'],
      ],
    );
    assert.match(statuses[2]?.body.message, /belongs to a labor report: retrieve it with GET \/labor\//);
  });

  it('is counted for each endpoint on its own', async () => {
    // Other tests have used up the limits of the group.
    running.advance(3_600_000);
    const own = await running.login('g');
    const post = (range: string, json: object = { ...DAY, endBusinessDate: DATE }) =>
      running.call('POST', `/labor${range}`, { token: own, json });
    const days = [];
    for (let i = 0; i < 11; i++) days.push((await post('/day')).status);
    const week = await post('/week');
    const custom = await post('');

    assert.deepEqual(days, [...Array(10).fill(200), 429]);
    assert.deepEqual([week.status, custom.status], [200, 200]);
    assert.equal(week.headers.get('ratelimit-policy'), '"labor-week-minute";q=10;w=60, "labor-week-hour";q=60;w=3600');
    assert.equal(custom.headers.get('ratelimit-policy'), '"labor-custom-hour";q=10;w=3600');
  });

  it('answers the sandbox, with a replacement that works', async () => {
    // Other tests have used up the limits of the group.
    running.advance(3_600_000);
    const own = await running.login('g');
    const reserved = (digits: string) =>
      running.call('GET', `/labor/00000000-0000-4000-8000-${digits}`, { token: own });

    const conflict = await reserved('000000000409');
    const { path, body } = conflict.body.replacement;
    const again = await running.call('POST', path.replace('/v1', ''), { token: own, json: body });

    assert.deepEqual([conflict.status, (await reserved('000000000202')).status], [409, 202]);
    assert.deepEqual([again.status, path], [200, '/v1/labor/day']);
    running.advance(1000);
    assert.equal((await reserved('000000000200')).status, 200);
  });

  it('says what changed in the time entries between two reports', async () => {
    const own = await running.login('other');
    const guid = BISTRO.replace('c4d', 'c4e');
    await fill(running, own, guid);
    const before = await ask(running, own, '/labor/day', DAY);
    await running.call('GET', `/labor/${before}`, { token: own });
    const corrected = { ...ENTRIES[1], overtimeHours: 1, modifiedDate: '2026-03-11T09:00:00.000+0000' };
    await running.call('POST', `/restaurants/${guid}/time-entries`, { token: own, json: [corrected] });
    const later = await ask(running, own, '/labor/day', DAY);
    await running.call('GET', `/labor/${later}`, { token: own });

    const { status, body } = await running.call('GET', `/reports/${later}/changes?since=${before}`, { token: own });

    assert.equal(status, 200);
    assert.deepEqual(
      body.timeEntries.map(({ timeEntryGuid, change, figures }: Record<string, unknown>) => ({
        timeEntryGuid,
        change,
        figures,
      })),
      [
        {
          timeEntryGuid: ENTRIES[1]?.guid,
          change: 'CHANGED',
          figures: {
            overtimeHours: { before: 0, after: 1, change: 1 },
            totalHours: { before: 5.333, after: 6.333, change: 1 },
            overtimeCost: { before: 0, after: 10.88, change: 10.88 },
            totalCost: { before: 38.67, after: 49.54, change: 10.87 },
            regularCost: { before: 38.67, after: 38.66, change: -0.01 },
          },
        },
      ],
    );
    assert.deepEqual(
      Object.keys(body).filter((name) => ['checks', 'orders'].includes(name)),
      [],
    );
  });
});
