/**
 * GETs at a steady rate, whether or not earlier ones are answered: prints the 99th percentile of milliseconds from when
 * one was due to its answer, the wait for a free connection with it.
 */
import { lowerV8Threads } from '../packages/service/src/nice.ts';
import { finish, type GetOptions, openConnection, readOptions } from './get.ts';

// Compiling this client must not take a core from what it measures.
lowerV8Threads();
const options = readOptions<GetOptions & { rate: number }>();
const free: ((due: number) => void)[] = [];
const waiting: number[] = [];
const latencies: number[] = [];

for (let i = 0; i < options.connections; i++) {
  let due = 0;
  const send = openConnection(options, () => {
    latencies.push(performance.now() - due);
    const next = waiting.shift();
    if (next === undefined) free.push(begin);
    else begin(next);
  });
  const begin = (at: number): void => {
    due = at;
    send();
  };
  free.push(begin);
}

function shoot(): void {
  const due = performance.now();
  const begin = free.shift();
  if (begin) begin(due);
  else waiting.push(due);
}

setInterval(shoot, 1000 / options.rate);
setTimeout(() => {
  // What nobody has answered by now counts for as long as it has waited.
  for (const due of waiting) latencies.push(performance.now() - due);
  const sorted = latencies.sort((a, b) => a - b);
  finish(sorted[Math.floor(sorted.length * 0.99)] ?? Number.NaN);
}, options.seconds * 1000);
