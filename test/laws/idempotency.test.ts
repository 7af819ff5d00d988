/**
 * The law of idempotency keys: any history of creates, one by one or at once, is as a map from keys to requests says.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type Answer, type Running, startJourney } from '../journeys/service.ts';
import { LAWS } from './laws.ts';

const HOUR = 3_600_000;
/** The last is refused: it ends in the future. */
const BODIES = ['20260310', '20260311', '20270101'].map((startBusinessDate) => ({ startBusinessDate }));
const isRefused = (body: number): boolean => body === BODIES.length - 1;

interface Call {
  key: number;
  body: number;
}
const call: fc.Arbitrary<Call> = fc.record({ key: fc.nat(2), body: fc.nat(BODIES.length - 1) });
/** Hours that pass, calls that are made at once, or the end of the service and a new start. */
const step = fc.oneof(
  { weight: 8, arbitrary: fc.array(call, { minLength: 1, maxLength: 1 }) },
  { weight: 4, arbitrary: fc.array(call, { minLength: 2, maxLength: 6 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 24 }) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
);

interface Use {
  body: number;
  guid: string;
  hour: number;
}

describe('the law of idempotency keys', () => {
  let running: Running;
  let token: string;
  let histories = 0;
  before(async () => {
    running = await startJourney({ tokenSeconds: 31 * 86_400 });
    token = await running.login('g');
  });
  after(() => running.stop());

  it('holds through any history', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 12 }), async (steps) => {
        const history = ++histories;
        const uses = new Map<number, Use>();
        const guids = new Set<string>();
        let hour = 0;
        token = await running.login('g');
        const clientKeys = (key: number): Record<string, string> => ({ 'idempotency-key': `${history}-${key}` });
        for (const step of steps) {
          if (step === 'restart') {
            await running.restart();
            continue;
          }
          if (typeof step === 'number') {
            hour += step;
            running.advance(step * HOUR);
            for (const [key, use] of uses) if (hour >= use.hour + 24) uses.delete(key);
            continue;
          }
          const answers = await Promise.all(
            step.map(({ key, body }) =>
              running.call('POST', '/metrics/day', { token, json: BODIES[body], headers: clientKeys(key) }),
            ),
          );
          for (const key of new Set(step.map((one) => one.key))) {
            const made: { body: number; answer: Answer }[] = step.flatMap((one, index) =>
              one.key === key ? [{ body: one.body, answer: answers[index] as Answer }] : [],
            );
            // Of calls at once any may be the first, but one of them is.
            const first = made.find(({ answer }) => answer.status === 200);
            const use: Use | undefined =
              uses.get(key) ?? (first && { body: first.body, guid: first.answer.body, hour });
            if (use && !uses.has(key)) {
              assert.ok(!guids.has(use.guid), 'a key that was free gets a report of its own');
              guids.add(use.guid);
              uses.set(key, use);
            }
            for (const { body, answer } of made) {
              const same = use?.body === body;
              const expected = same ? 200 : use && !isRefused(body) ? 422 : isRefused(body) ? undefined : 200;
              // What is refused anyway is refused for either reason.
              if (expected === undefined) assert.ok([400, 422].includes(answer.status), answer.text);
              else assert.equal(answer.status, expected, answer.text);
              if (same) assert.equal(answer.body, use.guid);
            }
          }
        }
      }),
      // Not made smaller: a service that could not be started again would fail them all, and hide why.
      { numRuns: Math.ceil(LAWS / 20), endOnFailure: true },
    );
  });
});
