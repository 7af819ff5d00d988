import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { errorOf, retryAfterOf, spentLimit } from './answers.ts';
import * as errors from './errors.ts';

const problem = (status: number, body: object | string, headers: Record<string, string> = {}): Response =>
  new Response(typeof body === 'string' ? body : JSON.stringify(body), { status, headers });

describe('an answer', () => {
  it('says when to come back in seconds or by the clock', () => {
    const after = (text: string) => retryAfterOf(new Headers({ 'retry-after': text }));
    const inAnHour = after(new Date(Date.now() + 3_600_000).toUTCString()) ?? 0;

    assert.deepEqual([after('7'), after('0'), after('soon'), retryAfterOf(new Headers())], [7000, 0, null, null]);
    assert.equal(after('Wed, 21 Oct 2015 07:28:00 GMT'), 0);
    assert.ok(inAnHour > 0 && inAnHour <= 3_600_000);
  });

  it('has no effect if its time is invalid', () => {
    for (const text of ['-5', '1.5', 'soon', '2026-01-01'])
      assert.equal(retryAfterOf(new Headers({ 'retry-after': text })), null, text);
    assert.equal(retryAfterOf(new Headers({ 'retry-after': 'Wed, 01 Jan 2020 00:00:00 GMT' })), 0);
  });

  it('says how long a spent limit lasts: the longest of those that are', () => {
    const spent = (text: string) => spentLimit(new Headers({ ratelimit: text }));

    assert.deepEqual(
      [spent('"a";r=3;t=9'), spent('"a";r=0;t=9'), spent('"a";r=0;t=9, "b";r=0;t=70'), spent('"a";r=10;t=9')],
      [0, 9000, 70_000, 0],
    );
    assert.equal(spentLimit(new Headers()), null);
  });

  it('is an error of one class per meaning, with what the service says of it', async () => {
    const classes: [number, string][] = [
      [400, 'InvalidRequestError'],
      [401, 'AuthenticationError'],
      [403, 'PermissionError'],
      [404, 'NotFoundError'],
      [406, 'InvalidRequestError'],
      [408, 'ServerError'],
      [409, 'ReportFailedError'],
      [410, 'NotFoundError'],
      [422, 'InvalidRequestError'],
      [425, 'ServerError'],
      [429, 'RateLimitError'],
      [500, 'ServerError'],
      [504, 'ServerError'],
    ];
    for (const [status, name] of classes) {
      const error = await errorOf(problem(status, { message: 'no', code: 'c', requestId: 'r' }), 'g');
      assert.ok(error instanceof errors.DaypartError);
      assert.deepEqual(
        [error.name, error.message, error.status, error.code, error.requestId, error.guid],
        [name, 'no', status, 'c', 'r', 'g'],
      );
      assert.ok(error.next.length > 10);
    }
  });

  it('is read in every shape that errors have: numbers as codes, OAuth, pages, nothing', async () => {
    const live = await errorOf(problem(400, { status: 400, code: 10010, message: 'bad', requestId: 'x' }));
    const oauth = await errorOf(problem(400, { error: 'invalid_client', error_description: 'who?' }));
    const page = await errorOf(problem(502, '<html>', { 'x-request-id': 'from-header', 'retry-after': '3' }));
    const empty = await errorOf(problem(404, ''));
    const listed = await errorOf(problem(400, 'null'));
    const limited = await errorOf(problem(429, '{}', { 'retry-after': '3' }));

    assert.deepEqual([live.code, live.message, live.requestId], ['10010', 'bad', 'x']);
    assert.ok(oauth instanceof errors.AuthenticationError && oauth.code === 'invalid_client');
    assert.deepEqual([page.message, page.requestId], ['The service answered 502.', 'from-header']);
    assert.deepEqual([empty.message, listed.message], ['The service answered 404.', 'The service answered 400.']);
    assert.equal((limited as errors.RateLimitError).retryAfterMs, 3000);
  });
});
