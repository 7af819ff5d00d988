/** Threads and child processes as the two ends of calls. */
import type { ChildProcess } from 'node:child_process';
import { extname } from 'node:path';
import { parentPort, type Worker } from 'node:worker_threads';

/** Where the messages of the other side arrive, and are sent to it. */
export interface Port {
  post(message: unknown): void;
  onMessage(listener: (message: unknown) => void): void;
}

/** A thread or process that this one has started. */
export interface Peer extends Port {
  /** The id of the process; undefined for a thread. */
  pid?: number | undefined;
  /** Calls back with the cause once no answer will come; further causes may follow. */
  onEnd(listener: (cause: Error) => void): void;
  /** Ends the other side without waiting for its work. Resolves when it has ended. */
  end(): Promise<void>;
}

/**
 * The module `name` beside the module `from` (its `import.meta.url`), run from its source (.ts) or as it was built
 * (.js): what a thread or a process is started with.
 */
export const sibling = (name: string, from: string): URL => new URL(`./${name}${extname(from)}`, from);

/** A thread. `name` is the subject of the error of its end: `the thread that …`. */
export const threadPeer = (thread: Worker, name: string): Peer => ({
  post: (message) => thread.postMessage(message),
  onMessage: (listener) => thread.on('message', listener),
  onEnd(listener) {
    thread.on('error', listener);
    thread.on('exit', (code) => listener(new Error(`${name} ended with ${code}`)));
  },
  async end() {
    await thread.terminate();
  },
});

/**
 * A child process with a channel. `name` is the subject of the error of its end. One that is being ended, or that a
 * message could not be sent to, has ended for its callers: the events of its exit come later.
 */
export function processPeer(child: ChildProcess, name: string): Peer & { ended: Promise<void> } {
  const exited = Promise.withResolvers<void>();
  const listeners: ((cause: Error) => void)[] = [];
  const lose = (cause: Error): void => {
    for (const listener of listeners) listener(cause);
  };
  async function end(cause = new Error(`${name} was ended`)): Promise<void> {
    lose(cause);
    child.kill('SIGKILL');
    await exited.promise;
  }
  child.on('exit', (code, signal) => {
    lose(new Error(`${name} ended with ${code ?? signal}`));
    exited.resolve();
  });
  child.on('disconnect', () => lose(new Error(`${name} disconnected`)));
  child.on('error', (error) => {
    lose(error);
    // A process that could not be started does not exit.
    if (child.pid === undefined) exited.resolve();
  });
  return {
    pid: child.pid,
    // Without a channel it could not be started: its error follows.
    post: (message) =>
      void child.send?.(message as object, (error) => {
        if (error) void end(error);
      }),
    onMessage: (listener) => child.on('message', listener),
    onEnd: (listener) => listeners.push(listener),
    end: () => end(),
    ended: exited.promise,
  };
}

/** The side that has started this thread. Throws Error on the main thread. */
export function parentThread(): Port {
  const port = parentPort;
  if (!port) throw new Error('this is the entry of a thread');
  return { post: (message) => port.postMessage(message), onMessage: (listener) => port.on('message', listener) };
}

/** The side that has started this process; messages are dropped once it is gone. */
export const parentProcess = (): Port => ({
  post(message) {
    if (process.connected) process.send?.(message);
  },
  onMessage: (listener) => process.on('message', listener),
});
