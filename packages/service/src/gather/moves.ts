/** Wakes those who wait in this process when another node has moved something: `poll.ts` finds what was missed. */
import type { MoveLedger } from '../ledger/moves.ts';
import type { Signals } from './signals.ts';
import type { Worker } from './worker.ts';

export interface MovesDeps {
  ledger: MoveLedger;
  signals: Signals;
  worker: Pick<Worker, 'wake' | 'cancel'>;
  /** Looks for webhooks that are due. */
  wakeDeliveries(): void;
}

/** Follows them until what it answers is called. */
export function followMoves({ ledger, signals, worker, wakeDeliveries }: MovesDeps): () => void {
  return ledger.onMove((move) => {
    switch (move.kind) {
      case 'report':
        if (move.state === 'queued') worker.wake();
        else if (move.state !== 'gathering') signals.advance(move.guid, undefined);
        if (move.state === 'cancelled') void worker.cancel(move.guid);
        signals.notify(move.guid);
        break;
      case 'progress':
        signals.advance(move.guid, { attempt: move.attempt, done: move.done });
        break;
      case 'delivery':
        wakeDeliveries();
        break;
      case 'missed':
        for (const guid of signals.wanted()) signals.notify(guid);
        worker.wake();
        wakeDeliveries();
        break;
    }
  });
}
