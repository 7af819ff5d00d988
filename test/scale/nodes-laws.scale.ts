/** The laws of idempotency keys and of limits, over three nodes behind a balancer. */
import { after } from 'node:test';
import { journeysOnNodes } from './journey-nodes.ts';

const close = await journeysOnNodes();
await import('../laws/idempotency.test.ts');
await import('../laws/limits.test.ts');
after(close);
