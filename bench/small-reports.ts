/**
 * Asks for small reports and reads each, over so many connections, as fast as they are done: `node
 * bench/small-reports.ts '{"url":…}'` prints reports a second and the 99th percentile of milliseconds from the POST to
 * the records.
 */
import { Agent, request } from 'node:http';
import { finish } from './get.ts';

interface Options {
  /** The base, up to `/v1`. */
  url: string;
  headers: Record<string, string>;
  connections: number;
  seconds: number;
  /** Asked for in turns, one each. */
  restaurants: string[];
  date: number;
}

const { url, headers, connections, seconds, restaurants, date }: Options = JSON.parse(process.argv[2] ?? '{}');
const agent = new Agent({ keepAlive: true, maxSockets: connections });
const latencies: number[] = [];
const until = performance.now() + seconds * 1000;
let next = 0;

function call(method: string, path: string, body?: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>();
  const more = body === undefined ? { prefer: 'wait=30' } : { 'content-type': 'application/json' };
  const sent = request(`${url}${path}`, { method, agent, headers: { ...headers, ...more } }, (response) => {
    let text = '';
    response.setEncoding('utf8');
    response.on('data', (piece: string) => {
      text += piece;
    });
    response.on('end', () => {
      if (response.statusCode === 200) resolve(text);
      else reject(new Error(`${method} ${path}: ${response.statusCode} ${text}`));
    });
  });
  sent.on('error', reject);
  sent.end(body);
  return promise;
}

async function keepAsking(): Promise<void> {
  while (performance.now() < until) {
    const restaurant = restaurants[next++ % restaurants.length];
    const began = performance.now();
    const body = JSON.stringify({ startBusinessDate: date, restaurantIds: [restaurant] });
    const guid: string = JSON.parse(await call('POST', '/metrics/day', body));
    const [record] = JSON.parse(await call('GET', `/metrics/${guid}`)) as { restaurantGuid: string }[];
    if (record?.restaurantGuid !== restaurant) throw new Error(`not the report of ${restaurant}`);
    latencies.push(performance.now() - began);
  }
}

const began = performance.now();
await Promise.all(Array.from({ length: connections }, keepAsking));
const took = performance.now() - began;
latencies.sort((a, b) => a - b);
const p99 = latencies[Math.floor(latencies.length * 0.99)] ?? Number.NaN;
finish({ perSecond: (latencies.length / took) * 1000, p99 });
