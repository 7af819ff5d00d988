/** Journeys of the wire and of transfers: problems, entity tags and ranges, over two nodes behind a balancer. */
import { after } from 'node:test';
import { journeysOnNodes } from './journey-nodes.ts';

const close = await journeysOnNodes();
await import('../journeys/wire.test.ts');
await import('../journeys/transfer.long.ts');
after(close);
