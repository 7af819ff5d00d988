/** What a service connects points of sale with, of which only tests know: a kiosk, asked without HTTP. */
import { randomBytes } from 'node:crypto';
import { type ConnectionSource, SourceError, type SourceErrorCode } from '@daypart/client/source';
import type { ConnectionParts } from '../../packages/service/src/connections/asking.ts';
import { openVault } from '../../packages/service/src/connections/credentials.ts';
import { type PointOfSale, reach } from '../../packages/service/src/connections/reach.ts';
import type { World } from '../upstream/world.ts';
import { kioskSource } from './kiosk-upstream.ts';

export interface Kiosk {
  parts: ConnectionParts;
  /** What was asked so far. */
  asked: PointOfSale[];
  /** The ids of connections that were made or changed. */
  woken: string[];
  /** What it refuses with, if it does. */
  refusal: SourceErrorCode | undefined;
  /** What a session that it began has in it. */
  session: string;
}

/** `now` is the clock of the kiosk; `named` may give it the kind and the credentials of another. */
export function openKiosk(
  world: World,
  now: number,
  named: Partial<Pick<ConnectionSource, 'kind' | 'title' | 'credentials'>> = {},
): Kiosk {
  const source = Object.assign(
    kioskSource(world, () => undefined),
    named,
  );
  const kiosk: Kiosk = {
    asked: [],
    woken: [],
    refusal: undefined,
    session: 'session-of-the-kiosk',
    parts: {
      sources: [source],
      vault: openVault({ secretKey: [randomBytes(32).toString('base64url')], data: undefined }),
      onChanged: (id) => void kiosk.woken.push(id),
      async checkConnection(access, signal) {
        kiosk.asked.push(access);
        if (kiosk.refusal) throw new SourceError(kiosk.refusal, 'refused');
        const open = {
          source,
          context: ({ restaurant }: { restaurant: Parameters<typeof source.settings>[0]['restaurant'] }) => ({
            restaurant,
            signal,
            credentials: access.credentials,
            settings: {},
            now: () => now,
            log: () => undefined,
            guid: (name: string) => name,
            request: () => Promise.reject(new Error('a kiosk has no address')),
          }),
        };
        const session = { until: now + 1, headers: { a: kiosk.session } };
        return Object.assign(await reach(open, access.first, signal), { session });
      },
    },
  };
  return kiosk;
}
