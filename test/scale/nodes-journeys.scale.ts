/** Journeys of one service, over three nodes behind a balancer. */
import { after } from 'node:test';
import { journeysOnNodes } from './journey-nodes.ts';

const close = await journeysOnNodes();
await import('../journeys/idempotency.test.ts');
await import('../journeys/tenancy.test.ts');
after(close);
