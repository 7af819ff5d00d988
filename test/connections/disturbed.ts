/** Hours in which calls of a connection fail and its node is killed. */
import type { Fault } from '../upstream/faults.ts';
import type { LiveRig } from './live-rig.ts';

const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;

/** Faults after which a call is repeated, and faults that end a read. */
const FAULTS: readonly Fault[] = [
  { kind: 'status', status: 500 },
  { kind: 'status', status: 503, retryAfter: 2 },
  { kind: 'throttle', seconds: 5 },
  { kind: 'throttle', seconds: 3, retryAfter: false },
  { kind: 'disconnect' },
  { kind: 'cut' },
  { kind: 'truncated' },
  { kind: 'html' },
];
/** Of all calls. */
const PART = 0.05;

/** Seconds since the oldest change that was not read yet; 0 if there is none. */
async function behind({ rig }: LiveRig, guid: string): Promise<number> {
  const now = rig.now();
  const readUntil = (await rig.streams(guid)).get('orders')?.readUntil ?? 0;
  const changed = rig.world.houses.get(guid)?.modified('orders', { from: readUntil, until: now }, now) ?? [];
  const times = changed.map(({ modifiedDate }) => Date.parse(String(modifiedDate)));
  return times.length === 0 ? 0 : (now - Math.min(...times)) / 1000;
}

export interface Disturbed {
  /** How far each restaurant was behind in each minute, seconds. */
  lags: number[];
  calls: number;
  /** Of them, those that failed. */
  faulty: number;
  kills: number;
}

/**
 * Lets so many hours of virtual time pass. One call in twenty fails, and every `killMs` the node is killed within its
 * next calls.
 */
export async function passDisturbed(
  live: LiveRig,
  { hours, killMs, faults = FAULTS }: { hours: number; killMs: number; faults?: readonly Fault[] },
): Promise<Disturbed> {
  const { rig, guids, upstream } = live;
  // A rule is asked only where those before it did not apply.
  for (const [index, fault] of faults.entries()) {
    const share = PART / faults.length;
    upstream.faults.add({ probability: share / (1 - index * share), fault });
  }
  const lags: number[] = [];
  const until = rig.now() + hours * HOUR_MS;
  let [nextLook, nextKill, kills] = [rig.now(), rig.now() + killMs, 0];
  upstream.calls.length = 0;
  await live.pass(async () => {
    const now = rig.now();
    if (now >= nextLook) {
      nextLook = now + MINUTE_MS;
      for (const guid of guids) lags.push(await behind(live, guid));
    }
    if (now >= nextKill) {
      nextKill += killMs;
      live.killAfter(1 + (kills++ % 7));
    }
    return now >= until;
  });
  const { calls } = upstream;
  upstream.faults.remove();
  return { lags, calls: calls.length, faulty: calls.filter((call) => call.faults.length > 0).length, kills };
}
