/**
 * Events of loads. A browser opens at most six connections to a host, so one tab listens for all of them: a lock
 * chooses that tab, and a channel notifies the others. Without locks (plain http on a LAN address) each tab listens on
 * its own.
 */
import type { GroupEvent } from '@daypart/client';
import { daypart } from './client.ts';
import { createTrigger, LEAST_MS } from './trigger.ts';

const NAME = 'daypart-live';
/** A hidden tab stops listening after this long. */
const HIDDEN_MS = 60_000;

/** Whether figures may have changed, or what is read of a point of sale. */
const changes = ({ event }: GroupEvent): boolean => event !== 'report';

/** Listens until the signal is aborted, and notifies the other tabs of what changes the group. */
async function listen(signal: AbortSignal, channel: BroadcastChannel | undefined, note: () => void): Promise<void> {
  for await (const event of daypart.events({ signal })) {
    if (!changes(event)) continue;
    note();
    channel?.postMessage('loaded');
  }
}

/** Begins to listen and calls `onChange` after loads. Returns a function that stops. */
export function startLive(onChange: () => void): () => void {
  const trigger = createTrigger(onChange);
  const channel = typeof BroadcastChannel === 'undefined' ? undefined : new BroadcastChannel(NAME);
  channel?.addEventListener('message', trigger.note);
  let listening: AbortController | undefined;
  let hiding: ReturnType<typeof setTimeout> | undefined;
  let again: ReturnType<typeof setTimeout> | undefined;
  const begin = (): void => {
    const own = new AbortController();
    listening = own;
    const work = () => listen(own.signal, channel, trigger.note);
    const done = navigator.locks ? navigator.locks.request(NAME, { signal: own.signal }, work) : work();
    // The client opens a connection that breaks again by itself. One that is refused, as by a service that is busy, is
    // opened again later.
    done.catch(() => {
      if (!own.signal.aborted) again = setTimeout(begin, LEAST_MS);
    });
  };
  const end = (): void => {
    clearTimeout(again);
    listening?.abort();
    listening = undefined;
  };
  const onVisibility = (): void => {
    clearTimeout(hiding);
    if (document.hidden) hiding = setTimeout(end, HIDDEN_MS);
    else if (!listening) {
      begin();
      onChange();
    }
  };
  document.addEventListener('visibilitychange', onVisibility);
  begin();
  return () => {
    clearTimeout(hiding);
    trigger.stop();
    end();
    channel?.close();
    document.removeEventListener('visibilitychange', onVisibility);
  };
}
