/**
 * The law of idempotency keys: any history of creates, one by one or at once, is as a map from keys to requests says.
 */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import fc from 'fast-check';
import { type Answer, type Running, startJourney } from '../journeys/service.ts';
import { forEach } from './engine.ts';
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
/** One call, or some that are made at once. */
const calls = fc.oneof(
  { weight: 2, arbitrary: fc.array(call, { minLength: 1, maxLength: 1 }) },
  { weight: 1, arbitrary: fc.array(call, { minLength: 2, maxLength: 6 }) },
);
/**
 * What happens in all histories of a group: calls of each, hours that pass, or the end of the service and a new start.
 */
const step = fc.oneof(
  { weight: 12, arbitrary: fc.constant('calls' as const) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 24 }) },
  { weight: 1, arbitrary: fc.constant('restart' as const) },
);
const STEPS = 12;
/** How many histories happen in the same time: a start costs more than the calls of many. */
const TOGETHER = 50;
const groups = fc.record({
  steps: fc.array(step, { minLength: 2, maxLength: STEPS }),
  /** Of each history, what is called at each step of calls. */
  histories: fc.array(fc.array(calls, { minLength: STEPS, maxLength: STEPS }), {
    minLength: Math.min(TOGETHER, LAWS),
    maxLength: Math.min(TOGETHER, LAWS),
  }),
});

interface Use {
  body: number;
  guid: string;
  hour: number;
}

/** What a history has done so far. */
class History {
  readonly #uses = new Map<number, Use>();
  readonly #guids = new Set<string>();

  /** Takes calls that were made at once, so many hours after the begin. */
  answered(calls: readonly Call[], answers: readonly Answer[], hour: number): void {
    for (const [key, use] of this.#uses) if (hour >= use.hour + 24) this.#uses.delete(key);
    const made = calls.map((call, index) => Object.assign({ answer: answers[index] as Answer }, call));
    for (const [key, of] of Map.groupBy(made, (one) => one.key)) this.#answered(key, of, hour);
  }

  #answered(key: number, made: readonly (Call & { answer: Answer })[], hour: number): void {
    // Of calls at once any may be the first, but one of them is.
    const first = made.find(({ answer }) => answer.status === 200);
    const known = this.#uses.get(key);
    const use = known ?? (first && { body: first.body, guid: first.answer.body, hour });
    if (use && !known) {
      assert.ok(!this.#guids.has(use.guid), 'a key that was free gets a report of its own');
      this.#guids.add(use.guid);
      this.#uses.set(key, use);
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

describe('the law of idempotency keys', () => {
  let running: Running;
  let played = 0;
  before(async () => {
    running = await startJourney({ tokenSeconds: 31 * 86_400 });
  });
  after(() => running.stop());

  it('holds through any history', async () => {
    await fc.assert(
      fc.asyncProperty(groups, async ({ steps, histories }) => {
        let [hour, asked] = [0, 0];
        const token = await running.login('g');
        const all = histories.map((calls) => ({ calls, name: ++played, history: new History() }));
        for (const step of steps) {
          if (step === 'restart') await running.restart();
          else if (step === 'calls') {
            const at = asked++;
            await forEach(all, async ({ calls, name, history }) => {
              const made = calls[at] ?? [];
              const answers = await Promise.all(
                made.map(({ key, body }) => {
                  const headers = { 'idempotency-key': `${name}-${key}` };
                  return running.call('POST', '/metrics/day', { token, json: BODIES[body], headers });
                }),
              );
              history.answered(made, answers, hour);
            });
          } else {
            hour += step;
            running.advance(step * HOUR);
          }
        }
      }),
      // Not made smaller: a service that could not be started again would fail them all, and hide why.
      { numRuns: Math.ceil(LAWS / TOGETHER), endOnFailure: true },
    );
    assert.ok(played >= LAWS);
  });
});
