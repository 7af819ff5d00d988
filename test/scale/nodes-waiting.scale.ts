/** Journeys of waiting: held retrievals, events and webhooks, over two nodes behind a balancer. */
import { after } from 'node:test';
import { journeysOnNodes } from './journey-nodes.ts';

const close = await journeysOnNodes();
await import('../journeys/waiting.long.ts');
await import('../journeys/events.test.ts');
await import('../journeys/group-events.long.ts');
await import('../journeys/webhooks.test.ts');
await import('../journeys/webhooks.long.ts');
after(close);
