/** The contract fuzzer, over two nodes behind a balancer. */
import { after } from 'node:test';
import { journeysOnNodes } from './journey-nodes.ts';

const close = await journeysOnNodes();
await import('../fuzz/contract.test.ts');
after(close);
