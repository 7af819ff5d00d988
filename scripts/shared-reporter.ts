/**
 * The reporter of test files that share a process: a line of JSON for each of them, with what the spec reporter says.
 */
import type { EventData } from 'node:test';
import { spec, type TestEvent } from 'node:test/reporters';

/** What became of a file. */
export interface Reported {
  /** Its whole path. */
  file: string;
  seconds: number;
  /** Why the file failed as a whole, where no test of it says so. */
  failure?: string;
  counts: Record<'tests' | 'suites' | 'pass' | 'fail' | 'cancelled' | 'skipped' | 'todo', number>;
  output: string;
}

/** As Node's runner counts tests. */
function outcomeOf({ type, data }: TestEvent & { type: 'test:pass' | 'test:fail' }): keyof Reported['counts'] {
  if (data.skip !== undefined) return 'skipped';
  if (data.todo !== undefined) return 'todo';
  if (type === 'test:pass') return 'pass';
  const { failureType } = (data as EventData.TestFail).details.error as Error & { failureType?: string };
  return failureType === 'cancelledByParent' || failureType === 'testAborted' ? 'cancelled' : 'fail';
}

async function report(file: string, events: readonly TestEvent[]): Promise<Reported> {
  const counts = { tests: 0, suites: 0, pass: 0, fail: 0, cancelled: 0, skipped: 0, todo: 0 };
  let [ms, failed] = [0, false];
  const shown = new spec();
  for (const event of events) {
    shown.write(event);
    if (event.type !== 'test:pass' && event.type !== 'test:fail') continue;
    const { nesting, details } = event.data;
    if (nesting === 0) {
      ms += details.duration_ms;
      failed ||= event.type === 'test:fail';
    }
    if (details.type === 'suite') counts.suites++;
    else {
      counts.tests++;
      counts[outcomeOf(event)]++;
    }
  }
  shown.end();
  let output = '';
  for await (const piece of shown) output += piece;
  const outside = failed && counts.fail + counts.cancelled === 0 && { failure: 'failed outside of its tests' };
  return { file, seconds: ms / 1000, counts, output: output.trimEnd(), ...outside };
}

export default async function* sharedReporter(source: AsyncIterable<TestEvent>): AsyncGenerator<string> {
  const byFile = new Map<string, TestEvent[]>();
  // A test may be declared by another file than the one that has its suite: the laws by laws.ts.
  let top: string | undefined;
  for await (const event of source) {
    const { file, nesting = 0 } = event.data as { file?: string; nesting?: number };
    if (event.type === 'test:start' && nesting === 0) top = file;
    const of = nesting > 0 ? top : file;
    if (of === undefined) continue;
    const events = byFile.get(of) ?? [];
    events.push(event);
    byFile.set(of, events);
  }
  for (const [file, events] of byFile) yield `${JSON.stringify(await report(file, events))}\n`;
}
