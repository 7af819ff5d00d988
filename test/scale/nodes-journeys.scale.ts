/**
 * Journeys of one service, over two nodes behind a balancer; the other files of `nodes-*.scale.ts` have more of them.
 */
import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { basename } from 'node:path';
import { after, it } from 'node:test';
import { fileURLToPath } from 'node:url';
import { journeysOnNodes } from './journey-nodes.ts';

const FROM_REQUEST = 'what it asks is answered from the request alone, by the same code on each node';
const ABOUT_REQUEST = 'it is about what a request says, which the same code judges on each node';
/** Journeys that no file runs over nodes, and why. Single tests say it where they are: `onOneNode`. */
const LEFT_OUT: Record<string, string> = {
  cors: FROM_REQUEST,
  console: ABOUT_REQUEST,
  codings: 'each node codes what it sends; transfer.long.ts reads the forms that nodes keep',
  'json-coding': 'each node codes what it sends',
  'unknown-parameters': FROM_REQUEST,
  rejections: ABOUT_REQUEST,
  'field-wrong': ABOUT_REQUEST,
  example: 'differential.scale.ts compares the figures of both stores',
  'base-path': 'it calls the address on which one service listens, below a path and beside it',
  connections: 'its bare sockets are to test the service: here they would end at the balancer',
  'daily-report': 'it has no service',
  'group-removal': 'it reads the files of a data folder; the conformance of both stores has the removal on servers',
  heads: 'its bare sockets are to test the service: here they would end at the balancer',
  'metrics-port': 'it takes the connections of one port of one process',
  scopes: 'each node enforces what its own operations declare',
  vendors: 'it counts calls that one service has answered; limits.test.ts counts those of all nodes',
  notebooks: 'it opens files in other programs; datasets.test.ts reads those of nodes',
  workbooks: 'it opens files in other programs; forms.test.ts reads those that nodes write',
  'one-arithmetic': 'it compares the figures of three programs; totals.test.ts has those of nodes',
  'own-host': 'it calls hosts at the address on which one service listens',
  exports: 'it moves the clock of one service; the connection is read by one node at a time as every other',
  'fair-queue': 'it notes in which order one worker takes reports; ledger-nodes.scale.ts has the turns over several',
  'store-away':
    'its stores are made to fail in the process; stores-gone.scale.ts and stores-frozen.scale.ts have theirs',
};

const close = await journeysOnNodes();
await import('../journeys/idempotency.test.ts');
await import('../journeys/tenancy.test.ts');
await import('../journeys/limits.test.ts');
await import('../journeys/precision.test.ts');
after(close);

it('leaves no journey out without a reason', () => {
  const find = (pattern: string): string[] => globSync(fileURLToPath(new URL(pattern, import.meta.url)));
  const texts = find('nodes-*.scale.ts').map((file) => readFileSync(file, 'utf8'));
  const files = find('../journeys/*.{test,long}.ts').map((file) => basename(file));
  const nameOf = (file: string): string => file.replace(/\..*$/, '');
  const notRun = files.filter((file) => !texts.some((text) => text.includes(`'../journeys/${file}'`)));
  assert.deepEqual([...new Set(notRun.map(nameOf))].sort(), Object.keys(LEFT_OUT).sort());
});
