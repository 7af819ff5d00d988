/**
 * Journeys of reports: creating, retrieving, cancelling, comparing and totalling them, over two nodes behind a
 * balancer.
 */
import { after } from 'node:test';
import { journeysOnNodes } from './journey-nodes.ts';

const close = await journeysOnNodes();
await import('../journeys/reports.test.ts');
await import('../journeys/retrieval.test.ts');
await import('../journeys/datasets.test.ts');
await import('../journeys/forms.test.ts');
await import('../journeys/statuses.test.ts');
await import('../journeys/changes.test.ts');
await import('../journeys/totals.test.ts');
await import('../journeys/incomplete.test.ts');
after(close);
