/**
 * Journeys of the wire: problems, other origins, the console and external issuers, over two nodes behind a balancer.
 */
import { after } from 'node:test';
import { journeysOnNodes } from './journey-nodes.ts';

const close = await journeysOnNodes();
await import('../journeys/wire.test.ts');
await import('../journeys/cors.test.ts');
await import('../journeys/console.test.ts');
await import('../journeys/external-issuer.test.ts');
after(close);
