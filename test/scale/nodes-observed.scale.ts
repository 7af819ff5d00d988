/** Journeys of logs, metrics, alerts, traces and files of nodes, over two nodes behind a balancer. */
import { after } from 'node:test';
import { journeysOnNodes } from './journey-nodes.ts';

const close = await journeysOnNodes();
await import('../journeys/logs.long.ts');
await import('../journeys/metrics.test.ts');
await import('../journeys/alerts.test.ts');
await import('../journeys/traces.long.ts');
await import('../journeys/private.test.ts');
after(close);
