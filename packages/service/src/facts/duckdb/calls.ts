/** The pending calls of the engine: each is answered once, or rejected when the engine ends. */
import type { Logger } from 'pino';
import { type Bounds, EngineGone } from '../bounds.ts';
import type { EngineChild } from './engine-child.ts';
import type { EngineAnswer, Row, ToEngine } from './protocol.ts';

interface PendingCall {
  resolve(rows: Row[][]): void;
  reject(error: Error): void;
  onProgress: Bounds['onProgress'];
}

const ENDED = 'the reporting engine ended';

/** Marked, because only its text says what it is about (storage/disk-fault.ts). */
const fromEngine = (message: string): Error => Object.assign(new Error(message), { fromEngine: true });

export interface Calls {
  /** Sends the message with a new id; returns the rows of every step. */
  post(engine: EngineChild, messageOf: (id: number) => ToEngine, onProgress?: Bounds['onProgress']): Promise<Row[][]>;
  /** Settles a call with its answer. Returns false if the engine has failed: it then refuses all further calls. */
  settle(answer: EngineAnswer): boolean;
  /** Rejects all with EngineGone. */
  rejectAll(): void;
  isEmpty(): boolean;
}

export function createCalls(log: Logger | undefined): Calls {
  let lastId = 0;
  const calls = new Map<number, PendingCall>();
  return {
    isEmpty: () => calls.size === 0,
    post: (engine, messageOf, onProgress) =>
      new Promise<Row[][]>((resolve, reject) => {
        const id = ++lastId;
        calls.set(id, { resolve, reject, onProgress });
        engine.send(messageOf(id), (error) => {
          if (error && calls.delete(id)) reject(new EngineGone(ENDED));
        });
      }),
    settle(answer) {
      const call = calls.get(answer.id);
      if (answer.kind === 'progress') {
        call?.onProgress?.(answer.done);
        return true;
      }
      calls.delete(answer.id);
      if (answer.kind === 'done') call?.resolve(answer.rows);
      else if (answer.fatal) {
        log?.error({ err: answer.message }, 'the reporting engine failed and is started again');
        call?.reject(new EngineGone('the reporting engine failed', answer.full));
        return false;
      } else call?.reject(answer.full ? new EngineGone(answer.message, true) : fromEngine(answer.message));
      return true;
    },
    rejectAll() {
      for (const call of calls.values()) call.reject(new EngineGone(ENDED));
      calls.clear();
    },
  };
}
