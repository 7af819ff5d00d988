/** Journeys of access: clients, secrets, sessions and their limits, over two nodes behind a balancer. */
import { after } from 'node:test';
import { journeysOnNodes } from './journey-nodes.ts';

const close = await journeysOnNodes();
await import('../journeys/admin.test.ts');
await import('../journeys/sessions.test.ts');
await import('../journeys/session-downloads.test.ts');
await import('../journeys/session-limits.test.ts');
await import('../journeys/session-chromium.long.ts');
await import('../journeys/wrong-secrets.long.ts');
await import('../journeys/external-issuer.test.ts');
after(close);
