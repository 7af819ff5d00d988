/**
 * Calls of functions in another thread or process. Each is answered once, or rejected when the other side ends. Either
 * side may call the other; messages arrive in the order in which they were sent.
 */
import type { Peer, Port } from './peers.ts';

/**
 * The functions that a side may be called for. Each takes one input, and a function that sends data to the caller
 * before the answer (notes). All of them, and results, are data that can be sent: structured clones, or JSON for a
 * process that is forked without `advanced`.
 */
type Handlers = Record<string, (input: never, note: never) => unknown>;

type Input<H extends Handlers, Name extends keyof H> = Parameters<H[Name]>[0];
type Note<H extends Handlers, Name extends keyof H> = Parameters<H[Name]>[1] extends (data: infer Data) => void
  ? Data
  : never;
type Handler = (input: unknown, note: (data: unknown) => void) => unknown;

/** An error as data: as an Error it would lose its code on the way. */
interface ErrorData {
  message: string;
  stack: string | undefined;
  /** Its own properties of simple types: code, errno, … */
  [property: string]: unknown;
}

type Message =
  /** Without an id, nothing is answered. */
  | { kind: 'call'; id?: number; name: string; input: unknown }
  | { kind: 'note'; id: number; data: unknown }
  | { kind: 'done'; id: number; value: unknown }
  | { kind: 'failed'; id: number; error: ErrorData };

interface PendingCall {
  resolve(value: unknown): void;
  reject(error: Error): void;
  onNote: ((data: never) => void) | undefined;
}

/** The calls between this side and one other, from its start to its end. */
export interface PeerConnection<H extends Handlers> {
  /**
   * Calls a function of the other side. Rejects with what it throws: an Error with its message, stack and simple
   * properties.
   */
  call<Name extends keyof H & string>(
    name: Name,
    input: Input<H, Name>,
    onNote?: (data: Note<H, Name>) => void,
  ): Promise<Awaited<ReturnType<H[Name]>>>;
  /** Calls a function without an answer. One that throws ends the other side, as an exception in a listener does. */
  send<Name extends keyof H & string>(name: Name, input: Input<H, Name>): void;
  /** How many calls of this side are not answered yet. */
  pending(): number;
  /** Takes a message that was received in another way than by its event (`receiveMessageOnPort`). */
  receive(message: unknown): void;
}

function dataOf(error: unknown): ErrorData {
  if (!(error instanceof Error)) return { message: String(error), stack: undefined };
  const simple = Object.entries(error).filter(([, value]) => ['string', 'number', 'boolean'].includes(typeof value));
  return { ...Object.fromEntries(simple), message: error.message, stack: error.stack };
}

const errorOf = (data: ErrorData): Error => Object.assign(new Error(data.message), data);

/**
 * Serves the calls of the other side; returns those of this one. A handler that is not asynchronous is answered in
 * order.
 */
export function serveCalls<H extends Handlers>(port: Port, handlers: Handlers): PeerConnection<H> {
  return connect<H>(port, handlers).connection;
}

function connect<H extends Handlers>(port: Port, handlers: Handlers) {
  const pending = new Map<number, PendingCall>();
  let lastId = 0;
  let ended: Error | undefined;
  const post = (message: Message): void => port.post(message);

  async function answer(id: number, handler: Handler, input: unknown): Promise<void> {
    try {
      post({ kind: 'done', id, value: await handler(input, (data) => post({ kind: 'note', id, data })) });
    } catch (error) {
      post({ kind: 'failed', id, error: dataOf(error) });
    }
  }

  function receive(message: unknown): void {
    const received = message as Message;
    if (received.kind === 'call') {
      const { id, name, input } = received;
      const handler = handlers[name] as Handler;
      if (id === undefined) handler(input, () => undefined);
      else void answer(id, handler, input);
      return;
    }
    const call = pending.get(received.id);
    if (received.kind === 'note') {
      call?.onNote?.(received.data as never);
      return;
    }
    pending.delete(received.id);
    if (received.kind === 'done') call?.resolve(received.value);
    else call?.reject(errorOf(received.error));
  }

  port.onMessage(receive);
  const connection: PeerConnection<H> = {
    receive,
    pending: () => pending.size,
    send: (name, input) => post({ kind: 'call', name, input }),
    call: (name, input, onNote) =>
      new Promise((resolve, reject) => {
        if (ended) throw ended;
        const id = ++lastId;
        post({ kind: 'call', id, name, input });
        pending.set(id, { resolve: resolve as PendingCall['resolve'], reject, onNote });
      }),
  };
  return {
    connection,
    /** Rejects all calls, and those that follow. */
    lose(error: Error): void {
      ended ??= error;
      for (const call of pending.values()) call.reject(error);
      pending.clear();
    },
  };
}

interface PeerOptions {
  /** What the other side may call. */
  handlers?: Handlers;
  /**
   * The error, from its cause, of calls that are not answered because the other side has ended; by default the cause.
   */
  errorOfEnd?: (cause: Error) => Error;
}

/** Connects to a thread or process that has been started. */
export function connectPeer<H extends Handlers>(
  peer: Peer,
  { handlers = {}, errorOfEnd = (cause) => cause }: PeerOptions = {},
): PeerConnection<H> {
  const { connection, lose } = connect<H>(peer, handlers);
  let hasEnded = false;
  peer.onEnd((cause) => {
    if (hasEnded) return;
    hasEnded = true;
    lose(errorOfEnd(cause));
  });
  return connection;
}

export interface CallOptions<Data> {
  /**
   * Ends the other side, and with it all of its calls: for work that cannot be interrupted. This call rejects with the
   * reason when it has ended.
   */
  signal?: AbortSignal | undefined;
  onNote?: (data: Data) => void;
}

/** Calls to a thread or process that is started when it is called, and again after it has ended. */
export interface Calls<H extends Handlers> extends Pick<PeerConnection<H>, 'send' | 'pending'> {
  call<Name extends keyof H & string>(
    name: Name,
    input: Input<H, Name>,
    options?: CallOptions<Note<H, Name>>,
  ): Promise<Awaited<ReturnType<H[Name]>>>;
  /** Starts it before the first call. */
  start(): void;
  /** The id of the process that runs. */
  pid(): number | undefined;
  /** Ends it; calls that are not answered are rejected. The next call starts another. */
  end(): Promise<void>;
}

export interface OpenOptions extends PeerOptions {
  /**
   * Milliseconds without a call after which the other side is ended, or a function that returns them after the last
   * answer. Without, it stays.
   */
  idleMs?: number | (() => number | undefined);
}

interface Started<H extends Handlers> {
  peer: Peer;
  connection: PeerConnection<H>;
  idle?: NodeJS.Timeout;
}

/** Opens calls to what `start` starts. */
export function openCalls<H extends Handlers>(start: () => Peer, { idleMs, ...options }: OpenOptions = {}): Calls<H> {
  let current: Started<H> | undefined;

  function started(): Started<H> {
    if (current) return current;
    const peer = start();
    const mine: Started<H> = { peer, connection: connectPeer<H>(peer, options) };
    peer.onEnd(() => leave(mine));
    current = mine;
    return mine;
  }

  /** The next call starts another. */
  function leave(one: Started<H>): void {
    clearTimeout(one.idle);
    if (current === one) current = undefined;
  }

  async function end(one: Started<H>): Promise<void> {
    leave(one);
    await one.peer.end();
  }

  function endWhenIdle(one: Started<H>): void {
    if (current !== one || one.connection.pending() > 0) return;
    clearTimeout(one.idle);
    const ms = typeof idleMs === 'function' ? idleMs() : idleMs;
    if (ms !== undefined) one.idle = setTimeout(() => void end(one), ms).unref();
  }

  return {
    start: () => void started(),
    pid: () => current?.peer.pid,
    pending: () => current?.connection.pending() ?? 0,
    send: (name, input) => current?.connection.send(name, input),
    async end() {
      if (current) await end(current);
    },
    call(name, input, { signal, onNote } = {}) {
      if (signal?.aborted) return Promise.reject(signal.reason);
      const mine = started();
      clearTimeout(mine.idle);
      const abort = (): void => void end(mine);
      signal?.addEventListener('abort', abort, { once: true });
      return mine.connection
        .call(name, input, onNote)
        .catch(async (error) => {
          if (!signal?.aborted) throw error;
          await mine.peer.end();
          throw signal.reason;
        })
        .finally(() => {
          signal?.removeEventListener('abort', abort);
          endWhenIdle(mine);
        });
    },
  };
}
