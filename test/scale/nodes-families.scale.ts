/** Journeys of the families of reports, over two nodes behind a balancer. */
import { after } from 'node:test';
import { journeysOnNodes } from './journey-nodes.ts';

const close = await journeysOnNodes();
await import('../journeys/labor.test.ts');
await import('../journeys/labor-creates.test.ts');
await import('../journeys/menu.test.ts');
await import('../journeys/payouts.test.ts');
await import('../journeys/card-payments.test.ts');
await import('../journeys/fingerprints.long.ts');
after(close);
