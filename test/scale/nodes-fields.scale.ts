/** The clients of the field, over two nodes behind a balancer. */
import { after } from 'node:test';
import { journeysOnNodes } from './journey-nodes.ts';

const close = await journeysOnNodes();
await import('../journeys/field-client.long.ts');
await import('../journeys/field-labor.long.ts');
await import('../journeys/field-menu.long.ts');
await import('../journeys/field-payouts.long.ts');
after(close);
