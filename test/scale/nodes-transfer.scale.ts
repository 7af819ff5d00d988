/**
 * Journeys of transfers: entity tags, ranges and codings, and the worked example, over two nodes behind a balancer.
 */
import { after } from 'node:test';
import { journeysOnNodes } from './journey-nodes.ts';

const close = await journeysOnNodes();
await import('../journeys/transfer.long.ts');
await import('../journeys/json-coding.test.ts');
await import('../journeys/codings.long.ts');
await import('../journeys/example.test.ts');
after(close);
