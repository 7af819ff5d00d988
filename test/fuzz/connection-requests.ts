/** Requests for the documented answers of connections: of one that the world has, and of those that they make. */
import { SMALL_GUID } from '../connections/kiosk-module.ts';
import type { Sent } from './agent.ts';
import type { World } from './world.ts';

/** What a kiosk is connected with; it refuses `wrong`. */
export const KIOSK = { kind: 'kiosk', url: 'https://kiosk.example', credentials: { key: 'key' }, backfillDays: 1 };

export function connectionRequests({ tokens, connectionId }: World): Sent[] {
  const headers = { 'content-type': 'application/json', authorization: tokens.good ?? '' };
  const send = (method: string, path: string, body?: object): Sent => ({
    method,
    url: `/v1/connections${path}`,
    headers,
    body: body && Buffer.from(JSON.stringify(body)),
  });
  const access = { kind: KIOSK.kind, url: KIOSK.url };
  const wrong = { key: 'wrong' };
  const one = `/${connectionId}`;
  const dates = `${one}/dates?restaurant=${SMALL_GUID}`;
  return [
    ...[KIOSK.credentials, wrong].map((credentials) => send('POST', '/check', { ...access, credentials })),
    send('POST', '/keys'),
    send('POST', '', KIOSK),
    send('POST', '', { ...KIOSK, credentials: wrong }),
    ...[send('GET', ''), send('GET', one)],
    send('PATCH', one, { name: 'Till 2' }),
    send('PATCH', one, { restaurants: ['00000000-0000-4000-8000-000000000000'] }),
    ...[KIOSK.credentials, wrong].map((credentials) => send('PUT', `${one}/credentials`, credentials)),
    ...['/pause', '/resume'].map((step) => send('POST', one + step)),
    ...[one, '/none'].map((of) => send('POST', `${of}/read`, { from: '20260301', to: '20260302' })),
    ...['&from=20260301', '&from=20260301&to=20260201', '&from=20260101&to=20260301', ''].map((more) =>
      send('GET', dates + more),
    ),
    send('GET', `${one}/dates?restaurant=00000000-0000-4000-8000-000000000000&from=20260301`),
    send('DELETE', one),
    send('POST', '', KIOSK),
  ];
}
