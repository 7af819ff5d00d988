/** One cell after another of the table of tests: each operation that writes × each fault. */
import assert from 'node:assert/strict';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Fault, Place } from './faults.ts';
import { find, OPERATIONS, type Operation, type Prepared, prepare } from './operations.ts';
import { type Answered, type CallOn, callsTo, ended, type ServiceOn, startOn } from './service-on.ts';

/** What an operation was answered; undefined if the connection was cut. */
type Answers = Map<string, Answered | undefined>;

const isAcknowledged = (answered: Answered | undefined): boolean => answered !== undefined && answered.status < 300;

async function runAll(fault: Fault, call: CallOn, prepared: Prepared): Promise<Answers> {
  const answers: Answers = new Map();
  const run = async ([name, { run: start }]: [string, Operation]): Promise<void> => {
    answers.set(name, await start(call, prepared).catch(() => undefined));
  };
  if (fault.inTurn) for (const one of Object.entries(OPERATIONS)) await run(one);
  else await Promise.all(Object.entries(OPERATIONS).map(run));
  return answers;
}

/** What the fault does not allow of an answer. */
function wrongAnswer(fault: Fault, { isFreeing }: Operation, answered: Answered | undefined): string | undefined {
  if (answered === undefined) return fault.ends ? undefined : 'cut off';
  const shown = `${answered.status} ${answered.body?.code ?? ''}`;
  if (isAcknowledged(answered)) return fault.mayAcknowledge ? undefined : `acknowledged with ${shown}`;
  const isRefused = fault.refusals.includes(shown) && !(isFreeing && shown === '503 storage_full');
  return isRefused ? undefined : `${shown} ${answered.body?.message ?? ''}`;
}

/** Waits until `/readyz` says that the ledger has failed; then `/health` does, too. */
async function shown({ origin }: ServiceOn, call: CallOn): Promise<void> {
  const failed = { name: 'ledger', status: 'failed' };
  for (;;) {
    const { status, body } = await readiness(origin);
    if (status === 200) await sleep(20);
    else {
      assert.deepEqual([status, body.checks[0]], [503, failed]);
      break;
    }
  }
  const { body } = await call('GET', '/health');
  assert.deepEqual([body.status, body.checks[0]], ['failed', failed]);
}

async function readiness(origin: string): Promise<Answered> {
  const response = await fetch(`${origin}/readyz`);
  return { status: response.status, body: await response.json() };
}

export interface Moment {
  /** Causes the fault when this many operations were answered; by default before the first is sent. */
  afterAnswers?: number;
}

/**
 * Carries out all operations under a fault, and compares what is there after it with what was acknowledged. Returns the
 * answers.
 */
export async function tryFault(fault: Fault, place: Place, { afterAnswers }: Moment = {}): Promise<Answers> {
  let service: ServiceOn = await startOn(place.data);
  try {
    const call = await callsTo(service.base);
    const prepared = await prepare(call);
    let left = afterAnswers ?? 0;
    const counting: CallOn = async (...requested) => {
      const answered = await call(...requested);
      if (left > 0 && --left === 0) await fault.cause(place, service);
      return answered;
    };
    if (afterAnswers === undefined) await fault.cause(place, service);
    const answers = await runAll(fault, afterAnswers === undefined ? call : counting, prepared);

    const wrong = Object.entries(OPERATIONS).flatMap(([name, operation]) => {
      const found = wrongAnswer(fault, operation, answers.get(name));
      return found === undefined ? [] : [`${name}: ${found}`];
    });
    assert.deepEqual(wrong, []);
    if (fault.isShown) await shown(service, call);
    await ended(service.child);
    if (fault.heal && !fault.heal(place)) return answers;
    service = await startOn(place.data);
    const found = await find(await callsTo(service.base));
    assert.equal((await fetch(`${service.origin}/readyz`)).status, 200);
    const lost = Object.entries(OPERATIONS).flatMap(([name, operation]) => {
      const answered = answers.get(name);
      const there = operation.there(found, prepared, isAcknowledged(answered) ? answered : undefined);
      if (there === 1 || (there === 0 && !isAcknowledged(answered))) return [];
      return [`${name}: ${there * 100} % is there, ${isAcknowledged(answered) ? 'acknowledged' : 'not acknowledged'}`];
    });
    assert.deepEqual(lost, []);
    return answers;
  } finally {
    await ended(service.child);
  }
}
