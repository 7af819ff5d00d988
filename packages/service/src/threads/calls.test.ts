/** Calls to threads and processes, with threads that run this file too. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { EventEmitter, once } from 'node:events';
import { describe, it, type TestContext } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { isMainThread, threadId, Worker } from 'node:worker_threads';
import { type Calls, connectPeer, type OpenOptions, openCalls, type PeerConnection, serveCalls } from './calls.ts';
import { type Peer, parentProcess, parentThread, processPeer, threadPeer } from './peers.ts';

/** What this file serves as a thread or process. */
type Sums = {
  add(numbers: number[]): number;
  addLater(numbers: number[]): Promise<number>;
  whoami(nothing: null): number;
  countTo(most: number, note: (count: number) => void): string;
  askBack(question: string): Promise<string>;
  hang(nothing: null): Promise<never>;
  fail(code: string): never;
  die(code: number): never;
};
type Back = { reply(question: string): string };

const sum = (numbers: number[]): number => numbers.reduce((total, number) => total + number, 0);

function serve(port: Parameters<typeof serveCalls>[0]): void {
  const back: PeerConnection<Back> = serveCalls<Back>(port, {
    add: sum,
    addLater: async (numbers) => {
      await sleep(20);
      return sum(numbers);
    },
    whoami: () => (isMainThread ? process.pid : threadId),
    countTo: (most, note) => {
      for (let count = 1; count <= most; count++) note(count);
      return 'counted';
    },
    askBack: async (question) => `they say: ${await back.call('reply', question)}`,
    hang: () => new Promise(() => undefined),
    fail: (code) => {
      throw Object.assign(new TypeError('it failed'), { code, errno: 7, deep: { left: 'out' } });
    },
    die: (code) => process.exit(code),
  } satisfies Sums);
}

const startThread = (): Peer => threadPeer(new Worker(new URL(import.meta.url)), 'the thread of sums');
const startProcess = (): Peer =>
  processPeer(
    fork(fileURLToPath(import.meta.url), ['serve'], { env: {}, stdio: ['ignore', 'ignore', 'inherit', 'ipc'] }),
    'the process of sums',
  );

/** A peer whose messages the test sees, and sends. */
function fakePeer() {
  const sent: { id: number; name: string }[] = [];
  let receive: (message: unknown) => void = () => undefined;
  let lose: ((cause: Error) => void)[] = [];
  const peer: Peer = {
    post: (message) => sent.push(message as { id: number; name: string }),
    onMessage: (listener) => {
      receive = listener;
    },
    onEnd: (listener) => lose.push(listener),
    end: async () => peerEnded(),
  };
  function peerEnded(cause = new Error('ended')): void {
    const listeners = lose;
    lose = [];
    for (const listener of listeners) listener(cause);
  }
  return { peer, sent, peerEnded, receive: (message: unknown) => receive(message) };
}

function open(t: TestContext, start: () => Peer, options?: OpenOptions): Calls<Sums> {
  const calls = openCalls<Sums>(start, options);
  t.after(() => calls.end());
  return calls;
}

function describeCalls(): void {
  for (const [name, start] of Object.entries({ thread: startThread, process: startProcess })) {
    describe(`calls to a ${name}`, () => {
      it('are answered each with its own result, those of functions that do not wait in their order', async (t) => {
        const calls = open(t, start);
        const answered: string[] = [];
        const note = (answer: string) => (value: number) => answered.push(`${answer} ${value}`);

        await Promise.all([
          calls.call('addLater', [1, 2]).then(note('later')),
          calls.call('add', [3, 4]).then(note('first')),
          calls.call('add', [5, 6]).then(note('second')),
        ]);

        assert.deepEqual(answered, ['first 7', 'second 11', 'later 3']);
        assert.equal(calls.pending(), 0);
      });

      it('reject with the message, the stack and the simple properties of what was thrown', async (t) => {
        const calls = open(t, start);

        const error = await calls.call('fail', 'E7').catch((thrown: unknown) => thrown);

        assert.ok(error instanceof Error);
        assert.deepEqual({ ...error }, { code: 'E7', errno: 7 });
        assert.equal(error.message, 'it failed');
        assert.match(error.stack ?? '', /TypeError: it failed\n.*fail.*calls\.test\.ts/);
        assert.equal(await calls.call('add', [1]), 1);
      });

      it('are all rejected when it ends, and the next call starts another', async (t) => {
        const calls = open(t, start, { errorOfEnd: (cause) => new Error('not answered', { cause }) });
        const first = await calls.call('whoami', null);

        const pending = [calls.call('hang', null), calls.call('hang', null), calls.call('die', 3)];

        for (const { status, reason } of (await Promise.allSettled(pending)) as PromiseRejectedResult[]) {
          assert.equal(status, 'rejected');
          assert.equal(reason.message, 'not answered');
          assert.match(reason.cause.message, new RegExp(`the ${name} of sums (ended with 3|disconnected)`));
        }
        assert.equal(calls.pending(), 0);
        assert.notEqual(await calls.call('whoami', null), first);
      });

      it('end it when one is aborted, which rejects with the reason after that', async (t) => {
        const calls = open(t, start, { errorOfEnd: () => new Error('not answered') });
        const leaving = new AbortController();
        const first = await calls.call('whoami', null);
        const aborted = calls.call('hang', null, { signal: leaving.signal });
        const other = assert.rejects(calls.call('hang', null), /not answered/);

        leaving.abort(new Error('nobody waits'));
        // It is not called any more, even before it has ended.
        const second = calls.call('whoami', null);

        await assert.rejects(aborted, /nobody waits/);
        await other;
        assert.notEqual(await second, first);
        await assert.rejects(calls.call('add', [1], { signal: leaving.signal }), /nobody waits/);
      });

      it('pass on what it sends before the answer, and what it calls itself', async (t) => {
        const calls = open(t, start, { handlers: { reply: (question: string) => `${question}!` } satisfies Back });
        const counted: number[] = [];

        const answer = await calls.call('countTo', 3, { onNote: (count) => counted.push(count) });

        assert.deepEqual([answer, counted], ['counted', [1, 2, 3]]);
        assert.equal(await calls.call('askBack', 'why'), 'they say: why!');
      });
    });
  }

  it('a process has the id by which it is known to the system, while it runs', async (t) => {
    const calls = open(t, startProcess);
    assert.equal(calls.pid(), undefined);

    const pid = await calls.call('whoami', null);
    assert.equal(calls.pid(), pid);
    process.kill(pid, 'SIGKILL');
    await assert.rejects(calls.call('hang', null));

    assert.equal(calls.pid(), undefined);
  });

  it('a process that cannot be started rejects its calls', async () => {
    const child = fork('none', [], { execPath: '/none/node', stdio: 'ignore' });
    const calls = connectPeer<Sums>(processPeer(child, 'the process of sums'));

    await assert.rejects(calls.call('add', [1]));
    await once(child, 'close').catch(() => undefined);
  });
}

function describeFakes(): void {
  it('a late answer of one that has ended is not taken for that of its successor', async () => {
    const fakes = [fakePeer(), fakePeer()];
    let started = 0;
    const calls = openCalls<Sums>(() => fakes[started++]?.peer as Peer);
    const [dead, alive] = fakes;

    const lost = assert.rejects(calls.call('add', [1]), /ended/);
    dead?.peerEnded();
    await lost;
    const answer = calls.call('add', [2]);
    dead?.receive({ kind: 'done', id: dead.sent[0]?.id, value: 'of the dead' });
    // Its second cause must not fail the calls of the other either.
    dead?.peerEnded(new Error('again'));
    alive?.receive({ kind: 'done', id: alive.sent[0]?.id, value: 2 });

    assert.equal(await answer, 2);
    assert.equal(started, 2);
  });

  it('one that has ended is not called: its calls are rejected immediately', async () => {
    const { peer, peerEnded, sent } = fakePeer();
    const calls = connectPeer<Sums>(peer);
    peerEnded();

    await assert.rejects(calls.call('add', [1]), /ended/);
    assert.deepEqual(sent, []);
  });

  it('an input that cannot be sent rejects its call alone', async (t) => {
    const calls = open(t, startThread);
    const unsendable = [() => 1] as unknown as number[];

    await assert.rejects(calls.call('add', unsendable), { name: 'DataCloneError' });

    assert.equal(calls.pending(), 0);
    assert.equal(await calls.call('add', [1]), 1);
  });

  it('an idle one is ended, and one that is called before that is not', async (t) => {
    let ends = 0;
    const start = (): Peer => {
      const thread = startThread();
      thread.onEnd(() => ends++);
      return thread;
    };
    let idleMs: number | undefined;
    const calls = open(t, start, { idleMs: () => idleMs });
    const first = await calls.call('whoami', null);
    assert.equal(await calls.call('whoami', null), first);

    idleMs = 5000;
    await calls.call('add', [1]);
    // The time of the call before is not counted.
    idleMs = 1;
    const busy = calls.call('addLater', [1]);
    assert.equal(await calls.call('whoami', null), first);
    assert.equal(await busy, 1);
    while (ends === 0) await sleep(1);

    assert.notEqual(await calls.call('whoami', null), first);
  });

  it('what is sent without a call is not answered, and starts nothing', async () => {
    const { peer, sent } = fakePeer();
    let started = 0;
    const calls = openCalls<Sums>(() => {
      started++;
      return peer;
    });

    calls.send('add', [1]);
    assert.equal(started, 0);
    calls.start();
    calls.send('add', [2]);

    assert.deepEqual(sent, [{ kind: 'call', name: 'add', input: [2] }]);
    assert.equal(calls.pending(), 0);

    it('fail with the reason why a process could not be started, also if it never had a channel', async () => {
      // As Node leaves a process that it could not start because no file descriptors were left.
      const child = Object.assign(new EventEmitter(), { pid: undefined, kill: () => false }) as unknown as ChildProcess;
      const call = connectPeer<Sums>(processPeer(child, 'the helper')).call('add', [1, 2]);
      child.emit('error', Object.assign(new Error('spawn EMFILE'), { code: 'EMFILE' }));

      await assert.rejects(call, { message: 'spawn EMFILE', code: 'EMFILE' });
    });
  });
}

if (!isMainThread) serve(parentThread());
else if (process.argv[2] === 'serve') serve(parentProcess());
else {
  describeCalls();
  describe('the calls', describeFakes);
}
