/** Journeys of loading, over two nodes behind a balancer. */
import { after } from 'node:test';
import { journeysOnNodes } from './journey-nodes.ts';

const close = await journeysOnNodes();
await import('../journeys/loading.test.ts');
await import('../journeys/early-answers.test.ts');
await import('../journeys/loaded.test.ts');
await import('../journeys/loaded-again.test.ts');
await import('../journeys/records.test.ts');
await import('../journeys/taking-back.test.ts');
await import('../journeys/dayparts.test.ts');
await import('../journeys/imports.test.ts');
after(close);
