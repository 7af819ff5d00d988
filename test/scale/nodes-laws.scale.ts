/** The laws of idempotency keys and of limits, over two nodes behind a balancer. */
import { after } from 'node:test';
import { journeysOnNodes } from './journey-nodes.ts';

// A tenth of the cases, which one service has all of: what nodes add is that any of them answers.
process.env.LAWS = String(Math.ceil(Number(process.env.LAWS ?? 20) / 10));
const close = await journeysOnNodes();
await import('../laws/idempotency.test.ts');
await import('../laws/limits.test.ts');
after(close);
