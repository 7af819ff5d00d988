/** The clients of the field, over three nodes behind a balancer. */
import { after } from 'node:test';
import { journeysOnNodes } from './journey-nodes.ts';

const close = await journeysOnNodes();
await import('../journeys/field-client.test.ts');
await import('../journeys/field-labor.test.ts');
await import('../journeys/field-menu.test.ts');
await import('../journeys/field-payouts.test.ts');
await import('../journeys/field-wrong.test.ts');
after(close);
