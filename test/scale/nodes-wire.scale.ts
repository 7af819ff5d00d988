/** Journeys of the wire: problems, origins and other issuers of tokens, over three nodes behind a balancer. */
import { after } from 'node:test';
import { journeysOnNodes } from './journey-nodes.ts';

const close = await journeysOnNodes();
await import('../journeys/wire.test.ts');
await import('../journeys/cors.test.ts');
await import('../journeys/external-issuer.test.ts');
after(close);
