import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Answer, BISTRO, newGuid, plainOrder, putRestaurant, type Running, startJourney } from './service.ts';

describe('a body of which many records are rejected', () => {
  let running: Running;
  let token: string;
  before(async () => {
    running = await startJourney();
    token = await running.login('group');
    await putRestaurant(running, token, BISTRO);
  });
  after(() => running.stop());

  const post = (body: string | Buffer, headers: Record<string, string> = {}): Promise<Answer> =>
    running.call('POST', `/restaurants/${BISTRO}/orders`, {
      token,
      body,
      headers: { 'content-type': 'application/x-ndjson', ...headers },
    });
  const bad = (count: number): string => '{}\n'.repeat(count);
  const deleted = (): string => `{"guid":"${newGuid()}","openedDate":"2026-03-10T17:05:00.000+0000","deleted":true}\n`;

  it('is answered with the first 1,000 and the count of all', async () => {
    const answer = await post(`${bad(1500)}${JSON.stringify(plainOrder())}\n${bad(500)}`);

    const { rejected, ...counts } = answer.body;
    assert.deepEqual([answer.status, counts], [200, { accepted: 1, unchanged: 0, rejectedCount: 2000 }]);
    assert.deepEqual(
      rejected.map(({ index }: { index: number }) => index),
      Array.from({ length: 1000 }, (_, index) => index),
    );
  });

  it('is refused from 10,000 records on when over 99 % were rejected, and nothing in it is stored', async () => {
    const guid = newGuid();
    const order = JSON.stringify(plainOrder({ guid, modifiedDate: '2026-03-12T18:00:00.000+0000' }));

    const short = await post(bad(9999));
    const refused = await post(`${order}\n${bad(9999)}`);
    const older = await post(JSON.stringify(plainOrder({ guid })));

    assert.deepEqual([short.status, short.body.rejectedCount], [200, 9999]);
    assert.deepEqual([refused.status, refused.body.code], [400, 'too_many_rejected']);
    assert.equal(
      refused.body.detail,
      '9999 of the first 10000 records could not be read. The first is record 1: guid must be a UUID.',
    );
    // Had the newer version been kept, this one would be unchanged.
    assert.equal(older.body.accepted, 1);
  });

  it('is taken with one good record in a hundred, however long it is', async () => {
    const hundred = `${deleted()}${bad(99)}`;

    const answer = await post(hundred.repeat(250));

    assert.deepEqual([answer.status, answer.body.rejectedCount, answer.body.rejected.length], [200, 24_750, 1000]);
  });

  it('holds up nobody else, and is answered shortly, however small it was on the wire', async () => {
    const bomb = gzipSync(bad(4_000_000));

    const bombs = Array.from({ length: 10 }, () => post(bomb, { 'content-encoding': 'gzip' }));
    const others = await Promise.all(Array.from({ length: 5 }, () => post(JSON.stringify(plainOrder()))));

    assert.deepEqual(
      others.map(({ body }) => body.accepted),
      [1, 1, 1, 1, 1],
    );
    for (const { status, text } of await Promise.all(bombs)) {
      assert.equal(status, 400);
      assert.ok(text.length < 2000);
    }
  });
});
