/** What a point of sale says before anything is stored, where it is wrong or without end. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { ConnectionSource, SourceContext, UpstreamRestaurant } from '@daypart/client/source';
import { reach } from '../../packages/service/src/connections/reach.ts';
import { toast } from '../../packages/service/src/connections/sources/toast/toast.ts';
import { START, small } from '../upstream/caller.ts';
import { createClock } from '../upstream/clock.ts';
import { createWorld } from '../upstream/world.ts';
import { kioskSource } from './kiosk-upstream.ts';

const { signal } = new AbortController();

/** Asks a source, whose calls are answered by `request`. */
function ask(source: ConnectionSource, request: SourceContext['request'], first: string | null = null) {
  const context = ({ restaurant }: { restaurant: SourceContext['restaurant'] }): SourceContext => ({
    restaurant,
    signal,
    request,
    credentials: {},
    settings: {},
    now: () => START,
    log: () => undefined,
    guid: (name) => name,
  });
  return reach({ source, context }, first, signal);
}

it('settings that cannot be stored are refused, by the restaurant that they are of', async () => {
  const world = createWorld({ clock: createClock({ at: START }), restaurants: [small()], days: 1 });
  const kiosk = kioskSource(world, () => undefined);
  const none = (): Promise<never> => Promise.reject(new Error('a kiosk has no address'));
  const { restaurants } = await ask(kiosk, none);
  const wrong: Partial<UpstreamRestaurant>[] = [
    { timeZone: 'Mars/Phobos' },
    { closeoutHour: 99 },
    { guid: '../../etc/passwd' },
    { name: 'x'.repeat(50_000) },
    { currencyCode: 'dollars' },
  ];
  for (const change of wrong) {
    const found = restaurants.map((one) => Object.assign({}, one, change));
    const source = Object.assign({}, kiosk, { restaurants: async () => ({ access: 'group', restaurants: found }) });
    await assert.rejects(ask(source, none), { code: 'upstream_changed', message: /cannot be stored: / });
  }
});

it('more restaurants than anybody has, and pages without end, are refused', async () => {
  let calls = 0;
  const first = '3f0a5c1e-7b42-4d19-9c86-1a2e5d70b431';
  const answers: Record<string, (isPartner: boolean) => object> = {
    connectedRestaurants: () => ({ results: [], nextPageToken: String(calls) }),
    restaurants: () => Array.from({ length: 60_000 }, (_, index) => ({ guid: `g${index}` })),
    [first]: () => ({ guid: first, general: { managementGroupGuid: 'mg', name: 'One', timeZone: 'UTC' }, prefs: {} }),
  };
  const asking =
    (isPartner: boolean): SourceContext['request'] =>
    async (_method, path) => {
      calls++;
      const [last = ''] = path.split('/').slice(-1);
      const status = last === 'connectedRestaurants' && !isPartner ? 403 : 200;
      return { status, headers: new Headers(), json: answers[last]?.(isPartner) };
    };
  for (const isPartner of [true, false]) {
    calls = 0;
    await assert.rejects(ask(toast, asking(isPartner), first), { code: 'upstream_changed' });
    assert.ok(calls < 20, `${calls} calls`);
  }
});
